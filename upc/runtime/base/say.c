/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats and writes messages. Async-signal-safe, and usable before constructors: no stdio, no locale. */
#include "upc/runtime/base/say.h"

#include <stdint.h>

#include "upc/runtime/base/system.h"

bool hupc__say_nothing;

struct text {
	char *start;
	size_t size, length;
};

static void put(struct text *text, char c)
{
	if (text->length + 1 < text->size)
		text->start[text->length++] = c;
}

static void put_string(struct text *text, const char *string)
{
	for (; *string; string++)
		put(text, *string);
}

static void put_number(struct text *text, unsigned long number, unsigned int base)
{
	char digits[24];
	int count = 0;
	do {
		digits[count++] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	while (count)
		put(text, digits[--count]);
}

static void put_signed(struct text *text, long number)
{
	if (number < 0)
		put(text, '-');
	put_number(text, number < 0 ? -(unsigned long)number : (unsigned long)number, 10);
}

/* Formats one conversion; returns the position after it. */
static const char *put_conversion(struct text *text, const char *at, va_list *arguments)
{
	bool wide = *at == 'l';
	at += wide;
	if (*at == 's')
		put_string(text, va_arg(*arguments, const char *));
	else if (*at == 'c')
		put(text, (char)va_arg(*arguments, int));
	else if (*at == 'd')
		put_signed(text, wide ? va_arg(*arguments, long) : va_arg(*arguments, int));
	else if (*at == 'u' || *at == 'x')
		put_number(text, wide ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned int),
			*at == 'u' ? 10 : 16);
	else
		put(text, '%');
	return *at ? at + 1 : at;
}

static size_t format_list(char *buffer, size_t size, const char *format, va_list arguments)
{
	struct text text = {buffer, size, 0};
	va_list rest;
	va_copy(rest, arguments);
	while (*format) {
		if (*format == '%')
			format = put_conversion(&text, format + 1, &rest);
		else
			put(&text, *format++);
	}
	va_end(rest);
	buffer[text.length] = '\0';
	return text.length;
}

size_t hupc__format(char *buffer, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t length = format_list(buffer, size, format, arguments);
	va_end(arguments);
	return length;
}

void hupc__vsay(const char *prefix, const char *format, va_list arguments)
{
	char line[1024];
	int saved = errno;
	if (hupc__say_nothing)
		return;
	size_t length = hupc__format(line, sizeof(line) - 1, "upc: %s", prefix);
	length += format_list(line + length, sizeof(line) - 1 - length, format, arguments);
	line[length++] = '\n';
	hupc__system(write, STDERR_FILENO, line, length);
	errno = saved;
}

void hupc__say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	hupc__vsay("", format, arguments);
	va_end(arguments);
}

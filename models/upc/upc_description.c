/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses printf formats to find the types of their arguments. Must not format anything. */
#include <stdbool.h>
#include <string.h>

#include "models/upc/upc_user.h"

struct parser {
	const char *at;
	uint8_t *classes;
	int count;
	const char *problem;
	int precision; /* of the conversion; NOT_GIVEN, or BY_ARGUMENT */
};

#define NOT_GIVEN (-1)
#define BY_ARGUMENT (-2)

static void add_class(struct parser *parser, unsigned int class)
{
	if (parser->count == HEDDLE_UPC_ARGUMENTS)
		parser->problem = "has too many arguments";
	else
		parser->classes[parser->count++] = (uint8_t) class;
}

/*
 * Adds a string argument. A string without a terminating zero has as many bytes as its precision. Wide strings are not
 * read.
 */
static void add_text(struct parser *parser, char length)
{
	int most = parser->precision;
	if (length)
		add_class(parser, HEDDLE_UPC_CLASS_SKIP_POINTER);
	else if (most == BY_ARGUMENT)
		add_class(parser, HEDDLE_UPC_CLASS_TEXT_CUT);
	else
		add_class(parser,
			HEDDLE_UPC_CLASS_TEXT + (most >= 0 && most < HEDDLE_UPC_TEXT_BYTES ? (unsigned int)most
											   : HEDDLE_UPC_TEXT_BYTES));
}

static void skip_digits(struct parser *parser)
{
	if (*parser->at == '*') {
		parser->at++;
		add_class(parser, HEDDLE_UPC_CLASS_SKIP_INT);
		return;
	}
	while (*parser->at >= '0' && *parser->at <= '9')
		parser->at++;
}

/* Parses "." and the precision that follows. */
static void take_precision(struct parser *parser)
{
	parser->precision = NOT_GIVEN;
	if (*parser->at != '.')
		return;
	const char *digits = ++parser->at;
	skip_digits(parser);
	parser->precision = *digits == '*' ? BY_ARGUMENT : 0;
	for (; digits < parser->at && parser->precision >= 0 && parser->precision <= HEDDLE_UPC_TEXT_BYTES; digits++)
		parser->precision = 10 * parser->precision + (*digits - '0');
}

/* Parses the length modifier: returns 'l' for all types as wide as a long, 'L', or 0. */
static char take_length(struct parser *parser)
{
	char length = 0;
	for (; *parser->at && strchr("hlLqjzt", *parser->at); parser->at++) {
		if (*parser->at == 'L')
			length = 'L';
		else if (*parser->at != 'h')
			length = 'l';
	}
	return length;
}

static void take_conversion(struct parser *parser)
{
	char length = take_length(parser);
	switch (*parser->at) {
	case 'd':
	case 'i':
		add_class(parser, length ? HEDDLE_UPC_CLASS_LONG : HEDDLE_UPC_CLASS_INT);
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		add_class(parser, length ? HEDDLE_UPC_CLASS_UNSIGNED_LONG : HEDDLE_UPC_CLASS_UNSIGNED);
		break;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		add_class(parser, length == 'L' ? HEDDLE_UPC_CLASS_LONG_DOUBLE : HEDDLE_UPC_CLASS_DOUBLE);
		break;
	case 'c':
		add_class(parser, HEDDLE_UPC_CLASS_SKIP_INT);
		break;
	case 's':
		add_text(parser, length);
		break;
	case 'p':
		add_class(parser, HEDDLE_UPC_CLASS_SKIP_POINTER);
		break;
	case 'm':
		break;
	case 'n':
		parser->problem = "has %n, which would write to its argument";
		break;
	case '\0':
		parser->problem = "ends within a conversion";
		return;
	default:
		parser->problem = "has a conversion that is unknown to printf";
	}
	parser->at++;
}

int heddle__upc_parse_description(const char *description, uint8_t *classes, const char **problem)
{
	struct parser parser = {.at = description};
	parser.classes = classes;
	while (*parser.at && !parser.problem) {
		if (*parser.at++ != '%')
			continue;
		if (*parser.at == '%') {
			parser.at++;
			continue;
		}
		parser.at += strspn(parser.at, "-+ #0'I");
		const char *digits = parser.at;
		skip_digits(&parser);
		if (*parser.at == '$' && parser.at > digits) {
			parser.problem = "numbers its arguments (%1$d)";
			break;
		}
		take_precision(&parser);
		if (!parser.problem)
			take_conversion(&parser);
	}
	*problem = parser.problem;
	return parser.problem ? -1 : parser.count;
}

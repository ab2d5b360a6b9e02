/* SPDX-License-Identifier: BSD-3-Clause */
/* All memory is in one list, because a refusal may be from any depth, and frees nothing itself. */
#include "tune/work.h"

#include "cli/base/exit_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tune_block {
	struct tune_block *next;
	max_align_t content[];
};

void *heddle__tune_take(struct tune_work *work, size_t size)
{
	struct tune_block *block = calloc(1, sizeof(*block) + size);
	if (!block)
		heddle__tune_stop(work, HEDDLE_EXIT_FAILED, NULL, 0, "out of memory");
	block->next = work->blocks;
	work->blocks = block;
	return block->content;
}

char *heddle__tune_copy(struct tune_work *work, const char *text, size_t length)
{
	char *copy = heddle__tune_take(work, length + 1);
	memcpy(copy, text, length);
	return copy;
}

char *heddle__tune_format(struct tune_work *work, const char *format, ...)
{
	va_list list, again;
	va_start(list, format);
	va_copy(again, list);
	int length = vsnprintf(NULL, 0, format, list);
	va_end(list);
	char *text = heddle__tune_take(work, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void heddle__tune_free(struct tune_work *work)
{
	while (work->blocks) {
		struct tune_block *next = work->blocks->next;
		free(work->blocks);
		work->blocks = next;
	}
}

bool heddle__tune_try(struct tune_work *work, void (*step)(void *context), void *context)
{
	jmp_buf here, *outside = work->refused;
	volatile bool good = false;
	work->refused = &here;
	if (!setjmp(here)) {
		step(context);
		good = true;
	}
	work->refused = outside;
	if (!good && outside && work->status != HEDDLE_EXIT_REFUSED) /* no memory: further attempts are useless */
		longjmp(*outside, 1);
	return good;
}

void heddle__tune_stop_list(
	struct tune_work *work, int status, const char *path, int line, const char *format, va_list list)
{
	size_t room = sizeof(work->message);
	int used = 0;
	if (path)
		used = snprintf(work->message, room, "%s:%d: ", path, line);
	if (used < 0 || (size_t)used >= room)
		used = 0;
	vsnprintf(work->message + used, room - (size_t)used, format, list);
	work->status = status;
	longjmp(*work->refused, 1);
}

void heddle__tune_stop(struct tune_work *work, int status, const char *path, int line, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	heddle__tune_stop_list(work, status, path, line, format, list);
}

void heddle__tune_add_bytes(struct tune_text *text, const char *more, size_t length)
{
	if (text->length + length + 1 > text->room) {
		size_t room = 2 * (text->length + length) + 64;
		char *at = heddle__tune_take(text->work, room);
		if (text->at)
			memcpy(at, text->at, text->length);
		text->at = at;
		text->room = room;
	}
	memcpy(text->at + text->length, more, length);
	text->length += length;
	text->at[text->length] = '\0';
}

void heddle__tune_add(struct tune_text *text, const char *more)
{
	heddle__tune_add_bytes(text, more, strlen(more));
}

void heddle__tune_add_format(struct tune_text *text, const char *format, ...)
{
	char *more;
	va_list list;
	va_start(list, format);
	int length = vasprintf(&more, format, list);
	va_end(list);
	if (length < 0)
		heddle__tune_stop(text->work, HEDDLE_EXIT_FAILED, NULL, 0, "out of memory");
	heddle__tune_add_bytes(text, more, (size_t)length);
	free(more);
}

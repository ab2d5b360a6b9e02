/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all steps of `heddle tune` share: memory that is freed at once, text that grows, and the refusal, which ends the
 * work from any depth.
 */
#ifndef HEDDLE_TUNE_WORK_H
#define HEDDLE_TUNE_WORK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct tune_block;

struct tune_work {
	struct tune_block *blocks; /* all memory of this work */
	jmp_buf *refused;          /* where execution continues after a refusal; must be set */
	char message[1024];        /* of the refusal: "FILE:LINE: reason" */
	int status;                /* the exit status for the refusal */
};

/* Returns zeroed memory that lives until heddle__tune_free; refuses if memory is exhausted. */
void *heddle__tune_take(struct tune_work *work, size_t size);
char *heddle__tune_copy(struct tune_work *work, const char *text, size_t length);
char *heddle__tune_format(struct tune_work *work, const char *format, ...) __attribute__((format(printf, 2, 3)));
void heddle__tune_free(struct tune_work *work);

/*
 * Returns true if a step ends without a refusal; otherwise work->message is that of the refusal. Steps may be nested:
 * an error that is not a refusal, such as exhausted memory, ends all of them.
 */
bool heddle__tune_try(struct tune_work *work, void (*step)(void *context), void *context);

/* Ends the work: sets the message, and does not return. `path` may be NULL: no position. */
_Noreturn void heddle__tune_stop(struct tune_work *work, int status, const char *path, int line, const char *format,
	...) __attribute__((format(printf, 5, 6)));
_Noreturn void heddle__tune_stop_list(
	struct tune_work *work, int status, const char *path, int line, const char *format, va_list list);

/* Text that grows, in the memory of `work`; initialize it as {.work = ...}. `at` is NULL while nothing was added. */
struct tune_text {
	struct tune_work *work;
	char *at;
	size_t length, room;
};

void heddle__tune_add(struct tune_text *text, const char *more);
void heddle__tune_add_bytes(struct tune_text *text, const char *more, size_t length);
void heddle__tune_add_format(struct tune_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

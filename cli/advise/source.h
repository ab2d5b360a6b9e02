/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which indices of shared arrays in a upc_forall need no remote data, read from its source by simple rules. heddle tune
 * parses loops properly and decides; this says what to expect.
 */
#ifndef HEDDLE_CLI_ADVISE_SOURCE_H
#define HEDDLE_CLI_ADVISE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_index {
	HEDDLE_INDEX_UNKNOWN, /* needs remote data, or no access of this form was found in the line */
	HEDDLE_INDEX_GUESSED, /* known before the loop, but may change in it */
	HEDDLE_INDEX_KNOWN,
};

/* A loop's source. */
struct heddle_loop_text {
	char *text;                /* of the whole file, comments and literals blanked */
	size_t begin, end;         /* of the loop's body in it */
	char *affinity;            /* "label[i]" of the affinity &label[i], without blanks; "" */
	const char *const *remote; /* variables that the loop gets from other nodes, ended by NULL; the caller's */
	char **tainted;            /* private variables of the body that get their values from them, ended by NULL */
};

/* Find the upc_forall of that line (from 1) in a file's text, which is copied. False: not found, or no memory. */
bool heddle__loop_text_make(
	struct heddle_loop_text *loop, const char *source, uint32_t line, const char *const *remote);
void heddle__loop_text_free(struct heddle_loop_text *loop);

/* The line of the innermost upc_forall around a line, and its last line; 0: the line is in none. */
uint32_t heddle__loop_around_line(const char *source, uint32_t line, uint32_t *last);

/*
 * The name by which that line accesses an object: `variable` itself, or, if that does not occur there, the only other
 * one with a subscript, such as a pointer-to-shared; the element that the affinity names does not count. Free it. NULL:
 * not found.
 */
char *heddle__loop_text_name(const struct heddle_loop_text *loop, const char *variable, uint32_t line);

/* What is known of the indices of `variable` in that line, the least of several. */
enum heddle_index heddle__loop_text_index(const struct heddle_loop_text *loop, const char *variable, uint32_t line);

#endif

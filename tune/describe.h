/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle advise` reads in a source: its loops, and how many of their accesses heddle tune knows in advance. */
#ifndef HEDDLE_TUNE_DESCRIBE_H
#define HEDDLE_TUNE_DESCRIBE_H

#include "tune/loop.h"

/* When a cache would bring the elements that an access reads. */
enum tune_known {
	TUNE_UNKNOWN_INDEX, /* when the access is made; also for accesses that are not in the line */
	TUNE_FIRST_INDEX,   /* partly before the loop: the index may change in the iteration */
	TUNE_KNOWN_INDEX,   /* all at once, before the loop */
};

/* Reads of one variable in one line of a loop. */
struct tune_described_access {
	struct tune_described_access *next;
	const char *variable;
	int line; /* possibly in a function that the loop calls */
	enum tune_known known;
};

struct tune_described {
	struct tune_described_access *accesses;
	const char *refused; /* why heddle tune does not change the loop, whose accesses are then unknown; or NULL */
};

/*
 * Reads a source by the compiler, with options `flags`, into the memory of `work`, whose other fields are zero. Returns
 * NULL if it cannot be read or does not compile; work->message is then the reason.
 */
struct tune_file *heddle__tune_open(struct tune_work *work, const char *path, const char *const *flags);

/* Returns the line of the innermost upc_forall around a line, and sets *last to its last line; 0: none. */
int heddle__tune_loop_around(const struct tune_file *file, int line, int *last);

/* Describes the loop that begins in a line. `remote`: variables with remote gets, ended by NULL. NULL: no memory. */
const struct tune_described *heddle__tune_describe(struct tune_file *file, int line, const char *const *remote);

/* When the accesses to a variable in a line are known; TUNE_FIRST_INDEX if they differ. */
enum tune_known heddle__tune_known(const struct tune_described *loop, const char *variable, int line);

/*
 * The name by which a line of the loop that begins in line `loop` accesses an object: `object` itself or, if the line
 * does not have that name, the only other array or pointer that it accesses by index. NULL: none or several.
 */
const char *heddle__tune_name_in_line(const struct tune_file *file, int loop, int line, const char *object);

/* The number of accesses to a variable in the body of the loop that begins in a line. */
unsigned heddle__tune_occurrences(const struct tune_file *file, int loop, const char *variable);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle advise` asks of a source: its loops, and how much of their accesses heddle tune knows beforehand. */
#ifndef HEDDLE_CLI_TUNE_DESCRIBE_H
#define HEDDLE_CLI_TUNE_DESCRIBE_H

#include "tune/loop.h"

/* How a cache would get the elements that an access reads. */
enum tune_known {
	TUNE_UNKNOWN_INDEX, /* when the access is made; also of accesses that the line does not have */
	TUNE_FIRST_INDEX,   /* before the loop in part: its index may change in the iteration */
	TUNE_KNOWN_INDEX,   /* all at once, before the loop */
};

/* Accesses of a loop that read, of one variable in one line. */
struct tune_described_access {
	struct tune_described_access *next;
	const char *variable;
	int line; /* may be that of a function which the loop calls */
	enum tune_known known;
};

struct tune_described {
	struct tune_described_access *accesses;
	const char *refused; /* why heddle tune does not change the loop, whose accesses are not known then; or NULL */
};

/*
 * Reads a source by the compiler, with its options `flags`, into the memory of `work`, whose fields are zero but for
 * that. NULL: it cannot be read, or does not compile; work->message says so.
 */
struct tune_file *heddle__tune_open(struct tune_work *work, const char *path, const char *const *flags);

/* The line of the innermost upc_forall around a line, and its last line; 0: the line is in none. */
int heddle__tune_loop_around(const struct tune_file *file, int line, int *last);

/* The loop that begins in a line; `remote`: variables that it gets elements of, ended by NULL. Without memory: NULL. */
const struct tune_described *heddle__tune_describe(struct tune_file *file, int line, const char *const *remote);

/* How the accesses to a variable in a line are known; if they differ, in part. */
enum tune_known heddle__tune_known(const struct tune_described *loop, const char *variable, int line);

/*
 * The name by which a line of the loop that begins in line `loop` accesses an object: `object` itself or, if that is
 * not there, the only other array or pointer that it accesses by index. NULL: there is none, or there are several.
 */
const char *heddle__tune_name_in_line(const struct tune_file *file, int loop, int line, const char *object);

/* How often the body of the loop that begins in a line accesses a variable. */
unsigned heddle__tune_occurrences(const struct tune_file *file, int loop, const char *variable);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole measurement: all profile files of a directory (or one file), read in parallel and merged. Afterwards it is
 * only read. Ownership: everything belongs to the measurement until heddle_measurement_close.
 */
#ifndef HEDDLE_PROFILE_MEASUREMENT_H
#define HEDDLE_PROFILE_MEASUREMENT_H

#include "profile/call_tree.h"
#include "profile/process_decode.h"

struct heddle_process {
	char *path;  /* of its file */
	int error;   /* not 0: left out, nothing below is valid */
	bool merged; /* read from a merged file, which has no values of single threads */
	Heddle__Profile__Process *info;
	struct heddle_thread *threads;
	size_t thread_count;
	uint32_t *map; /* from the file's nodes to the merged tree's; only with keep_threads */
	size_t map_size;
};

struct heddle_measurement {
	char *path;
	char *merged;                     /* the only file, when that is a merged one; else NULL */
	struct heddle_process *processes; /* by names of files; of a merged one all that went into it */
	size_t process_count, file_count, broken_count;
	struct heddle_call_tree tree;
};

struct heddle_load_options {
	size_t workers;                                             /* 0: as many as there are processors */
	bool keep_threads;                                          /* heddle_measurement_threads() will be called */
	size_t part, parts;                                         /* read only this part of a directory; 0, 0: all */
	void (*progress)(void *context, size_t done, size_t count); /* or NULL; never called concurrently */
	void *progress_context;
};

/*
 * Reads everything; the tree is the same for any number of workers. Memory: the merged tree, a few trees of consecutive
 * files, and a file for each worker. Files that can't be read are left out (process.error says why) as long as one can:
 * then 0. Else the error of the first, with *bad_path (freed by the caller) naming it. After an error there is nothing
 * to close.
 */
int heddle_measurement_open(struct heddle_measurement *measurement, const char *path,
	const struct heddle_load_options *options, char **bad_path);
/* Adds another, which follows it in order: of which nothing is left but what is to be closed. 0 or a negative error. */
int heddle_measurement_append(struct heddle_measurement *measurement, struct heddle_measurement *more);
void heddle_measurement_close(struct heddle_measurement *measurement);

/* The values of one thread, by nodes of the merged tree (in no order; a node may come twice). */
struct heddle_thread_values {
	const struct heddle_process *process;
	const struct heddle_thread *thread;
	size_t count;
	const uint32_t *nodes;
	const uint64_t *values;
};

/*
 * Reads the files once more, thread by thread in order, so that memory does not grow with their number. `each` returns
 * 0 to go on. Needs keep_threads. Not of HEDDLE_METRIC_HELD, which threads don't have: -EINVAL; nor of merged files,
 * which have no single threads' values: -HEDDLE_MERGED.
 */
int heddle_measurement_threads(const struct heddle_measurement *measurement, enum heddle_metric metric,
	int (*each)(void *context, const struct heddle_thread_values *values), void *context);

/* Sum of a metric over everything. */
uint64_t heddle_measurement_total(const struct heddle_measurement *measurement, enum heddle_metric metric);

#endif

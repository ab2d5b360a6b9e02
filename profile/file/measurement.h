/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole measurement: all profile files of a directory (or one file), read in parallel and merged. Read-only
 * afterwards. Ownership: everything belongs to the measurement until profile_measurement_close.
 */
#ifndef HEDDLE_PROFILE_MEASUREMENT_H
#define HEDDLE_PROFILE_MEASUREMENT_H

#include "profile/base/progress.h"
#include "profile/file/call_tree.h"
#include "profile/file/process_decode.h"

struct profile_process {
	char *path;  /* of its file */
	int error;   /* not 0: the file was left out, and nothing below is valid */
	bool merged; /* read from a merged file, which has no values of single threads */
	bool parted; /* values of single threads are those of a part of the run: profile_thread.part */
	Heddle__Profile__Process *info;
	struct profile_thread *threads;
	size_t thread_count;
	bool has_workers;   /* profile_thread_is_worker() of any thread */
	uint32_t only_rank; /* like a thread's `rank`, if its threads have the same; 0: none or several */
	uint32_t *map;      /* from the file's nodes to the nodes of the merged tree; NULL: not kept */
	size_t map_size;
};

/*
 * True if a thread has neither a number in a team nor a rank, while others of its process have. Libraries create such
 * threads, which mostly sleep.
 */
static inline bool profile_thread_is_helper(const struct profile_process *process, const struct profile_thread *thread)
{
	return process->has_workers && !profile_thread_is_worker(thread);
}

struct profile_measurement {
	char *path;
	char *merged;                      /* the path, if it is a single merged file; else NULL */
	struct profile_process *processes; /* by file name; of a merged file, all that it contains */
	size_t process_count, file_count, broken_count;
	struct profile_call_tree tree;
};

struct profile_load_options {
	size_t workers;                          /* 0: as many as there are processors */
	bool keep_threads;                       /* profile_measurement_threads() will be called */
	size_t map_bytes;                        /* if not: processes keep maps of at most so many bytes in total */
	size_t part, parts;                      /* read only this part of a directory; 0, 0: all */
	const struct profile_progress *progress; /* or NULL */
};

/*
 * Reads everything; the tree is the same for any number of workers. Memory: the merged tree, a few trees of consecutive
 * files, and a file for each worker. Files that can't be read are left out (process.error says why). Returns 0 if at
 * least one could be read, else the error of the first, with its name in *bad_path (freed by the caller). After an
 * error there is nothing to close.
 */
int profile_measurement_open(struct profile_measurement *measurement, const char *path,
	const struct profile_load_options *options, char **bad_path);
/* Moves the contents of `more` into a measurement; `more` can then only be closed. Returns 0 or a negative error. */
int profile_measurement_append(struct profile_measurement *measurement, struct profile_measurement *more);
void profile_measurement_close(struct profile_measurement *measurement);

/* True if a file of that name in a measurement's directory is a profile. */
bool profile_is_name(const char *name);

/* The values of one thread, by nodes of the merged tree, in no order. A node may occur more than once. */
struct profile_thread_values {
	const struct profile_process *process;
	const struct profile_thread *thread;
	enum heddle_metric metric;
	size_t count;
	const uint32_t *nodes;
	const uint64_t *values;
};

/*
 * Reads the files again, thread by thread in order, so memory does not grow with the number of threads. A non-zero
 * result of `each` ends the reading. Needs keep_threads. -EINVAL: no thread has values of this metric
 * (profile_metric_is_of_threads). -HEDDLE_MERGED: a merged file has no values of single threads.
 */
int profile_measurement_threads(const struct profile_measurement *measurement, enum heddle_metric metric,
	int (*each)(void *context, const struct profile_thread_values *values), void *context);

/*
 * Like profile_measurement_threads, for several metrics, but reads each file once: `each` is called for every metric of
 * a thread, in the order given, then for the next thread.
 */
int profile_measurement_thread_metrics(const struct profile_measurement *measurement, const enum heddle_metric *metrics,
	size_t metric_count, int (*each)(void *context, const struct profile_thread_values *values), void *context);

/* True if a process's threads were sampled. */
bool profile_is_sampled(const Heddle__Profile__Process *info);

/* Returns the sum of a metric over all nodes. */
uint64_t profile_measurement_total(const struct profile_measurement *measurement, enum heddle_metric metric);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of one profile file, checked: after a success here every number of the tree is in range, a parent stands
 * before its children, and nothing later needs to look again.
 */
#ifndef HEDDLE_PROFILE_PROCESS_DECODE_H
#define HEDDLE_PROFILE_PROCESS_DECODE_H

#include "profile/call_tree.h"
#include "profile/profile_file.h"

#include "heddle_profile.pb-c.h"

/* One row of a process's threads, its columns summed up. Owns its strings. */
struct heddle_thread {
	uint32_t id;
	uint64_t tid;
	char *role, *name;
	uint32_t threads; /* one after the other */
	int32_t openmp_number;
	uint64_t start_ns, end_ns, wall_ns, cpu_ns;
	uint64_t samples, samples_in_heddle;
	uint32_t rank;                         /* its number in the whole program + 1; 0: none */
	uint64_t *values[HEDDLE_METRIC_LIMIT]; /* by state; NULL: none */
};

/* A process that a merged file holds. */
struct heddle_member {
	char *path;                     /* of the file it was read from */
	Heddle__Profile__Process *info; /* of its own */
	struct heddle_thread *threads;
	size_t thread_count;
};

struct heddle_decoded {
	Heddle__Profile__Process *process; /* the caller may take it and put NULL here */
	Heddle__Profile__ModuleList *modules;
	struct heddle_call_tree tree;  /* as in the file, strings owned by the two messages; plus the node below */
	uint32_t heddle_node;          /* for samples not yet charged to a node: [heddle] under the root */
	uint8_t *states;               /* of each node's own values */
	struct heddle_thread *threads; /* the caller may take them likewise */
	size_t thread_count;
	bool merged; /* then these are its processes; the caller may take what they hold */
	struct heddle_member *members;
	size_t member_count;
};

/* What a thread spent of a metric in a state, and in all. */
uint64_t heddle_thread_value(const struct heddle_thread *thread, enum heddle_metric metric, enum heddle_state state);
uint64_t heddle_thread_total(const struct heddle_thread *thread, enum heddle_metric metric);

/* Decodes all sections of a file, on up to `workers` threads. After an error nothing is held. */
int heddle_decode(struct heddle_decoded *decoded, const struct heddle_file *file, size_t workers);
void heddle_decoded_free(struct heddle_decoded *decoded);
void heddle_threads_free(struct heddle_thread *threads, size_t count);

/* The tree alone: what is needed to read THREAD sections one by one. */
int heddle_decode_paths(struct heddle_decoded *decoded, const struct heddle_file *file);

/*
 * One THREAD section by itself, checked against what its process says and a tree of `node_count` nodes (as in the
 * file). Column.node is made absolute, Column.metric a number of profile/metric.h. Free with
 * heddle__profile__thread__free_unpacked.
 */
int heddle_decode_thread(const struct heddle_file_section *section, const Heddle__Profile__Process *process,
	size_t node_count, Heddle__Profile__Thread **thread);

#endif

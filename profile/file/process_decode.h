/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of one profile file, checked: after success every number of the tree is in range and a parent comes
 * before its children, so later code need not check again.
 */
#ifndef HEDDLE_PROFILE_PROCESS_DECODE_H
#define HEDDLE_PROFILE_PROCESS_DECODE_H

#include "profile/file/call_tree.h"
#include "profile/file/profile_file.h"
#include "profile/file/thread.h"

#include "heddle_profile.pb-c.h"

/* A process in a merged file. */
struct profile_member {
	char *path;                     /* of the file it was read from */
	Heddle__Profile__Process *info; /* its own */
	struct profile_thread *threads;
	size_t thread_count;
};

struct profile_decoded {
	Heddle__Profile__Process *process; /* the caller may take it and store NULL */
	Heddle__Profile__ModuleList *modules;
	struct profile_call_tree tree;  /* as in the file, plus `heddle_node`; the messages own its strings */
	uint32_t heddle_node;           /* [heddle] under the root: for samples not yet charged to a node */
	uint8_t *states;                /* by node: state of its exclusive values */
	struct profile_thread *threads; /* the caller may take them and store NULL */
	size_t thread_count;
	bool merged; /* members are valid; the caller may take what they own */
	struct profile_member *members;
	size_t member_count;
};

/* Decodes all sections of a file, on up to `workers` threads. After an error nothing is left to free. */
int profile_decode(struct profile_decoded *decoded, const struct profile_file *file, size_t workers);
void profile_decoded_free(struct profile_decoded *decoded);

/* Decodes only the tree, as far as it is needed to read THREAD sections one by one. */
int profile_decode_paths(struct profile_decoded *decoded, const struct profile_file *file);

/*
 * Decodes one THREAD section, checked against its process and a tree of `node_count` nodes (as in the file). Makes
 * Column.node absolute, and Column.metric a number of profile/file/metric.h. Free with
 * heddle__profile__thread__free_unpacked.
 */
int profile_decode_thread(const struct profile_file_section *section, const Heddle__Profile__Process *process,
	size_t node_count, Heddle__Profile__Thread **thread);

#endif

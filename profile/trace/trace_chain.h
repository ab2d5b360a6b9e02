/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path that led to each thread: a chain of stretches, which share beginnings. When a wait ends because of another
 * thread, the waiting thread's path is replaced by that thread's path at the event that was waited for. Hooks for
 * profile_trace_sync (profile/trace/trace_sync.h).
 */
#ifndef HEDDLE_PROFILE_TRACE_CHAIN_H
#define HEDDLE_PROFILE_TRACE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch that ends where the next one begins, or has no end yet. */
struct profile_trace_link {
	struct profile_trace_link *before;
	size_t references, thread;
	uint64_t from_ns;
};

/* A token: a point of a path, on which others may depend. */
struct profile_trace_cut {
	struct profile_trace_link *link;
	uint64_t ns;
};

/* The context of the hooks is this, or begins with it. */
struct profile_trace_chains {
	struct profile_trace_link **paths; /* by thread */
	size_t thread_count;
	bool failed; /* there was not enough memory */
};

/* Returns 0 or -ENOMEM. End the chains in any case. */
int profile_trace_chains_begin(struct profile_trace_chains *chains, size_t thread_count);
void profile_trace_chains_end(struct profile_trace_chains *chains);

/* Hooks of the same names. */
void *profile_trace_chain_mark(void *context, size_t thread, uint64_t ns);
void profile_trace_chain_drop(void *context, void *token);
void profile_trace_chain_resume(void *context, size_t thread, uint64_t since_ns, const void *token);
void profile_trace_chain_begin(void *context, size_t thread, size_t creator, uint64_t ns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A link counts the links and paths that refer to it, and is freed when no path leads through it any more. */
#include "profile/trace/trace_chain.h"

#include <errno.h>
#include <stdlib.h>

static struct profile_trace_link *refer(struct profile_trace_link *link)
{
	if (link)
		link->references++;
	return link;
}

static void unrefer(struct profile_trace_link *link)
{
	while (link && --link->references == 0) {
		struct profile_trace_link *before = link->before;
		free(link);
		link = before;
	}
}

/* Takes over the caller's reference to `before`. */
static struct profile_trace_link *make_link(
	struct profile_trace_chains *chains, struct profile_trace_link *before, size_t thread, uint64_t from_ns)
{
	struct profile_trace_link *link = malloc(sizeof(*link));
	if (!link) {
		unrefer(before);
		chains->failed = true;
		return NULL;
	}
	*link = (struct profile_trace_link){before, 1, thread, from_ns};
	return link;
}

void *profile_trace_chain_mark(void *context, size_t thread, uint64_t ns)
{
	const struct profile_trace_chains *chains = context;
	struct profile_trace_cut *cut = malloc(sizeof(*cut));
	if (cut)
		*cut = (struct profile_trace_cut){refer(chains->paths[thread]), ns};
	return cut;
}

void profile_trace_chain_drop(void *context, void *token)
{
	struct profile_trace_cut *cut = token;
	(void)context;
	unrefer(cut->link);
	free(cut);
}

void profile_trace_chain_resume(void *context, size_t thread, uint64_t since_ns, const void *token)
{
	struct profile_trace_chains *chains = context;
	const struct profile_trace_cut *cut = token;
	struct profile_trace_link *old = chains->paths[thread];
	(void)since_ns;
	if (!cut->link || (old && old->from_ns > cut->ns))
		return;
	chains->paths[thread] = make_link(chains, refer(cut->link), thread, cut->ns);
	unrefer(old);
}

/* A process's first thread begins a path; the others are assumed to be created by it. */
void profile_trace_chain_begin(void *context, size_t thread, size_t creator, uint64_t ns)
{
	struct profile_trace_chains *chains = context;
	struct profile_trace_link *before = creator != thread ? refer(chains->paths[creator]) : NULL;
	chains->paths[thread] = make_link(chains, before, thread, before ? ns : 0);
}

int profile_trace_chains_begin(struct profile_trace_chains *chains, size_t thread_count)
{
	*chains = (struct profile_trace_chains){.thread_count = thread_count};
	chains->paths = calloc(thread_count + 1, sizeof(struct profile_trace_link *));
	return chains->paths ? 0 : -ENOMEM;
}

void profile_trace_chains_end(struct profile_trace_chains *chains)
{
	for (size_t t = 0; chains->paths && t < chains->thread_count; t++)
		unrefer(chains->paths[t]);
	free(chains->paths);
}

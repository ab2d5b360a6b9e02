/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of communicators, and messages: who waited for whom in them. Only for trace_sync.c. Time is linear in the
 * number of events; memory is bounded by what is under way at the same time.
 */
#ifndef HEDDLE_PROFILE_TRACE_EXCHANGE_H
#define HEDDLE_PROFILE_TRACE_EXCHANGE_H

#include "format/ids.h"
#include "profile/trace/trace_follow.h"
#include "profile/trace/trace_sync.h"

struct profile_trace_exchange;

/* Returns NULL if there is no memory. */
struct profile_trace_exchange *profile_trace_exchange_open(
	const struct profile_trace *trace, const struct profile_trace_sync_hooks *hooks, void *context);

/* The other functions return 0, the result of a hook, or a negative error. */

/* A thread begins its part of a collective, or ends it at `ns`. Ignores regions without a group in their attributes. */
int profile_trace_exchange_enter(struct profile_trace_exchange *exchange, size_t thread,
	const struct profile_trace_open *open, enum heddle_event_role waits);
int profile_trace_exchange_leave(
	struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open, uint64_t ns);

/* A MESSAGE, in the region that is the stack's last entry; and that region's end at `ns`. */
int profile_trace_exchange_message(struct profile_trace_exchange *exchange, size_t thread,
	struct profile_trace_stack *stack, const struct profile_trace_event *event);
int profile_trace_exchange_return(
	struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open, uint64_t ns);

/* Records of the thread are lost: the collectives that it entered are unknown. */
void profile_trace_exchange_lose(struct profile_trace_exchange *exchange, size_t thread);

/* Reports what is complete, and frees everything. */
int profile_trace_exchange_close(struct profile_trace_exchange *exchange);

#endif

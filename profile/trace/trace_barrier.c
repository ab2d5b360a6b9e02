/* SPDX-License-Identifier: BSD-3-Clause */
/* Only sums over the threads at a barrier are stored, so its cost does not depend on their number. */
#include "profile/trace/trace_barrier.h"

#include <errno.h>

void profile_trace_mark(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point,
	size_t thread, uint64_t ns, int *error)
{
	void *token = NULL;
	if (hooks->mark && !(token = hooks->mark(context, thread, ns)))
		*error = -ENOMEM;
	if (point->token)
		hooks->drop(context, point->token);
	*point = (struct profile_trace_point){token, ns, thread};
}

void profile_trace_join(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point,
	size_t thread, uint64_t ns, int *error)
{
	if (!hooks->join || !point->token) {
		profile_trace_mark(hooks, context, point, thread, ns, error);
		return;
	}
	hooks->join(context, point->token, thread, ns);
	point->ns = ns;
	point->thread = thread;
}

void profile_trace_drop(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point)
{
	if (point->token)
		hooks->drop(context, point->token);
	*point = (struct profile_trace_point){0};
}

void profile_trace_resume(const struct profile_trace_sync_hooks *hooks, void *context, size_t thread, uint64_t since_ns,
	const struct profile_trace_point *point)
{
	if (point->token && hooks->depend)
		hooks->depend(context, thread, point->token);
	profile_trace_resume_only(hooks, context, thread, since_ns, point);
}

void profile_trace_resume_only(const struct profile_trace_sync_hooks *hooks, void *context, size_t thread,
	uint64_t since_ns, const struct profile_trace_point *point)
{
	if (point->token && hooks->resume && point->thread != thread && point->ns > since_ns)
		hooks->resume(context, thread, since_ns, point->token);
}

static struct profile_trace_gathering *gathering_of(struct profile_trace_barriers *barriers, uint64_t number)
{
	return &barriers->open[number % 2];
}

static int meet(struct profile_trace_gathering *gathering, const struct profile_trace_sync_hooks *hooks, void *context)
{
	struct profile_trace_meeting meeting = {
		.threads = gathering->arrived,
		.last = gathering->last,
		.node = gathering->node,
		.first_ns = gathering->first_ns,
		.last_ns = gathering->last_ns,
	};
	bool over = gathering->met || gathering->arrived < 2;
	gathering->met = true;
	if (over || !hooks->met)
		return 0;
	uint64_t sum = gathering->waiters * gathering->last_ns;
	/* In a team of unknown size, a task may have lasted longer than until the last arrival. */
	if (sum > gathering->waits_from_ns)
		meeting.waited_ns = sum - gathering->waits_from_ns;
	if (gathering->waiters && gathering->last_ns > gathering->first_wait_ns)
		meeting.longest_ns = gathering->last_ns - gathering->first_wait_ns;
	return hooks->met(context, &meeting);
}

static int clear(struct profile_trace_gathering *gathering, const struct profile_trace_sync_hooks *hooks, void *context)
{
	int error = gathering->number ? meet(gathering, hooks, context) : 0;
	if (gathering->point.token)
		hooks->drop(context, gathering->point.token);
	*gathering = (struct profile_trace_gathering){0};
	return error;
}

uint64_t profile_trace_barrier_number(const struct profile_trace_barriers *barriers)
{
	const struct profile_trace_gathering *newest = &barriers->open[barriers->newest % 2];
	bool open = newest->number && newest->number == barriers->newest && !newest->met;
	return open ? barriers->newest : barriers->newest + 1;
}

static void add_wait(struct profile_trace_gathering *gathering, uint64_t ns)
{
	if (!gathering->waiters || ns < gathering->first_ns_of_waits)
		gathering->first_wait_ns = gathering->first_ns_of_waits = ns;
	gathering->waiters++;
	gathering->waits_from_ns += ns;
}

int profile_trace_barrier_arrive(struct profile_trace_barriers *barriers, uint64_t number,
	const struct profile_trace_waiter *waiter, const struct profile_trace_sync_hooks *hooks, void *context)
{
	struct profile_trace_gathering *gathering = gathering_of(barriers, number);
	int error = gathering->number == number ? 0 : clear(gathering, hooks, context);
	if (error)
		return error;
	if (!gathering->arrived++)
		gathering->first_ns = waiter->ns;
	gathering->number = number;
	barriers->newest = number > barriers->newest ? number : barriers->newest;
	gathering->last = waiter->thread;
	gathering->node = waiter->node;
	gathering->last_ns = waiter->ns;
	if (waiter->waits)
		add_wait(gathering, waiter->ns);
	profile_trace_join(hooks, context, &gathering->point, waiter->thread, waiter->ns, &error);
	return !error && gathering->arrived == barriers->expected ? meet(gathering, hooks, context) : error;
}

void profile_trace_barrier_wait(struct profile_trace_barriers *barriers, uint64_t number, uint64_t ns)
{
	struct profile_trace_gathering *gathering = gathering_of(barriers, number);
	if (number && gathering->number == number && !gathering->met)
		add_wait(gathering, ns);
}

void profile_trace_barrier_busy(struct profile_trace_barriers *barriers, uint64_t number, uint64_t since_ns,
	const struct profile_trace_part *busy)
{
	struct profile_trace_gathering *gathering = gathering_of(barriers, number);
	if (!number || gathering->number != number || gathering->met)
		return;
	bool all = barriers->size && gathering->arrived == barriers->size;
	uint64_t to = all && gathering->last_ns < busy->to_ns ? gathering->last_ns : busy->to_ns;
	if (to <= busy->from_ns)
		return;
	gathering->waits_from_ns += to - busy->from_ns;
	if (gathering->first_ns_of_waits == since_ns)
		gathering->first_wait_ns += to - busy->from_ns;
}

int profile_trace_barrier_leave(struct profile_trace_barriers *barriers, uint64_t number,
	const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point)
{
	struct profile_trace_gathering *gathering = gathering_of(barriers, number);
	*point = (struct profile_trace_point){0};
	if (!number || gathering->number != number)
		return 0;
	*point = gathering->point;
	return barriers->expected ? 0 : meet(gathering, hooks, context);
}

int profile_trace_barriers_end(
	struct profile_trace_barriers *barriers, const struct profile_trace_sync_hooks *hooks, void *context)
{
	int error = clear(&barriers->open[0], hooks, context);
	int other = clear(&barriers->open[1], hooks, context);
	return error ? error : other;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of meetings (profile/trace/trace_sync.h) by kind, place and who was waited for. */
#include "profile/trace/trace_late.h"

#include "profile/base/intern.h"
#include "profile/trace/trace_table.h"

#include <errno.h>
#include <stdlib.h>

struct profile_trace_late_sums {
	struct profile_trace_late *late;
	struct profile_trace_part part;
	struct profile_trace_table items;  /* by node and kind: number + 1 */
	struct profile_trace_table causes; /* by item and thread, and node: number + 1 */
	size_t *counted;                   /* by item: the last meeting that it was counted for */
	size_t counted_capacity;
	size_t meetings;
};

static void *number_plus_one(size_t number)
{
	return (void *)(uintptr_t)(number + 1); // NOLINT(performance-no-int-to-ptr)
}

/* Returns SIZE_MAX if there is no memory. */
static size_t item_of(struct profile_trace_late_sums *sums, enum profile_trace_wait kind, uint32_t node)
{
	struct profile_trace_late *late = sums->late;
	const void *found = profile_trace_table_find(&sums->items, node, kind);
	if (found)
		return (uintptr_t)found - 1;
	if (profile_reserve(&late->items, &late->capacity, late->count + 1, sizeof(*late->items)) != 0 ||
		profile_reserve(&sums->counted, &sums->counted_capacity, late->count + 1, sizeof(*sums->counted)) !=
			0 ||
		profile_trace_table_add(&sums->items, node, kind, number_plus_one(late->count)) != 0)
		return SIZE_MAX;
	late->items[late->count] = (struct profile_trace_lateness){.kind = kind, .node = node};
	sums->counted[late->count] = 0;
	return late->count++;
}

/* Returns NULL if there is no memory. */
static struct profile_trace_late_cause *cause_of(
	struct profile_trace_late_sums *sums, size_t item, size_t thread, uint32_t node)
{
	struct profile_trace_late *late = sums->late;
	uint64_t key = (uint64_t)item << 32 | thread;
	const void *found = profile_trace_table_find(&sums->causes, key, node);
	if (found)
		return &late->causes[(uintptr_t)found - 1];
	if (profile_reserve(&late->causes, &late->cause_capacity, late->cause_count + 1, sizeof(*late->causes)) != 0 ||
		profile_trace_table_add(&sums->causes, key, node, number_plus_one(late->cause_count)) != 0)
		return NULL;
	late->causes[late->cause_count] =
		(struct profile_trace_late_cause){.item = item, .thread = thread, .node = node};
	return &late->causes[late->cause_count++];
}

/* Adds waits at one place: `ns` in total, the longest `longest_ns`. A meeting counts once per place. */
static int add_wait(struct profile_trace_late_sums *sums, const struct profile_trace_meeting *meeting, uint32_t node,
	uint64_t ns, uint64_t longest_ns)
{
	size_t item = item_of(sums, meeting->kind, node);
	struct profile_trace_late_cause *cause =
		item == SIZE_MAX ? NULL : cause_of(sums, item, meeting->last, meeting->node);
	if (!cause)
		return -ENOMEM;
	struct profile_trace_lateness *sum = &sums->late->items[item];
	bool again = sums->counted[item] == sums->meetings;
	sums->counted[item] = sums->meetings;
	sum->count += !again;
	cause->last += !again;
	sum->waited_ns += ns;
	cause->caused_ns += ns;
	if (longest_ns > sum->longest_ns) {
		sum->longest_ns = longest_ns;
		sum->longest_at_ns = meeting->last_ns;
		sum->longest_by = meeting->last;
	}
	return 0;
}

int profile_trace_late_add(struct profile_trace_late_sums *sums, const struct profile_trace_meeting *meeting)
{
	int error = 0;
	if (meeting->last_ns < sums->part.from_ns || meeting->last_ns > sums->part.to_ns)
		return 0;
	sums->meetings++;
	if (!meeting->waits)
		return add_wait(sums, meeting, meeting->node, meeting->waited_ns, meeting->longest_ns);
	for (size_t i = 0; i < meeting->wait_count && !error; i++)
		error = add_wait(sums, meeting, meeting->waits[i].node, meeting->waits[i].ns, meeting->waits[i].ns);
	return error;
}

struct profile_trace_late_sums *profile_trace_late_begin(
	struct profile_trace_late *late, const struct profile_trace *trace, const struct profile_trace_part *part)
{
	struct profile_trace_late_sums *sums = malloc(sizeof(*sums));
	*late = (struct profile_trace_late){.thread_count = trace->thread_count};
	if (sums)
		*sums = (struct profile_trace_late_sums){.late = late, .part = *part};
	return sums;
}

void profile_trace_late_end(struct profile_trace_late_sums *sums)
{
	while (profile_trace_table_drain(&sums->items))
		continue;
	while (profile_trace_table_drain(&sums->causes))
		continue;
	free(sums->counted);
	free(sums);
}

static int add_meeting(void *context, const struct profile_trace_meeting *meeting)
{
	return profile_trace_late_add(context, meeting);
}

int profile_trace_late_make(
	struct profile_trace_late *late, const struct profile_trace *trace, const struct profile_trace_part *part)
{
	static const struct profile_trace_sync_hooks hooks = {.met = add_meeting};
	struct profile_trace_late_sums *sums = profile_trace_late_begin(late, trace, part);
	if (!sums)
		return -ENOMEM;
	int error = profile_trace_sync(trace, &hooks, sums);
	profile_trace_late_end(sums);
	return error;
}

void profile_trace_late_free(struct profile_trace_late *late)
{
	free(late->items);
	free(late->causes);
	*late = (struct profile_trace_late){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A member that does not wait in collectives may be many ahead of others: those under way are a queue. A member's wait
 * ends at the latest when it leaves, whatever the clocks show.
 */
#include "profile/trace/trace_collective.h"

#include "profile/base/intern.h"
#include "profile/trace/trace_barrier.h"
#include "profile/trace/trace_roles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOT_LEFT UINT64_MAX

/* A member's part in a collective. */
struct arrival {
	size_t thread;
	uint32_t node, rank; /* the member's rank in the communicator */
	uint64_t ns, left_ns;
	unsigned int side; /* with two groups: 1 or 2; 0: there is one group */
	bool root;
};

#define SIDES 3

/* One collective, from its first arrival on until all have left it. */
struct collective {
	enum heddle_event_role waits;
	bool goes_on; /* after its calls return: calls that wait for other operations, too, end it */
	struct arrival *arrivals;
	size_t entered, room, left;
	size_t entered_by[SIDES];
	size_t latest[SIDES], root_index;             /* index into arrivals; SIZE_MAX: none, or unknown */
	struct profile_trace_point last[SIDES], root; /* marks of arrivals */
};

struct group {
	size_t members;
	uint64_t first;               /* number of the first one under way */
	struct collective *under_way; /* in order, from `head` on */
	size_t head, count, capacity;
	struct profile_trace_waiting *waits; /* buffer: one element per member */
	struct arrival *by_rank;
};

/* A member's part that continues after its call returns. */
struct joined {
	uint64_t identity, number;
	size_t index; /* of its arrival */
};

/* The arrival of a member at a collective. */
struct entry {
	uint64_t identity, ns;
	enum heddle_event_role waits;
	uint32_t node; /* of the measurement's tree */
	bool has_root, goes_on;
	uint64_t root;   /* rank in the program */
	uint64_t across; /* as HEDDLE_TRACE_ACROSS */
};

/* A thread that is a member of a communicator. */
struct visitor {
	bool came;       /* has entered a collective before */
	uint64_t number; /* of its collective; 0: none, or unknown */
	size_t index;    /* of its arrival */
	uint32_t losses; /* of the thread, when it entered that collective */
	uint32_t rank, all_rank;
};

/* ---- members ---- */

static void *keep(struct profile_trace_table *table, uint64_t first, uint64_t second, void *made)
{
	if (made && profile_trace_table_add(table, first, second, made) == 0)
		return made;
	free(made);
	return NULL;
}

static struct group *group_of(struct profile_trace_collectives *collectives, uint64_t identity)
{
	struct group *group = profile_trace_table_find(&collectives->groups, identity, 0);
	if (group)
		return group;
	group = calloc(1, sizeof(*group));
	if (group)
		*group = (struct group){.members = HEDDLE_TRACE_MEMBERS(identity), .first = 1};
	return keep(&collectives->groups, identity, 0, group);
}

static struct visitor *visitor_of(struct profile_trace_collectives *collectives, uint64_t identity, size_t thread)
{
	struct visitor *visitor = profile_trace_table_find(&collectives->visitors, identity, thread);
	const struct profile_trace_thread *row = &collectives->trace->threads[thread];
	const struct profile_trace_file *file = &collectives->trace->files[row->file];
	if (visitor)
		return visitor;
	visitor = calloc(1, sizeof(*visitor));
	if (visitor && profile_trace_is_rank(row)) /* models without descriptions of groups */
		visitor->rank = visitor->all_rank = row->row->rank - 1;
	for (size_t i = 0; visitor && i < file->group_count; i++)
		if (file->groups[i].identity == identity)
			*visitor = (struct visitor){.rank = file->groups[i].rank, .all_rank = file->groups[i].all_rank};
	return keep(&collectives->visitors, identity, thread, visitor);
}

/* ---- waits ---- */

struct waits {
	const struct profile_trace_collectives *collectives;
	const struct arrival *cause;
	enum profile_trace_wait kind;
	struct profile_trace_waiting *waits;
	size_t count;
	uint64_t sum_ns, longest_ns;
};

static enum profile_trace_wait kind_of(enum heddle_event_role waits)
{
	return waits == HEDDLE_EVENT_FROM_ROOT ? HEDDLE_WAIT_ROOT
	       : waits == HEDDLE_EVENT_TO_ROOT ? HEDDLE_WAIT_MEMBERS
	       : waits == HEDDLE_EVENT_PREFIX  ? HEDDLE_WAIT_PREFIX
	       : waits == HEDDLE_EVENT_MEMBERS ? HEDDLE_WAIT_BARRIER
					       : HEDDLE_WAIT_MUTUAL;
}

static void add_wait(struct waits *waits, const struct arrival *arrival, uint64_t until_ns)
{
	uint64_t last = arrival->left_ns < until_ns ? arrival->left_ns : until_ns;
	if (last <= arrival->ns)
		return;
	uint64_t ns = last - arrival->ns;
	waits->waits[waits->count++] = (struct profile_trace_waiting){arrival->thread, arrival->node, ns};
	waits->sum_ns += ns;
	waits->longest_ns = ns > waits->longest_ns ? ns : waits->longest_ns;
}

static int report(const struct waits *waits, const struct collective *collective)
{
	const struct profile_trace_sync_hooks *hooks = waits->collectives->hooks;
	struct profile_trace_meeting meeting = {.kind = waits->kind,
		.waits = waits->waits,
		.wait_count = waits->count,
		.threads = collective->entered,
		.last = waits->cause->thread,
		.node = waits->cause->node,
		.first_ns = collective->arrivals[0].ns,
		.last_ns = waits->cause->ns,
		.waited_ns = waits->sum_ns,
		.longest_ns = waits->longest_ns};
	return hooks->met ? hooks->met(waits->collectives->context, &meeting) : 0;
}

/* Returns the side that a member of `side` depends on: the other group if there are two. */
static unsigned int others_of(unsigned int side)
{
	return side ? SIDES - side : 0;
}

static const struct arrival *latest_of(const struct collective *collective, unsigned int side)
{
	return collective->latest[side] == SIZE_MAX ? NULL : &collective->arrivals[collective->latest[side]];
}

static const struct arrival *root_of(const struct collective *collective)
{
	return collective->root_index == SIZE_MAX ? NULL : &collective->arrivals[collective->root_index];
}

/* Returns the last arrival of the members that the root waits for; NULL: none. */
static const struct arrival *last_for(const struct collective *collective, const struct arrival *root)
{
	const struct arrival *last = NULL;
	for (size_t i = 0; i < collective->entered; i++) {
		const struct arrival *one = &collective->arrivals[i];
		if (one != root && one->side == others_of(root->side) && (!last || one->ns >= last->ns))
			last = one;
	}
	return last;
}

/* All members of a side wait for the cause, which is of the same side or the other one. */
static int all_wait_for(struct waits *waits, const struct collective *collective, unsigned int side)
{
	waits->count = 0;
	waits->sum_ns = waits->longest_ns = 0;
	for (size_t i = 0; i < collective->entered; i++)
		if (&collective->arrivals[i] != waits->cause && collective->arrivals[i].side == side)
			add_wait(waits, &collective->arrivals[i], waits->cause->ns);
	return report(waits, collective);
}

static int all_wait_for_all(struct waits *waits, const struct collective *collective)
{
	int error = 0;
	for (unsigned int side = 0; side < SIDES && !error; side++) {
		waits->cause = latest_of(collective, others_of(side));
		error = waits->cause && collective->entered_by[side] ? all_wait_for(waits, collective, side) : 0;
	}
	return error;
}

static int root_waits(struct waits *waits, const struct collective *collective)
{
	const struct arrival *root = root_of(collective);
	waits->cause = root ? last_for(collective, root) : NULL;
	if (!waits->cause)
		return 0;
	add_wait(waits, root, waits->cause->ns);
	return report(waits, collective);
}

static int by_rank(const void *one, const void *other)
{
	const struct arrival *a = one, *b = other;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Each member waits for the last one of those before it, so there are several causes. */
static int each_waits(struct waits *waits, const struct group *group, const struct collective *collective)
{
	const struct arrival *last = group->by_rank;
	int error = 0;
	for (size_t i = 0; i < collective->entered; i++)
		group->by_rank[i] = collective->arrivals[i];
	qsort(group->by_rank, collective->entered, sizeof(*group->by_rank), by_rank);
	for (size_t i = 1; i < collective->entered && !error; i++) {
		const struct arrival *one = &group->by_rank[i];
		waits->cause = last;
		waits->count = 0;
		waits->sum_ns = waits->longest_ns = 0;
		add_wait(waits, one, last->ns);
		if (waits->count)
			error = report(waits, collective);
		last = one->ns > last->ns ? one : last;
	}
	return error;
}

static int make_room(struct group *group)
{
	if (!group->waits)
		group->waits = calloc(group->members + 1, sizeof(*group->waits));
	if (!group->by_rank)
		group->by_rank = calloc(group->members + 1, sizeof(*group->by_rank));
	return group->waits && group->by_rank ? 0 : -ENOMEM;
}

static int find_waits(struct profile_trace_collectives *collectives, struct group *group, struct collective *collective)
{
	struct waits waits = {.collectives = collectives};
	if (collective->entered < 2 || make_room(group) != 0)
		return collective->entered < 2 ? 0 : -ENOMEM;
	waits.waits = group->waits;
	waits.kind = kind_of(collective->waits);
	switch (collective->waits) {
	case HEDDLE_EVENT_MEMBERS:
	case HEDDLE_EVENT_MUTUAL:
		return all_wait_for_all(&waits, collective);
	case HEDDLE_EVENT_FROM_ROOT:
		waits.cause = root_of(collective);
		return waits.cause ? all_wait_for(&waits, collective, others_of(waits.cause->side)) : 0;
	case HEDDLE_EVENT_TO_ROOT:
		return root_waits(&waits, collective);
	case HEDDLE_EVENT_PREFIX:
		return each_waits(&waits, group, collective);
	default:
		return 0;
	}
}

/* ---- the queue ---- */

static void clear(struct profile_trace_collectives *collectives, struct collective *collective)
{
	for (unsigned int side = 0; side < SIDES; side++)
		profile_trace_drop(collectives->hooks, collectives->context, &collective->last[side]);
	profile_trace_drop(collectives->hooks, collectives->context, &collective->root);
	free(collective->arrivals);
	*collective = (struct collective){0};
}

static struct collective *find_collective(const struct group *group, uint64_t number)
{
	return number >= group->first && number - group->first < group->count
		       ? &group->under_way[group->head + (number - group->first)]
		       : NULL;
}

/* Removes finished collectives from the head. Once all have entered a later one, no member enters an earlier one. */
static void take_over(struct profile_trace_collectives *collectives, struct group *group, uint64_t before)
{
	size_t over = 0;
	while (over < group->count) {
		struct collective *one = &group->under_way[group->head + over];
		bool done = one->entered == group->members && one->left == group->members;
		if (!done && (group->first + over >= before || one->entered == group->members))
			break;
		clear(collectives, one);
		over++;
	}
	group->first += over;
	group->head += over;
	group->count -= over;
	if (group->head <= group->count)
		return;
	if (group->count)
		memmove(group->under_way, group->under_way + group->head, group->count * sizeof(*group->under_way));
	group->head = 0;
}

/*
 * Returns the number of the collective that a thread with unknown earlier ones enters: one that not all have entered.
 */
static uint64_t number_at_hand(const struct group *group)
{
	uint64_t number = group->first + group->count;
	return group->count && group->under_way[group->head + group->count - 1].entered < group->members ? number - 1
													 : number;
}

/*
 * Returns the number of the first collective that a thread enters. Members that do not wait may be many ahead, so it is
 * the oldest one that not all members have entered.
 */
static uint64_t number_of_first(const struct group *group)
{
	uint64_t number = group->first;
	const struct collective *one;
	while ((one = find_collective(group, number)) != NULL && one->entered >= group->members)
		number++;
	return number;
}

static struct collective *collective_at(struct group *group, uint64_t number)
{
	while (group->first + group->count <= number) {
		if (profile_reserve(&group->under_way, &group->capacity, group->head + group->count + 1,
			    sizeof(*group->under_way)) != 0)
			return NULL;
		group->under_way[group->head + group->count++] =
			(struct collective){.root_index = SIZE_MAX, .latest = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
	}
	return find_collective(group, number);
}

static int arrive(
	struct profile_trace_collectives *collectives, struct collective *collective, const struct arrival *arrival)
{
	int error = profile_reserve(
		&collective->arrivals, &collective->room, collective->entered + 1, sizeof(*collective->arrivals));
	if (error || !collective->arrivals)
		return error;
	const struct arrival *latest = latest_of(collective, arrival->side);
	if (!latest || arrival->ns >= latest->ns)
		collective->latest[arrival->side] = collective->entered;
	collective->entered_by[arrival->side]++;
	if (arrival->root)
		collective->root_index = collective->entered;
	collective->arrivals[collective->entered++] = *arrival;
	profile_trace_join(collectives->hooks, collectives->context, &collective->last[arrival->side], arrival->thread,
		arrival->ns, &error);
	if (arrival->root && !error)
		profile_trace_mark(collectives->hooks, collectives->context, &collective->root, arrival->thread,
			arrival->ns, &error);
	return error;
}

/* Sets the number of the collective that the thread enters. */
static void count_visit(const struct profile_trace_collectives *collectives, size_t thread, const struct group *group,
	struct visitor *visitor)
{
	bool known = visitor->number && visitor->losses == collectives->losses[thread];
	bool first = !visitor->came && !collectives->losses[thread];
	visitor->number = known ? visitor->number + 1 : first ? number_of_first(group) : number_at_hand(group);
	visitor->came = true;
	visitor->losses = collectives->losses[thread];
}

/* *entered becomes the visitor; its number is 0 if the collective is unknown. */
static int enter(struct profile_trace_collectives *collectives, size_t thread, const struct entry *entry,
	const struct visitor **entered)
{
	struct group *group = group_of(collectives, entry->identity);
	struct visitor *visitor = visitor_of(collectives, entry->identity, thread);
	if (!group || !visitor)
		return -ENOMEM;
	*entered = visitor;
	count_visit(collectives, thread, group, visitor);
	struct collective *collective = collective_at(group, visitor->number);
	bool over = visitor->number < group->first || (collective && collective->entered >= group->members);
	if (over) /* records are lost or damaged */
		visitor->number = 0;
	if (over || !collective)
		return over ? 0 : -ENOMEM;
	collective->waits = entry->waits;
	collective->goes_on = entry->goes_on;
	visitor->index = collective->entered;
	struct arrival arrival = {.thread = thread,
		.node = entry->node,
		.rank = visitor->rank,
		.ns = entry->ns,
		.left_ns = NOT_LEFT,
		.side = entry->across ? 1 + (unsigned int)HEDDLE_TRACE_ACROSS_SIDE(entry->across) : 0,
		.root = entry->has_root && entry->root == visitor->all_rank};
	int error = arrive(collectives, collective, &arrival);
	if (!error && collective->entered == group->members)
		take_over(collectives, group, visitor->number);
	return error;
}

int profile_trace_collective_enter(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, enum heddle_event_role waits)
{
	const struct profile_trace_attributes *attributes = &open->attributes;
	struct entry entry = {.identity = attributes->value[HEDDLE_TRACE_COMMUNICATOR],
		.ns = open->since_ns,
		.waits = waits,
		.node = profile_trace_open_node(collectives->trace, thread, open),
		.has_root = profile_trace_has(attributes, HEDDLE_TRACE_ROOT),
		.root = attributes->value[HEDDLE_TRACE_ROOT],
		.across = profile_trace_has(attributes, HEDDLE_TRACE_ACROSS) ? attributes->value[HEDDLE_TRACE_ACROSS]
									     : 0};
	const struct visitor *visitor;
	return enter(collectives, thread, &entry, &visitor);
}

/* Returns the arrival that a member that leaves now has waited for, as far as known; NULL: none. */
static const struct arrival *cause_of(const struct collective *collective, const struct group *group, size_t index)
{
	bool complete = collective->entered == group->members;
	const struct arrival *root = root_of(collective), *own = &collective->arrivals[index];
	switch (collective->waits) {
	case HEDDLE_EVENT_FROM_ROOT:
		return root && others_of(root->side) == own->side ? root : NULL;
	case HEDDLE_EVENT_MEMBERS:
	case HEDDLE_EVENT_MUTUAL:
		return complete ? latest_of(collective, others_of(own->side)) : NULL;
	case HEDDLE_EVENT_TO_ROOT:
		return complete && root == own ? last_for(collective, root) : NULL;
	default:
		return NULL;
	}
}

/* Ends a member's part, in the region that began at `since_ns`. */
static int leave(struct profile_trace_collectives *collectives, const struct joined *part, size_t thread,
	uint64_t since_ns, uint64_t ns, struct profile_trace_collective_wait *wait)
{
	struct group *group = profile_trace_table_find(&collectives->groups, part->identity, 0);
	struct collective *collective = group ? find_collective(group, part->number) : NULL;
	if (!collective || part->index >= collective->entered)
		return 0;
	collective->arrivals[part->index].left_ns = ns;
	collective->left++;
	const struct arrival *cause = cause_of(collective, group, part->index);
	if (cause)
		*wait = (struct profile_trace_collective_wait){
			kind_of(collective->waits), cause->thread, cause->node, cause->ns};
	if (cause)
		profile_trace_resume(collectives->hooks, collectives->context, thread, since_ns,
			collective->waits == HEDDLE_EVENT_FROM_ROOT ? &collective->root
								    : &collective->last[cause->side]);
	if (collective->entered < group->members || collective->left < group->members)
		return 0;
	int error = collective->goes_on ? 0 : find_waits(collectives, group, collective);
	take_over(collectives, group, 0);
	return error;
}

int profile_trace_collective_leave(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t ns)
{
	uint64_t identity = open->attributes.value[HEDDLE_TRACE_COMMUNICATOR];
	const struct visitor *visitor = profile_trace_table_find(&collectives->visitors, identity, thread);
	struct profile_trace_collective_wait wait;
	if (!visitor)
		return 0;
	struct joined part = {identity, visitor->number, visitor->index};
	return leave(collectives, &part, thread, open->since_ns, ns, &wait);
}

/* ---- parts that continue after their call ---- */

static uint64_t file_of(const struct profile_trace_collectives *collectives, size_t thread)
{
	return collectives->trace->threads[thread].file;
}

int profile_trace_collective_join(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, const struct profile_trace_event *event, uint64_t identity)
{
	struct entry entry = {.identity = identity,
		.ns = event->time_ns,
		.waits = (enum heddle_event_role)(event->tag & UINT8_MAX),
		.across = event->tag < 0 ? 0 : (uint64_t)event->tag >> 8,
		.node = profile_trace_open_node(collectives->trace, thread, open),
		.has_root = event->partner >= 0,
		.goes_on = true,
		.root = (uint64_t)event->partner};
	const struct visitor *visitor = NULL;
	int error = enter(collectives, thread, &entry, &visitor);
	if (error || !visitor->number ||
		profile_trace_table_find(&collectives->joined, file_of(collectives, thread), event->request))
		return error;
	struct joined *joined = malloc(sizeof(*joined));
	if (!joined)
		return -ENOMEM;
	*joined = (struct joined){identity, visitor->number, visitor->index};
	error = profile_trace_table_add(&collectives->joined, file_of(collectives, thread), event->request, joined);
	if (error)
		free(joined);
	return error;
}

int profile_trace_collective_left(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t request, struct profile_trace_collective_wait *wait)
{
	struct joined *part = profile_trace_table_take(&collectives->joined, file_of(collectives, thread), request);
	wait->kind = HEDDLE_WAITS;
	if (!part)
		return 0;
	int error = leave(collectives, part, thread, open->since_ns, NOT_LEFT, wait);
	free(part);
	return error;
}

static int end_group(struct profile_trace_collectives *collectives, struct group *group)
{
	int error = 0;
	for (size_t i = 0; i < group->count; i++) {
		struct collective *one = &group->under_way[group->head + i];
		if (!error && !one->goes_on && one->entered == group->members && one->left < group->members)
			error = find_waits(collectives, group, one);
		clear(collectives, one);
	}
	free(group->under_way);
	free(group->waits);
	free(group->by_rank);
	free(group);
	return error;
}

int profile_trace_collectives_end(struct profile_trace_collectives *collectives)
{
	struct group *group;
	void *visitor, *joined;
	int error = 0, more;
	while ((group = profile_trace_table_drain(&collectives->groups)) != NULL) {
		more = end_group(collectives, group);
		error = error ? error : more;
	}
	while ((visitor = profile_trace_table_drain(&collectives->visitors)) != NULL)
		free(visitor);
	while ((joined = profile_trace_table_drain(&collectives->joined)) != NULL)
		free(joined);
	free(collectives->losses);
	return error;
}

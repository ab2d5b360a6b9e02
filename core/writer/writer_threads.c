/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers (a fatal signal writes the profile): system calls and mapped memory only. */
#include "core/writer/writer_threads.h"

#include "core/base/memory.h"
#include "core/base/process_info.h"
#include "core/base/task_file.h"
#include "core/blame/blame.h"
#include "core/counters/counting.h"
#include "core/modules/model.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/start_node.h"
#include "core/threads/task.h"
#include "core/tree/tree.h"
#include "format/profile_fields.h"

#include <string.h>

#define FIELD(message, field) HEDDLE_FIELD_##message##_##field
#define COLLECT_TRIES 3

void (*heddle__take_rest)(const struct heddle_thread *thread, const struct heddle_thread_columns *columns,
	const struct heddle_thread_rest *rest);

static uint32_t off_cpu_node, heddle_node, no_worker_node, no_holder_node;

static uint32_t state_node(enum heddle_state state)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
}

/* Returns the node to charge with a thread's CPU time that no sample accounts for. */
static uint32_t unsampled_node(const struct heddle_thread *thread)
{
	if (thread->role == HEDDLE_THREAD_HEDDLE)
		return heddle_node;
	return thread->sampled.last_node ? thread->sampled.last_node : heddle__thread_start_node(thread);
}

void heddle__prepare_extra_nodes(void)
{
	off_cpu_node = state_node(HEDDLE_STATE_OFF_CPU);
	heddle_node = state_node(HEDDLE_STATE_HEDDLE);
	if (heddle__blames) {
		no_worker_node = state_node(HEDDLE_STATE_NO_WORKER);
		no_holder_node = state_node(HEDDLE_STATE_NO_HOLDER);
	}
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		unsampled_node(thread);
}

uint64_t heddle__samples_taken(void)
{
	uint64_t sum = 0;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		sum += thread->sampled.samples;
	return sum;
}

static bool is_active(const struct heddle_thread *thread)
{
	return !thread->times.end_ns;
}

static uint64_t total_cpu_ns(const struct heddle_thread *thread)
{
	uint64_t total = thread->times.cpu_ns;
	uint64_t frozen = atomic_load(&thread->times.frozen_cpu_ns);
	if (is_active(thread))
		total += frozen ? frozen : heddle__clock_ns(heddle__cpu_clock_of(thread->tid));
	return total > thread->sampled.paused_cpu_ns ? total - thread->sampled.paused_cpu_ns : 0;
}

static uint64_t total_wall_ticks(const struct heddle_thread *thread, uint64_t now)
{
	if (!is_active(thread))
		return thread->times.wall_ticks;
	uint64_t off = thread->times.off_ticks +
		       (thread->off && now > thread->times.off_since ? now - thread->times.off_since : 0);
	uint64_t since = now > thread->times.start_ticks ? now - thread->times.start_ticks : 0;
	return thread->times.wall_ticks + (since > off ? since - off : 0);
}

static void add_entry(struct heddle_thread_columns *columns, uint32_t node, uint32_t metric, uint64_t value)
{
	if (!value || columns->count == columns->room)
		return;
	while (node >= columns->nodes_written)
		node = heddle__tree_node(node)->parent;
	columns->entries[columns->count++] = (struct heddle_entry){node, metric, value};
}

static bool make_room(struct heddle_thread_columns *columns, size_t count)
{
	columns->count = 0;
	if (columns->room >= count)
		return true;
	heddle__free_columns(columns);
	columns->entries = heddle__map(count * sizeof(*columns->entries));
	columns->room = columns->entries ? count : 0;
	return columns->entries;
}

static bool comes_before(const struct heddle_entry *a, const struct heddle_entry *b)
{
	return a->metric != b->metric ? a->metric < b->metric : a->node < b->node;
}

static void sift_down(struct heddle_entry *heap, size_t at, size_t count)
{
	struct heddle_entry moved = heap[at];
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && comes_before(&heap[child], &heap[child + 1]))
			child++;
		if (!comes_before(&moved, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

/* Sorts by metric, then node. Must not allocate, which qsort may. */
static void sort_entries(struct heddle_entry *entries, size_t count)
{
	for (size_t i = count / 2; i-- > 0;)
		sift_down(entries, i, count);
	while (count > 1) {
		struct heddle_entry largest = entries[0];
		entries[0] = entries[--count];
		entries[count] = largest;
		sift_down(entries, 0, count);
	}
}

/* Adds idleness to `rest->node`. */
static void add_idleness(struct heddle_thread_columns *columns, const struct heddle_blame_rest *rest)
{
	for (uint32_t kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		add_entry(columns, rest->node, HEDDLE_METRIC_BARRIER_BLAME + kind, rest->ticks[kind]);
		add_entry(columns, rest->node, HEDDLE_METRIC_IDLENESS, rest->ticks[kind]);
		add_entry(columns, rest->node, HEDDLE_METRIC_BLAME, rest->ticks[kind]);
	}
}

static void add_time(struct heddle_thread_columns *columns, const struct heddle_slot *slot, uint64_t from, uint64_t to)
{
	if (slot && to > from)
		add_entry(columns, slot->node, HEDDLE_METRIC_WALL_TIME, to - from);
}

/* Returns the tick since which a thread is idle because its tasks ended, not yet reported by an event; or `now`. */
static uint64_t idle_since(const struct heddle_thread *thread, uint64_t now)
{
	uint64_t over = heddle__tasks_seen_ended(thread);
	if (!over || over > now)
		return now;
	return over > thread->last_ticks ? over : thread->last_ticks;
}

/* Adds elapsed time since the last event, which the innermost open region (or idle) has not been charged yet. */
static void add_open_region(struct heddle_thread_columns *columns, const struct heddle_thread *thread, uint64_t now)
{
	uint64_t over = idle_since(thread, now);
	if (!is_active(thread) || thread->off)
		return;
	add_time(columns, heddle__seen_slot(thread), thread->last_ticks, over);
	add_time(columns, thread->idle_slot, over, now);
}

/* Adds idle time of a thread that still counts as working, because the event that ends it is missing. */
static void add_unseen_idleness(struct heddle_thread_columns *columns, const struct heddle_thread *thread, uint64_t now)
{
	struct heddle_blame_rest rest = {.node = no_worker_node};
	uint64_t since = idle_since(thread, now);
	if (thread->blamed.part[HEDDLE_SCOPE_PROCESS] != HEDDLE_PART_WORKS || !thread->idle_slot || since >= now)
		return;
	rest.ticks[HEDDLE_PART_IDLE - HEDDLE_PART_BARRIER] = now - since;
	add_idleness(columns, &rest);
}

/* Adds blame not charged yet; waiting with no culprit is added to the first thread's columns. */
static void add_blame(struct heddle_thread_columns *columns, const struct heddle_thread *thread, uint64_t now)
{
	struct heddle_blame_rest rest;
	if (!heddle__blames)
		return;
	if (is_active(thread)) {
		heddle__blame_rest(thread, now, &rest);
		add_idleness(columns, &rest);
		add_unseen_idleness(columns, thread, now);
	}
	if (thread->id != 0)
		return;
	heddle__blame_no_culprit_rest(now, &rest);
	rest.node = no_worker_node;
	add_idleness(columns, &rest);
	add_entry(columns, no_holder_node, HEDDLE_METRIC_LOCK_BLAME, rest.lock_ticks);
	add_entry(columns, no_holder_node, HEDDLE_METRIC_BLAME, rest.lock_ticks);
}

/* Adds counts that have not been charged yet. */
static void add_open_counts(struct heddle_thread_columns *columns, const struct heddle_thread *thread)
{
	uint64_t rest[HEDDLE_COUNTER_LIMIT];
	if (!is_active(thread) || !heddle__counting_rest(thread, rest))
		return;
	for (unsigned int i = 0; i < heddle__counters(); i++)
		add_entry(columns, heddle__counting_node(thread), HEDDLE_COUNTER_FIRST + i, rest[i]);
}

static uint64_t column_sum(const struct heddle_thread_columns *columns, uint32_t metric)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < columns->count; i++)
		sum += columns->entries[i].metric == metric ? columns->entries[i].value : 0;
	return sum;
}

/* Adds time that no sample and no event accounts for, so that the columns add up to the thread's time. */
static void add_remainders(
	struct heddle_thread_columns *columns, const struct heddle_thread *thread, uint64_t cpu_ns, uint64_t wall)
{
	uint64_t cpu_charged = column_sum(columns, HEDDLE_METRIC_CPU_TIME);
	uint64_t wall_charged = column_sum(columns, HEDDLE_METRIC_WALL_TIME);
	if (!thread->sampled.period_ns)
		return;
	if (cpu_ns > cpu_charged)
		add_entry(columns, unsampled_node(thread), HEDDLE_METRIC_CPU_TIME, cpu_ns - cpu_charged);
	if (wall > wall_charged && thread->role != HEDDLE_THREAD_HEDDLE)
		add_entry(columns, off_cpu_node, HEDDLE_METRIC_WALL_TIME, wall - wall_charged);
}

static size_t count_values(const uint64_t *values, size_t count)
{
	size_t sum = 0;
	for (size_t i = 0; values && i < count; i++)
		sum += values[i] != 0;
	return sum;
}

/* Counts values other than 0: room for all may be more than the process may map (ulimit -v), and most are 0. */
static size_t count_entries(const struct heddle_thread *thread)
{
	size_t sum = 0;
	uint32_t count = heddle__slot_count(thread);
	for (uint32_t i = 0; i < count; i++) {
		const struct heddle_slot *slot = heddle__slot_at(thread, i);
		sum += count_values(slot->value, HEDDLE_METRIC_COMMON) +
		       count_values(slot->more, HEDDLE_METRIC_COUNT - HEDDLE_METRIC_COMMON) +
		       count_values(slot->counts, heddle__counters());
	}
	return sum;
}

static void add_slots(struct heddle_thread_columns *columns, const struct heddle_thread *thread)
{
	uint32_t count = heddle__slot_count(thread);
	for (uint32_t i = 0; i < count; i++) {
		const struct heddle_slot *slot = heddle__slot_at(thread, i);
		for (uint32_t metric = 0; metric < HEDDLE_METRIC_COMMON; metric++)
			add_entry(columns, slot->node, metric, slot->value[metric]);
		for (uint32_t metric = HEDDLE_METRIC_COMMON; slot->more && metric < HEDDLE_METRIC_COUNT; metric++)
			add_entry(columns, slot->node, metric, slot->more[metric - HEDDLE_METRIC_COMMON]);
		for (unsigned int k = 0; slot->counts && k < heddle__counters(); k++)
			add_entry(columns, slot->node, HEDDLE_COUNTER_FIRST + k, slot->counts[k]);
	}
}

/*
 * Returns the tick up to which the thread has charged its slots. The owner may charge them again after the clock has
 * stopped, by an event that it had begun or that occurs while measurement is frozen.
 */
static uint64_t charged_until(const struct heddle_thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	uint64_t ticks = __atomic_load_n(&thread->last_ticks, __ATOMIC_ACQUIRE);
	atomic_signal_fence(memory_order_seq_cst);
	return ticks;
}

/* False: no memory. */
static bool collect_once(struct heddle_thread_columns *columns, const struct heddle_thread *thread, uint64_t now,
	struct heddle_thread_rest *rest)
{
	if (!make_room(columns, count_entries(thread) + HEDDLE_METRIC_COUNT + heddle__counters() + 32))
		return false;
	add_slots(columns, thread);
	rest->first = thread->trace ? columns->count : 0;
	rest->charges = heddle__seen_slot(thread);
	add_open_region(columns, thread, now);
	add_open_counts(columns, thread);
	add_blame(columns, thread, now);
	return true;
}

/* False: no memory. */
static bool collect(struct heddle_thread_columns *columns, const struct heddle_thread *thread, uint64_t cpu_ns,
	uint64_t wall, uint64_t now)
{
	struct heddle_thread_rest rest;
	unsigned int tries = COLLECT_TRIES;
	do { /* again, if time moved from the open region to a slot meanwhile: else it could be in neither */
		rest.charged = charged_until(thread);
		if (!collect_once(columns, thread, now, &rest))
			return false;
	} while (charged_until(thread) != rest.charged && --tries);
	add_remainders(columns, thread, cpu_ns, wall);
	if (heddle__take_rest)
		heddle__take_rest(thread, columns, &rest);
	sort_entries(columns->entries, columns->count);
	return true;
}

/* Puts one metric's column from entries [first, end); values of the same node are added up. */
static void put_column(struct heddle_buffer *out, struct heddle_thread_columns *columns, size_t first, size_t end)
{
	uint32_t metric = columns->entries[first].metric, before = 0;
	heddle__buffer_clear(&columns->nodes);
	heddle__buffer_clear(&columns->values);
	heddle__buffer_clear(&columns->column);
	for (size_t i = first; i < end;) {
		uint32_t node = columns->entries[i].node;
		uint64_t value = 0;
		for (; i < end && columns->entries[i].node == node; i++)
			value += columns->entries[i].value;
		heddle__put_varint(&columns->nodes, node - before);
		heddle__put_varint(&columns->values,
			heddle__metric_kind(metric) == HEDDLE_METRIC_KIND_TICKED ? heddle__ticks_to_ns(value) : value);
		before = node;
	}
	heddle__put_uint(&columns->column, FIELD(Column, metric), metric);
	heddle__put_block(&columns->column, FIELD(Column, node), &columns->nodes);
	heddle__put_block(&columns->column, FIELD(Column, value), &columns->values);
	heddle__put_block(out, FIELD(Thread, columns), &columns->column);
}

static uint32_t used_buckets(const struct heddle_distribution *distribution)
{
	uint32_t count = distribution->buckets ? HEDDLE_SIZE_BUCKETS : 0;
	while (count && !distribution->buckets[count - 1])
		count--;
	return count;
}

static void put_distribution(struct heddle_buffer *out, struct heddle_thread_columns *columns, uint32_t node,
	const struct heddle_distribution *distribution)
{
	struct heddle_buffer *part = &columns->column;
	heddle__buffer_clear(part);
	heddle__buffer_clear(&columns->values);
	heddle__put_uint(part, FIELD(Distribution, node), node);
	heddle__put_uint(part, FIELD(Distribution, argument), distribution->argument);
	heddle__put_uint(part, FIELD(Distribution, text), distribution->text);
	heddle__put_uint(part, FIELD(Distribution, count), distribution->count);
	heddle__put_double(part, FIELD(Distribution, minimum), distribution->minimum);
	heddle__put_double(part, FIELD(Distribution, maximum), distribution->maximum);
	heddle__put_double(part, FIELD(Distribution, sum), distribution->sum);
	for (uint32_t i = 0; i < used_buckets(distribution); i++)
		heddle__put_varint(&columns->values, distribution->buckets[i]);
	heddle__put_block(part, FIELD(Distribution, buckets), &columns->values);
	heddle__put_block(out, FIELD(Thread, distributions), part);
}

static void put_distributions(
	struct heddle_buffer *out, struct heddle_thread_columns *columns, const struct heddle_thread *thread)
{
	uint32_t count = heddle__slot_count(thread);
	for (uint32_t i = 0; i < count; i++) {
		const struct heddle_slot *slot = heddle__slot_at(thread, i);
		const struct heddle_distribution *distribution = slot->distributions;
		for (; distribution && slot->node < columns->nodes_written; distribution = distribution->next)
			if (distribution->count && distribution->text <= columns->strings_written)
				put_distribution(out, columns, slot->node, distribution);
	}
}

/* A column of a table of rows: the member at `offset`, of 4 or 8 bytes. */
struct row_column {
	uint32_t field;
	size_t offset, size;
	bool ticked;
};

static void put_row_column(struct heddle_buffer *out, struct heddle_buffer *values, const struct row_column *column,
	const void *(*row_at)(const struct heddle_thread *thread, uint32_t number), const struct heddle_thread *thread,
	uint32_t count)
{
	heddle__buffer_clear(values);
	for (uint32_t i = 0; i < count; i++) {
		const unsigned char *at = (const unsigned char *)row_at(thread, i) + column->offset;
		uint64_t value = column->size == sizeof(uint64_t) ? *(const uint64_t *)at : *(const uint32_t *)at;
		heddle__put_varint(values, column->ticked ? heddle__ticks_to_ns(value) : value);
	}
	heddle__put_block(out, column->field, values);
}

/*
 * Puts a table with columns `parts`. The first is the number of a string + 1; rows with strings not written are left
 * out.
 */
static void put_rows(struct heddle_buffer *out, struct heddle_thread_columns *columns, uint32_t field,
	const struct row_column *parts, size_t part_count,
	const void *(*row_at)(const struct heddle_thread *thread, uint32_t number), const struct heddle_thread *thread)
{
	const uint32_t *row;
	uint32_t count = 0;
	while ((row = row_at(thread, count)) != NULL && *row <= columns->strings_written)
		count++;
	if (!count)
		return;
	heddle__buffer_clear(&columns->column);
	for (size_t i = 0; i < part_count; i++)
		put_row_column(&columns->column, &columns->values, &parts[i], row_at, thread, count);
	heddle__put_block(out, field, &columns->column);
}

#define ROW_COLUMN(message, name, row, member, ticked)                                                           \
	{                                                                                                        \
		FIELD(message, name), offsetof(struct row, member), sizeof(((struct row *)NULL)->member), ticked \
	}

static const void *partner_at(const struct heddle_thread *thread, uint32_t number)
{
	return heddle__partner_at(&thread->partners, number);
}

static void put_partners(
	struct heddle_buffer *out, struct heddle_thread_columns *columns, const struct heddle_thread *thread)
{
	static const struct row_column parts[] = {
		ROW_COLUMN(Partners, variable, heddle_partner, variable, false),
		ROW_COLUMN(Partners, owner, heddle_partner, owner, false),
		ROW_COLUMN(Partners, side, heddle_partner, side, false),
		ROW_COLUMN(Partners, gets, heddle_partner, gets, false),
		ROW_COLUMN(Partners, puts, heddle_partner, puts, false),
		ROW_COLUMN(Partners, bytes_got, heddle_partner, bytes_got, false),
		ROW_COLUMN(Partners, bytes_put, heddle_partner, bytes_put, false),
		ROW_COLUMN(Partners, time_ns, heddle_partner, ticks, true),
	};
	put_rows(out, columns, FIELD(Thread, partners), parts, sizeof(parts) / sizeof(*parts), partner_at, thread);
}

static const void *exchange_at(const struct heddle_thread *thread, uint32_t number)
{
	return heddle__exchange_at(&thread->exchanges, number);
}

static void put_exchanges(
	struct heddle_buffer *out, struct heddle_thread_columns *columns, const struct heddle_thread *thread)
{
	static const struct row_column parts[] = {
		ROW_COLUMN(Exchanges, communicator, heddle_exchange, communicator, false),
		ROW_COLUMN(Exchanges, partner, heddle_exchange, partner, false),
		ROW_COLUMN(Exchanges, kind, heddle_exchange, kind, false),
		ROW_COLUMN(Exchanges, bucket, heddle_exchange, bucket, false),
		ROW_COLUMN(Exchanges, messages, heddle_exchange, messages, false),
		ROW_COLUMN(Exchanges, bytes, heddle_exchange, bytes, false),
		ROW_COLUMN(Exchanges, time_ns, heddle_exchange, ticks, true),
	};
	put_rows(out, columns, FIELD(Thread, exchanges), parts, sizeof(parts) / sizeof(*parts), exchange_at, thread);
}

/* Returns the number of the model whose runtime created the thread; 0: none. */
static unsigned int worker_model(const struct heddle_thread *thread)
{
	return heddle__is_worker_of(thread, 0) ? thread->role - (unsigned int)HEDDLE_THREAD_WORKER : 0;
}

static const char *role_name(const struct heddle_thread *thread)
{
	const struct heddle_model *model = heddle__model(worker_model(thread));
	static const char *const names[] = {
		[HEDDLE_THREAD_MAIN] = "main",
		[HEDDLE_THREAD_OTHER] = "thread",
		[HEDDLE_THREAD_HEDDLE] = "heddle",
	};
	if (heddle__is_worker_of(thread, 0))
		return model && model->worker ? model->worker : names[HEDDLE_THREAD_OTHER];
	return names[thread->role];
}

/* Puts the kernel's name of a thread, which the program may have changed since the begin; it ends in a newline. */
static void put_name(struct heddle_buffer *out, const struct heddle_thread *thread)
{
	char name[sizeof(thread->name) + 1] = "";
	if (is_active(thread))
		heddle__read_task_file(thread->tid, "comm", name, sizeof(name));
	name[strcspn(name, "\n")] = '\0';
	heddle__put_string(out, FIELD(Thread, name), *name ? name : thread->name);
}

static uint64_t since_start(uint64_t ns)
{
	return ns > heddle__process.start_ns ? ns - heddle__process.start_ns : 0;
}

void heddle__put_thread(struct heddle_buffer *out, struct heddle_thread_columns *columns,
	const struct heddle_thread *thread, uint64_t now)
{
	uint64_t cpu_ns = total_cpu_ns(thread), wall = total_wall_ticks(thread, now);
	uint64_t end_ns = is_active(thread) ? heddle__clock_ns(CLOCK_MONOTONIC) : thread->times.end_ns;
	if (!collect(columns, thread, cpu_ns, wall, now))
		out->failed = true;
	heddle__put_uint(out, FIELD(Thread, id), thread->id);
	heddle__put_uint(out, FIELD(Thread, tid), (uint64_t)thread->tid);
	heddle__put_string(out, FIELD(Thread, role), role_name(thread));
	heddle__put_uint(out, FIELD(Thread, threads), thread->uses);
	heddle__put_uint(out, FIELD(Thread, number), (uint64_t)(int64_t)thread->number);
	heddle__put_uint(out, FIELD(Thread, start_ns), since_start(thread->times.start_ns));
	heddle__put_uint(out, FIELD(Thread, end_ns), since_start(end_ns));
	heddle__put_uint(out, FIELD(Thread, wall_ns), heddle__ticks_to_ns(wall));
	heddle__put_uint(out, FIELD(Thread, cpu_ns), cpu_ns);
	heddle__put_uint(out, FIELD(Thread, samples), thread->sampled.samples);
	heddle__put_uint(out, FIELD(Thread, samples_in_heddle), atomic_load(&thread->pending));
	heddle__put_uint(out, FIELD(Thread, start_place), heddle__place_of(thread->start.routine));
	put_name(out, thread);
	heddle__put_uint(out, FIELD(Thread, rank), atomic_load_explicit(&thread->rank, memory_order_relaxed));
	heddle__put_uint(out, FIELD(Thread, model), worker_model(thread));
	heddle__put_uint(
		out, FIELD(Thread, rank_model), atomic_load_explicit(&thread->rank_model, memory_order_relaxed));
	for (size_t first = 0, end; first < columns->count; first = end) {
		for (end = first; end < columns->count; end++) {
			if (columns->entries[end].metric != columns->entries[first].metric)
				break;
		}
		put_column(out, columns, first, end);
	}
	put_distributions(out, columns, thread);
	put_partners(out, columns, thread);
	put_exchanges(out, columns, thread);
}

void heddle__free_columns(struct heddle_thread_columns *columns)
{
	heddle__unmap(columns->entries, columns->room * sizeof(*columns->entries));
	columns->entries = NULL;
	columns->room = 0;
	heddle__buffer_free(&columns->nodes);
	heddle__buffer_free(&columns->values);
	heddle__buffer_free(&columns->column);
}

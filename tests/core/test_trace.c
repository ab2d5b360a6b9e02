/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of a thread: the visits and the elapsed time of each node follow from the records alone, and equal what the
 * thread counted itself, whatever it does, in buffers of any size. Reading can start at any chunk.
 */
#include "tests/support/unit.h"

#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "core/threads/trace.h"

#define NODES (1u << 17)
#define LARGEST 65536
#define NUMBERS 16384
#define FIRST_TASK 0x1000u /* names of tasks are multiples of 8 from here on */

static struct heddle_event events[] = {
	{"test", "test_a", "a", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_b", "b", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_wait", "wait", HEDDLE_CATEGORY_BARRIER, 0, true, false, 0, 0},
	{"test", "test_lock", "lock", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
};
static struct heddle_thread *self;

/* The values of the thread's slots, by node. */
static struct counted {
	uint64_t visits[NODES], wall[NODES], got[NODES];
} before, after;

static void look(struct counted *counted)
{
	memset(counted, 0, sizeof(*counted));
	assert_true(heddle__tree_count() <= NODES);
	for (uint32_t i = 0; i < heddle__slot_count(self); i++) {
		const struct heddle_slot *slot = heddle__slot_at(self, i);
		counted->visits[slot->node] = slot->value[HEDDLE_METRIC_VISITS];
		counted->wall[slot->node] = slot->value[HEDDLE_METRIC_WALL_TIME];
		if (slot->more)
			counted->got[slot->node] = slot->more[HEDDLE_METRIC_BYTES_GOT - HEDDLE_METRIC_COMMON];
	}
}

/* ---- reading ---- */

static struct reader {
	uint64_t visits[NODES], wall[NODES], got[NODES], ticks, dropped, records, chunks, pauses;
	uint32_t stack[LARGEST], depth, idle, node;
	uint64_t last_lock, locks[NUMBERS];
	uint32_t lock_count;
	bool off;
} reader;

/* The locks that the thread has named in its records. */
static uint64_t locks[NUMBERS];
static uint32_t lock_count;

static uint64_t number_at(const uint8_t *at, unsigned int wide)
{
	uint64_t number = 0;
	memcpy(&number, at, (size_t)1 << wide);
	return number;
}

static uint64_t leb_at(const uint8_t **at)
{
	uint64_t number = 0;
	for (unsigned int shift = 0;; shift += 7) {
		uint8_t byte = *(*at)++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
}

static void pass(uint64_t ticks)
{
	uint32_t entry = reader.depth ? reader.stack[reader.depth - 1] : reader.idle;
	if (entry & 1 && !reader.off)
		reader.wall[entry >> 1] += ticks;
	reader.ticks += ticks;
}

static void read_stack(const uint8_t **at, uint32_t stay)
{
	uint64_t more = leb_at(at);
	assert_true(stay + more <= LARGEST);
	for (reader.depth = stay; more; more--)
		reader.stack[reader.depth++] = (uint32_t)leb_at(at);
}

static void read_mark(uint64_t mark, uint64_t value)
{
	if (mark == HEDDLE_TRACE_OFF || mark == HEDDLE_TRACE_ON)
		reader.off = mark == HEDDLE_TRACE_OFF;
	reader.pauses += mark == HEDDLE_TRACE_PAUSED;
	if (mark == HEDDLE_TRACE_DROPPED)
		reader.dropped += value;
}

static bool has_time(unsigned int kind)
{
	return kind <= HEDDLE_TRACE_IDLE || kind == HEDDLE_TRACE_MARK || kind == HEDDLE_TRACE_TASK_BEGIN;
}

static bool advances(unsigned int kind)
{
	return has_time(kind) && kind != HEDDLE_TRACE_VISIT && kind != HEDDLE_TRACE_SAMPLE;
}

static void read_lock(uint64_t lock)
{
	assert_true(reader.lock_count < NUMBERS);
	reader.locks[reader.lock_count++] = lock;
}

static void read_attribute(uint64_t attribute, uint64_t value)
{
	if (attribute == HEDDLE_TRACE_LOCK)
		read_lock(value);
	else
		assert_true(attribute == HEDDLE_TRACE_TASK || attribute == HEDDLE_TRACE_TASK_END);
}

static void read_number(unsigned int which, uint64_t value)
{
	assert_int_equal(which, HEDDLE_TRACE_NUMBER_LOCK);
	reader.last_lock = value ? value : reader.last_lock;
	assert_int_not_equal(reader.last_lock, 0);
	read_lock(reader.last_lock);
}

static void read_task(uint64_t operand, const uint8_t **at)
{
	uint64_t task = number_at(*at, 2);
	*at += 4;
	assert_true(task >= heddle__trace_number_of(FIRST_TASK) && task <= heddle__trace_number_of(FIRST_TASK + 16));
	reader.visits[reader.node = (uint32_t)(operand >> 1)]++;
	reader.stack[reader.depth++] = heddle__tree_node(reader.node)->parent << 1 | (operand & 1);
}

static void apply(unsigned int kind, uint64_t operand, const uint8_t **at)
{
	switch (kind) {
	case HEDDLE_TRACE_END:
		assert_true(reader.depth > 0);
		reader.depth--;
		break;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		reader.visits[reader.node = (uint32_t)operand]++;
		reader.stack[reader.depth++] = (uint32_t)operand << 1 | (kind == HEDDLE_TRACE_BEGIN);
		break;
	case HEDDLE_TRACE_OPEN:
		reader.stack[reader.depth++] = (uint32_t)operand;
		break;
	case HEDDLE_TRACE_STACK:
		read_stack(at, (uint32_t)operand);
		break;
	case HEDDLE_TRACE_VISIT:
		reader.visits[reader.node = (uint32_t)operand]++;
		break;
	case HEDDLE_TRACE_IDLE:
		reader.idle = (uint32_t)operand;
		break;
	case HEDDLE_TRACE_ADD:
		reader.node = operand & 1 ? (uint32_t)leb_at(at) : reader.node;
		assert_true(operand >> 1 == HEDDLE_METRIC_BYTES_GOT || operand >> 1 == HEDDLE_METRIC_VISITS);
		(operand >> 1 == HEDDLE_METRIC_VISITS ? reader.visits : reader.got)[reader.node] += leb_at(at);
		break;
	case HEDDLE_TRACE_MARK:
		read_mark(operand, leb_at(at));
		break;
	case HEDDLE_TRACE_ATTRIBUTE:
		read_attribute(operand, leb_at(at));
		break;
	case HEDDLE_TRACE_TASK_BEGIN:
		read_task(operand, at);
		break;
	default:
		fail_msg("a record of kind %u", kind);
	}
}

static void read_chunk(const struct heddle_trace *trace)
{
	const uint8_t *at = trace->buffer, *end = atomic_load(&trace->at);
	uint64_t count = 0;
	if (at == end)
		return;
	assert_true((*at & 15) == HEDDLE_TRACE_STACK || (*at & 15) == HEDDLE_TRACE_MARK);
	if (reader.chunks++)
		assert_int_equal(reader.ticks, trace->first);
	reader.ticks = trace->first;
	reader.last_lock = 0;
	for (; at < end; count++) {
		unsigned int kind = *at & 15, time_wide = *at >> 4 & 3, wide = *at >> 6;
		at++;
		if (has_time(kind)) {
			uint64_t ticks = number_at(at, time_wide);
			at += (size_t)1 << time_wide;
			if (advances(kind))
				pass(ticks);
		}
		uint64_t operand = kind == HEDDLE_TRACE_END ? 0 : number_at(at, wide);
		at += kind == HEDDLE_TRACE_END ? 0 : (size_t)1 << wide;
		if (kind == HEDDLE_TRACE_NUMBER)
			read_number(time_wide, operand);
		else
			apply(kind, operand, &at);
	}
	assert_ptr_equal(at, end);
	assert_int_equal(count, trace->count);
	reader.records += count;
}

/* ---- writing ---- */

static uint8_t buffer[LARGEST];
static size_t buffer_size;
static bool is_full;

static void on_full(struct heddle_thread *thread, struct heddle_trace *trace)
{
	(void)thread;
	if (is_full)
		return;
	read_chunk(trace);
	heddle__trace_restart(trace, buffer, buffer_size);
}

static struct heddle_trace trace;

static void start_tracing(size_t size)
{
	reader = (struct reader){0};
	trace = (struct heddle_trace){.ticks = 0};
	lock_count = 0;
	buffer_size = size;
	is_full = false;
	heddle__tracing = true;
	heddle__trace_full = on_full;
	heddle__charge_elapsed(self, heddle__measured_ticks());
	look(&before);
	heddle__trace_restart(&trace, buffer, size);
	heddle__trace_attach(self, &trace);
	heddle__trace_mark(self, HEDDLE_TRACE_THREAD_BEGIN, 1);
}

/* The last record follows after all elapsed time is charged. */
static void stop_tracing(void)
{
	heddle__charge_before_change(self);
	heddle__trace_mark(self, HEDDLE_TRACE_THREAD_END, 0);
	read_chunk(&trace);
	heddle__trace_attach(self, NULL);
	heddle__tracing = false;
}

static void assert_equal_values(bool times)
{
	look(&after);
	for (uint32_t i = 0; i < NODES; i++) {
		assert_int_equal(reader.visits[i], after.visits[i] - before.visits[i]);
		assert_int_equal(reader.got[i], after.got[i] - before.got[i]);
		if (times)
			assert_int_equal(reader.wall[i], after.wall[i] - before.wall[i]);
	}
}

/* ---- what threads do ---- */

static uint32_t context(uint64_t place)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), place);
}

static uint32_t seed;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

static void change_region(uint32_t what)
{
	struct heddle_event *event = &events[any(3)];
	uint64_t place = 100 + any(5);
	struct heddle_activation function = {
		.meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), .place = place, .function = place};
	switch (what) {
	case 0:
		heddle__region_begin(self, event, any(3));
		break;
	case 1:
		heddle__region_end(self, event);
		break;
	case 2:
		heddle__activation_begin(self, &function);
		break;
	case 3:
		heddle__activation_end(self, &function);
		break;
	case 4:
		heddle__phase_begin(self, any(3), 0);
		break;
	case 5:
		heddle__user_event_end(self, any(3), NULL, NULL);
		break;
	case 6:
		heddle__hold_lock(heddle__region_begin_below(self, &events[3], context(any(3)), any(2), 0)
					  ? heddle__pushed_at(&self->stack, self->stack.depth - 1)
					  : NULL,
			any(2) + 1, (struct heddle_opener){0});
		break;
	default:
		heddle__release_lock(self, &events[3], any(2) + 1);
	}
}

/* Returns a tick in the time that is not charged yet. */
static uint64_t earlier(void)
{
	uint64_t now = heddle__measured_ticks(), last = self->last_ticks;
	return now > last ? last + any((uint32_t)(now - last)) + 1 : now;
}

static void begin_known_task(uint64_t name, uint32_t base)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, events[0].id);
	struct heddle_slot *time = heddle__events_give_time ? heddle__slot(self, base) : NULL;
	heddle__task_begin_known(self, name, base, time, heddle__event_slot(self, base, meta, 0));
}

static void name_lock(void)
{
	static const uint64_t some[] = {0, 1, 255, 256, UINT32_MAX, (uint64_t)1 << 32, UINT64_MAX};
	uint64_t lock = some[any(sizeof(some) / sizeof(some[0]))];
	for (uint32_t times = 1 + any(3); times > 0; times--) {
		if (heddle__is_counting(self))
			locks[lock_count++] = lock;
		heddle__record_lock(self, lock);
	}
}

static void change_task(uint32_t what)
{
	uint64_t name = FIRST_TASK + 8 * any(3);
	switch (what) {
	case 0:
		heddle__task_begin(self, name, context(10 + any(3)), NULL, 0);
		break;
	case 1:
		heddle__task_switch(self, name, context(10 + any(3)), NULL, 0);
		break;
	case 2:
		heddle__task_end(self, name, any(2) ? earlier() : 0);
		break;
	case 3:
		heddle__task_return(self, name, FIRST_TASK + 8 * any(3));
		break;
	case 4:
		heddle__task_replace(self, name, context(10 + any(3)), NULL, earlier());
		break;
	case 5:
		begin_known_task(name, context(10 + any(3)));
		break;
	default:
		heddle__set_idle(self, any(2) ? heddle__slot(self, context(20 + any(2))) : NULL);
	}
}

static void flush(uint32_t times)
{
	struct heddle_slot *slot = heddle__slot(self, context(34 + any(2)));
	for (; times > 0 && heddle__is_counting(self); times--)
		heddle__visit_repeated(self, slot);
}

static void count_something(uint32_t what)
{
	struct heddle_slot *slot = heddle__slot(self, context(30 + any(4)));
	if (what)
		heddle__event_count(self, &events[any(3)], 5);
	else if (any(2))
		flush(any(300));
	else if (heddle__is_counting(self))
		heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, any(100000));
}

static void do_anything(bool with_control)
{
	uint32_t what = any(with_control ? 40 : 36);
	if (what < 24)
		change_region(what % 8);
	else if (what < 33)
		change_task(what % 7);
	else if (what < 35)
		count_something(what % 2);
	else if (what < 36)
		name_lock();
	else if (what < 38)
		heddle__apply_control(self, what == 36);
	else if (what == 38)
		heddle__pause();
	else
		heddle__continue();
}

static int start(void **state)
{
	(void)state;
	if (!self) {
		self = be_measured();
		assert_int_equal(heddle__events_register(events, 4), 0);
		heddle__event_means_held_lock(&events[3]);
		heddle__event_always_ends(&events[2]);
	}
	heddle__events_give_time = true;
	heddle__enter(self);
	return 0;
}

static int end(void **state)
{
	(void)state;
	heddle__continue();
	heddle__apply_control(self, true);
	heddle__stack_clear(&self->stack);
	heddle__set_idle(self, NULL);
	heddle__leave(self);
	return 0;
}

static void run_anything(uint32_t start_seed, size_t size, bool with_control, bool timed)
{
	seed = start_seed;
	heddle__events_give_time = timed;
	start_tracing(size);
	for (int i = 0; i < 3000; i++)
		do_anything(with_control);
	heddle__continue();
	heddle__apply_control(self, true);
	stop_tracing();
	assert_equal_values(true);
	assert_int_equal(reader.lock_count, lock_count);
	assert_memory_equal(reader.locks, locks, lock_count * sizeof(*locks));
	heddle__stack_clear(&self->stack);
}

static void any_events_give_the_values_that_were_counted(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 40; i++)
		run_anything(i, HEDDLE_TRACE_LEAST + 100 * i, false, i % 2);
	assert_true(reader.chunks > 1);
}

static void control_and_pauses_do_not_change_that(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 60; i++)
		run_anything(1000 + i, HEDDLE_TRACE_LEAST, true, i % 3);
}

/* Values of an access that was begun before measurement was switched off and stopped belong to the time before. */
static void values_while_off_and_paused_are_recorded(void **state)
{
	(void)state;
	struct heddle_slot *slot = heddle__slot(self, context(30));
	start_tracing(HEDDLE_TRACE_LEAST);
	heddle__region_begin(self, &events[0], 7);
	heddle__apply_control(self, false);
	heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, 4);
	heddle__pause();
	heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, 30);
	heddle__freeze();
	heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, 200);
	heddle__thaw();
	heddle__continue();
	heddle__apply_control(self, true);
	heddle__region_end(self, &events[0]);
	stop_tracing();
	assert_equal_values(true);
	assert_int_equal(after.got[slot->node] - before.got[slot->node], 234);
}

/* Times after it would be too early else, compared with those of other processes. */
static void a_pause_without_events_is_recorded(void **state)
{
	(void)state;
	start_tracing(HEDDLE_TRACE_LEAST);
	heddle__region_begin(self, &events[0], 7);
	heddle__pause();
	heddle__continue();
	heddle__region_end(self, &events[0]);
	stop_tracing();
	assert_equal_values(true);
	assert_int_equal(reader.pauses, 1);
}

/* A sample or an event had begun when the clock was stopped for good: the profile has it, so the trace must have it. */
static void a_value_that_the_end_overtakes_is_recorded(void **state)
{
	(void)state;
	struct heddle_slot *slot = heddle__slot(self, context(30));
	start_tracing(HEDDLE_TRACE_LEAST);
	heddle__region_begin(self, &events[0], 7);
	heddle__enter(self);
	heddle__freeze_at_end();
	heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, 4);
	heddle__leave(self);
	heddle__control_after_fork(); /* measurement and the clock continue */
	heddle__region_end(self, &events[0]);
	stop_tracing();
	assert_equal_values(true);
	assert_int_equal(after.got[slot->node] - before.got[slot->node], 4);
}

static void visits_that_the_end_overtakes_are_recorded(void **state)
{
	(void)state;
	struct heddle_slot *slot = heddle__slot(self, context(31));
	start_tracing(HEDDLE_TRACE_LEAST);
	heddle__region_begin(self, &events[0], 7);
	slot->value[HEDDLE_METRIC_VISITS] += heddle__count_event(self); /* as heddle__visit does */
	heddle__freeze_at_end();
	heddle__trace_visit(self, slot->node, 0);
	heddle__visit(self, slot); /* a visit after the end is not counted */
	heddle__control_after_fork();
	heddle__region_end(self, &events[0]);
	stop_tracing();
	assert_equal_values(true);
	assert_int_equal(after.visits[slot->node] - before.visits[slot->node], 1);
}

static void stacks_beyond_the_limit_lose_no_visit(void **state)
{
	(void)state;
	start_tracing(HEDDLE_TRACE_LEAST);
	uint64_t depth = 5 * (uint64_t)trace.most;
	for (uint64_t i = 0; i < depth; i++)
		heddle__region_begin(self, &events[0], 7);
	for (uint64_t i = 0; i < depth; i++)
		heddle__region_end(self, &events[0]);
	stop_tracing();
	assert_equal_values(false);
	assert_int_equal(reader.depth, 0);
}

static void what_is_dropped_is_counted(void **state)
{
	(void)state;
	start_tracing(HEDDLE_TRACE_LEAST);
	heddle__region_begin(self, &events[0], 1);
	is_full = true;
	for (int i = 0; i < 2000; i++) {
		heddle__region_begin(self, &events[1], 1);
		heddle__region_end(self, &events[1]);
	}
	uint64_t kept = trace.count;
	is_full = false;
	heddle__region_begin(self, &events[1], 1);
	uint32_t open = self->stack.depth;
	heddle__region_end(self, &events[1]);
	heddle__region_end(self, &events[0]);
	stop_tracing();
	assert_int_equal(open, 2);
	assert_int_equal(kept + reader.dropped, 4000 + 4); /* the stack, the idle node, a mark, the first region */
	assert_int_equal(reader.depth, 0);
}

/* The first visit is one record; all further ones at the same place are one more, whatever their number. */
static void visits_in_a_row_are_two_records(void **state)
{
	(void)state;
	static const uint32_t times[] = {1, 2, 3, 128, 129, 16385, 3000000};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		start_tracing(LARGEST);
		uint64_t records = trace.count;
		flush(times[i]);
		assert_int_equal(trace.count - records, times[i] > 1 ? 2 : 1);
		heddle__region_begin(self, &events[0], 1);
		flush(times[i]);
		heddle__event_count(self, &events[1], 5);
		flush(1);
		heddle__region_end(self, &events[0]);
		stop_tracing();
		assert_equal_values(true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(visits_in_a_row_are_two_records, start, end),
		cmocka_unit_test_setup_teardown(any_events_give_the_values_that_were_counted, start, end),
		cmocka_unit_test_setup_teardown(control_and_pauses_do_not_change_that, start, end),
		cmocka_unit_test_setup_teardown(values_while_off_and_paused_are_recorded, start, end),
		cmocka_unit_test_setup_teardown(a_pause_without_events_is_recorded, start, end),
		cmocka_unit_test_setup_teardown(a_value_that_the_end_overtakes_is_recorded, start, end),
		cmocka_unit_test_setup_teardown(visits_that_the_end_overtakes_are_recorded, start, end),
		cmocka_unit_test_setup_teardown(stacks_beyond_the_limit_lose_no_visit, start, end),
		cmocka_unit_test_setup_teardown(what_is_dropped_is_counted, start, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

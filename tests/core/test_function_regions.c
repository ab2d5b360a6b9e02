/* SPDX-License-Identifier: BSD-3-Clause */
/* Activations of functions on the shadow stack: which ones have ended if their END events are missing. */
#include "tests/support/unit.h"

#include "core/threads/region.h"
#include "core/threads/task.h"
#include "core/tree/event.h"

enum { F = 0x100, G = 0x200, H = 0x300 };

static struct heddle_thread *self;
static uintptr_t top; /* of this thread's stack */
static struct heddle_event events[] = {{"test", "test_a", "a", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_barrier", "barrier", HEDDLE_CATEGORY_BARRIER, 0, true, false, 0, 0}};

static int start(void **state)
{
	(void)state;
	if (!self) {
		self = be_measured();
		assert_int_equal(heddle__events_register(events, 2), 0);
	}
	top = self->stack_high;
	heddle__events_give_time = true;
	heddle__enter(self);
	return self->stack.depth != 0;
}

static int end(void **state)
{
	(void)state;
	heddle__stack_clear(&self->stack);
	heddle__leave(self);
	return 0;
}

/* An activation whose frame ends `below` bytes under the stack's top, called from `call`. */
static struct heddle_activation at(uint64_t place, uintptr_t below, uint64_t call)
{
	return (struct heddle_activation){.meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0),
		.place = place,
		.function = place,
		.cfa = below ? top - below : 0,
		.return_address = call,
		.event_address = place + 20,
		.outermost = true};
}

/* An activation of an inlined function, whose code reports it at `entry`. */
static struct heddle_activation inlined(uint64_t place, uintptr_t below, uint64_t call, uint64_t entry)
{
	struct heddle_activation activation = at(place, below, call);
	activation.event_address = entry;
	activation.outermost = false;
	return activation;
}

/* The same activation, reported after its module became known: its place has that module's number. */
static struct heddle_activation named(struct heddle_activation activation)
{
	activation.place = HEDDLE_PLACE(7, activation.place);
	return activation;
}

static void enter(struct heddle_activation activation)
{
	heddle__activation_begin(self, &activation);
}

static void leave(struct heddle_activation activation)
{
	heddle__activation_end(self, &activation);
}

/* Checks the places of all open activations, outermost first. */
static void assert_open(unsigned int count, ...)
{
	va_list places;
	va_start(places, count);
	assert_int_equal(self->stack.depth, count);
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(self->stack.regions[i].place, va_arg(places, int));
	va_end(places);
}

static void calls_nest(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(at(G, 200, 2));
	enter(at(G, 300, 3));
	assert_open(3, F, G, G);
	leave(at(G, 300, 3));
	assert_open(2, F, G);
	leave(at(G, 200, 2));
	leave(at(F, 100, 1));
	assert_open(0);
}

static void longjmp_closes_what_it_left(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(at(G, 200, 2));
	enter(at(H, 300, 3));
	enter(at(G, 200, 4)); /* called by F, like the first G */
	assert_open(2, F, G);
	leave(at(F, 100, 1));
	assert_open(0);
}

static void the_same_call_again_closes_the_one_left_by_longjmp(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	for (int i = 0; i < 1000; i++)
		enter(at(G, 200, 2));
	assert_open(2, F, G);
}

static void a_call_of_another_function_from_the_same_place_closes_the_first(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(at(G, 200, 2));
	enter(at(H, 200, 2));
	assert_open(2, F, H);
}

static void functions_put_inline_nest_in_one_frame(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(inlined(G, 100, 1, F + 50));
	enter(inlined(H, 100, 1, F + 60));
	assert_open(3, F, G, H);
	leave(inlined(H, 100, 1, F + 65));
	leave(inlined(G, 100, 1, F + 70));
	assert_open(1, F);
}

static void recursion_put_inline_nests(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(inlined(F, 100, 1, F + 80));
	enter(inlined(F, 100, 1, F + 120));
	assert_open(3, F, F, F);
	leave(at(F, 100, 1));
	leave(at(F, 100, 1));
	assert_open(1, F);
	enter(inlined(F, 100, 1, F + 80));
	enter(inlined(F, 100, 1, F + 80)); /* the first activation was left by longjmp */
	assert_open(2, F, F);
}

static void an_end_takes_what_is_above_along(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(at(G, 200, 2));
	heddle__region_begin(self, &events[0], 5);
	enter(at(H, 300, 3));
	leave(at(G, 200, 2));
	assert_open(1, F);
}

static void an_end_without_its_beginning_changes_nothing(void **state)
{
	(void)state;
	leave(at(G, 200, 2));
	enter(at(F, 100, 1));
	leave(at(G, 200, 2));
	leave(at(F, 200, 2)); /* another activation of F */
	assert_open(1, F);
}

static void a_handler_on_another_stack_interrupts_and_is_left(void **state)
{
	(void)state;
	const uintptr_t above = (uintptr_t)0 - 100000; /* a higher address than the thread's stack */
	enter(at(F, 100, 1));
	enter(at(G, 200, 2));
	enter(at(H, above, 3));
	assert_open(3, F, G, H);
	leave(at(H, above, 3));
	assert_open(2, F, G);
	enter(at(H, above, 3));
	enter(at(H, 300, 4)); /* siglongjmp returned to the thread's stack */
	assert_open(3, F, G, H);
}

static void unknown_frames_close_nothing(void **state)
{
	(void)state;
	enter(at(F, 0, 1));
	enter(at(G, 200, 2));
	enter(at(F, 0, 1));
	assert_open(3, F, G, F);
	leave(at(F, 0, 1));
	leave(at(G, 200, 2));
	leave(at(F, 0, 1));
	assert_open(0);
}

/* The runtime reports the end of a worker's barrier at the next region; a signal handler may run before that. */
static void a_handler_in_a_barrier_of_a_team_that_ended_interrupts_idleness(void **state)
{
	(void)state;
	struct heddle_group team = {0};
	struct heddle_slot *idle = heddle__slot(self, heddle__tree_child(HEDDLE_TREE_ROOT, 99, 0)), *barrier;
	heddle__set_idle(self, idle);
	heddle__task_begin(self, 78, HEDDLE_TREE_ROOT, &team, 0);
	heddle__region_begin(self, &events[1], 5);
	barrier = self->stack.regions[1].slot;
	uint64_t began = self->last_ticks, ended = heddle__measured_ticks() + 1;
	uint64_t waited = barrier->value[HEDDLE_METRIC_WALL_TIME], idled = idle->value[HEDDLE_METRIC_WALL_TIME];
	atomic_store(&team.ended, ended);
	while (heddle__measured_ticks() < ended + 1000)
		;
	enter(at(F, 100, 1));
	waited = barrier->value[HEDDLE_METRIC_WALL_TIME] - waited;
	idled = idle->value[HEDDLE_METRIC_WALL_TIME] - idled;
	assert_true(waited >= ended - began);
	assert_true(idled >= 1000);
	assert_int_equal(waited + idled, self->last_ticks - began);
	leave(at(F, 100, 1));
	heddle__task_end(self, 78, ended);
	heddle__set_idle(self, NULL);
}

static void a_module_that_becomes_known_loses_no_end(void **state)
{
	(void)state;
	enter(at(F, 100, 1));
	enter(inlined(G, 100, 1, F + 50));
	leave(named(inlined(G, 100, 1, F + 70)));
	assert_open(1, F);
	leave(named(at(F, 100, 1)));
	assert_open(0);
}

static void a_module_that_becomes_known_hides_no_recursion(void **state)
{
	(void)state;
	enter(at(F, 0, 1)); /* without a frame, activations differ by their function only */
	enter(named(at(F, 0, 1)));
	leave(named(at(F, 0, 1)));
	assert_open(1, F);
	leave(named(at(F, 0, 1)));
	assert_open(0);
}

static void the_same_call_again_is_known_when_its_module_is(void **state)
{
	(void)state;
	struct heddle_activation unsure = inlined(G, 100, 1, 0); /* the event's address is unknown */
	enter(at(F, 100, 1));
	enter(unsure);
	enter(named(unsure)); /* the first activation was left by longjmp */
	assert_int_equal(self->stack.depth, 2);
}

static void tasks_keep_theirs(void **state)
{
	(void)state;
	enter(at(F, 200, 1));
	heddle__task_switch(self, 77, HEDDLE_TREE_ROOT, NULL, 0);
	enter(at(G, 100, 2)); /* another task's stack may be anywhere */
	leave(at(F, 200, 1));
	assert_int_equal(self->stack.depth, 3);
	heddle__task_end(self, 77, 0);
	assert_open(1, F);
}

static void recursion_too_deep_to_keep_ends_right(void **state)
{
	(void)state;
	enum { DEEP = HEDDLE_REGION_LIMIT + 50 };
	uint64_t visits = sum_of(self, HEDDLE_METRIC_VISITS);
	for (uintptr_t i = 1; i <= DEEP; i++)
		enter(at(F, 16 * i, 1));
	assert_int_equal(sum_of(self, HEDDLE_METRIC_VISITS) - visits, DEEP);
	for (uintptr_t i = DEEP; i >= 1; i--)
		leave(at(F, 16 * i, 1));
	assert_open(0);
}

static void longjmp_out_of_too_deep_recursion_leaves_nothing(void **state)
{
	(void)state;
	enum { DEEP = HEDDLE_REGION_LIMIT + 50, KEPT = HEDDLE_REGION_LIMIT - 10 };
	for (uintptr_t i = 1; i <= DEEP; i++)
		enter(at(F, 16 * i, 1));
	for (uintptr_t i = KEPT; i >= 1; i--) /* deeper activations end without an event */
		leave(at(F, 16 * i, 1));
	assert_open(0);
	assert_int_equal(self->stack.lost_depth, 0);
}

static void what_is_opened_while_off_ends_while_on(void **state)
{
	(void)state;
	heddle__thread_control(self, false);
	enter(at(F, 100, 1));
	enter(at(G, 200, 2));
	heddle__thread_control(self, true);
	uint64_t visits = sum_of(self, HEDDLE_METRIC_VISITS);
	enter(at(H, 300, 3));
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0);
	uint32_t node = heddle__tree_child(HEDDLE_TREE_ROOT, meta, F);
	node = heddle__tree_child(heddle__tree_child(node, meta, G), meta, H);
	assert_int_equal(heddle__current_node(self), node);
	assert_int_equal(sum_of(self, HEDDLE_METRIC_VISITS), visits + 1);
	leave(at(H, 300, 3));
	leave(at(G, 200, 2));
	leave(at(F, 100, 1));
	assert_open(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
		TEST(calls_nest),
		TEST(longjmp_closes_what_it_left),
		TEST(the_same_call_again_closes_the_one_left_by_longjmp),
		TEST(a_call_of_another_function_from_the_same_place_closes_the_first),
		TEST(functions_put_inline_nest_in_one_frame),
		TEST(recursion_put_inline_nests),
		TEST(an_end_takes_what_is_above_along),
		TEST(an_end_without_its_beginning_changes_nothing),
		TEST(a_handler_on_another_stack_interrupts_and_is_left),
		TEST(unknown_frames_close_nothing),
		TEST(a_handler_in_a_barrier_of_a_team_that_ended_interrupts_idleness),
		TEST(a_module_that_becomes_known_loses_no_end),
		TEST(a_module_that_becomes_known_hides_no_recursion),
		TEST(the_same_call_again_is_known_when_its_module_is),
		TEST(tasks_keep_theirs),
		TEST(recursion_too_deep_to_keep_ends_right),
		TEST(longjmp_out_of_too_deep_recursion_leaves_nothing),
		TEST(what_is_opened_while_off_ends_while_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* User-level paths from frames that the test makes: which frames count, and where open phases are among them. */
#include "tests/support/unit.h"

#include "core/modules/module.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "sampling/path/path.h"

#define USER(address, end)                                                         \
	{                                                                          \
		.cfa = (end), .place = (address), .role = HEDDLE_MODULE_EXECUTABLE \
	}
#define LIBC(address, end)                                                   \
	{                                                                    \
		.cfa = (end), .place = (address), .role = HEDDLE_MODULE_LIBC \
	}
#define OMP(address, end)                                                           \
	{                                                                           \
		.cfa = (end), .place = (address), .role = HEDDLE_MODULE_RUNTIME + 1 \
	}
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct heddle_thread *self;
static struct heddle_sampler_thread *sampler;

static int set_up(void **state)
{
	(void)state;
	self = be_measured();
	sampler = calloc(1, sizeof(*sampler));
	return sampler ? 0 : -1;
}

static int start(void **state)
{
	(void)state;
	heddle__stack_clear(&self->stack);
	return 0;
}

static uint32_t child(uint32_t parent, enum heddle_node_kind kind, uint64_t place)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(kind, 0), place);
}

/* ---- whose frames ---- */

#define BOUNDS(low, creator) (&(struct heddle_bounds){.boundary = (low), .direct = (creator)})
#define UNBOUNDED(creator) (&(struct heddle_bounds){.direct = (creator), .unbounded = true})

/* main > (runtime) > body > kernel; each frame ends where the next one begins. */
static const struct heddle_frame forked[] = {
	USER(1, 0x100), USER(2, 0x200), OMP(3, 0x300), OMP(4, 0x400), USER(5, 0x500)};

static void without_a_boundary_all_frames_are_the_task_s(void **state)
{
	(void)state;
	assert_int_equal(heddle__count_own(forked, COUNT(forked), BOUNDS(0, 0)), COUNT(forked));
}

static void frames_below_the_boundary_are_the_task_s(void **state)
{
	(void)state;
	assert_int_equal(heddle__count_own(forked, COUNT(forked), BOUNDS(0x300, 0)), 2);
	assert_int_equal(heddle__count_own(forked, COUNT(forked), BOUNDS(0x201, 0)), 2);
	assert_int_equal(heddle__count_own(forked, COUNT(forked), BOUNDS(0x100, 0)), 0);
	assert_int_equal(heddle__count_own(forked, COUNT(forked), BOUNDS(0x9999, 0)), COUNT(forked));
	assert_int_equal(heddle__count_own(forked, 0, BOUNDS(0x300, 0)), 0);
	/* The region has a creator on this stack, but the runtime is in between. */
	assert_int_equal(heddle__count_own(forked, COUNT(forked), BOUNDS(0x300, 0x400)), 2);
}

/* A region with one thread: its creator called the body itself, and the boundary is inside the body's frame. */
static void a_serialized_region_reaches_up_to_its_creator(void **state)
{
	(void)state;
	static const struct heddle_frame serialized[] = {
		USER(1, 0x100), USER(2, 0x200), USER(5, 0x300), USER(6, 0x400)};
	assert_int_equal(heddle__count_own(serialized, COUNT(serialized), BOUNDS(0x200, 0x200)), 2);
	assert_int_equal(heddle__count_own(serialized, COUNT(serialized), BOUNDS(0x180, 0x200)), 2);
	assert_int_equal(heddle__count_own(serialized, COUNT(serialized), BOUNDS(0x180, 0x300)), 3);
	assert_int_equal(heddle__count_own(serialized, COUNT(serialized), BOUNDS(0x180, 0)), 1);
}

/* The runtime reported no boundary: its frames, and the thread's start, at the outer end are known by module. */
static void an_unknown_boundary_is_where_the_runtime_begins(void **state)
{
	(void)state;
	static const struct heddle_frame worker[] = {
		USER(1, 0x100), USER(2, 0x200), OMP(3, 0x300), OMP(4, 0x400), LIBC(5, 0x500), LIBC(6, 0x600)};
	assert_int_equal(heddle__count_own(worker, COUNT(worker), UNBOUNDED(0)), 2);
	assert_int_equal(heddle__count_own(forked, COUNT(forked), UNBOUNDED(0x400)), 2);
	assert_int_equal(heddle__count_own(forked, 0, UNBOUNDED(0)), 0);
}

static void a_walk_goes_as_far_as_both_are_asked_about(void **state)
{
	(void)state;
	assert_int_equal(heddle__walk_stop(BOUNDS(0, 0)), 0);
	assert_true(heddle__walk_stop(BOUNDS(0, 0x500)) > 0x500);
	assert_int_equal(heddle__walk_stop(BOUNDS(0x300, 0)), 0x300);
	assert_int_equal(heddle__walk_stop(BOUNDS(0x300, 0x200)), 0x300);
	assert_true(heddle__walk_stop(BOUNDS(0x300, 0x500)) > 0x500);
}

static void the_runtime_s_frames_are_the_innermost(void **state)
{
	(void)state;
	static const struct heddle_frame waiting[] = {LIBC(1, 0x100), OMP(2, 0x200), USER(3, 0x300), USER(4, 0x400)};
	static const struct heddle_frame task[] = {LIBC(1, 0x100), USER(2, 0x200), USER(3, 0x300), OMP(4, 0x400)};
	assert_int_equal(heddle__count_runtime(waiting, 4), 2);
	assert_int_equal(heddle__count_runtime(waiting, 1), 0);
	assert_int_equal(heddle__count_runtime(waiting, 0), 0);
	assert_int_equal(heddle__count_runtime(task, 3), 0);
}

/* The runtime calls a function of the user, which may call the runtime again. */
static void a_user_s_function_that_the_runtime_called_is_the_user_s(void **state)
{
	(void)state;
	static const struct heddle_frame called[] = {
		OMP(1, 0x100), USER(2, 0x200), OMP(3, 0x300), LIBC(4, 0x400), OMP(5, 0x500), USER(6, 0x600)};
	assert_int_equal(heddle__count_runtime(called + 1, 5), 0);
	assert_int_equal(heddle__count_runtime(called, 6), 1);
	assert_int_equal(heddle__count_called(called, 6), 5);
	assert_int_equal(heddle__count_called(called, 5), 5);
	assert_int_equal(heddle__count_called(called, 2), 1);
	assert_int_equal(heddle__count_called(called + 1, 1), 0);
	assert_int_equal(heddle__count_called(called, 0), 0);
}

static void the_c_library_counts_as_runtime_only_when_that_called_it(void **state)
{
	(void)state;
	static const struct heddle_frame memcpy_of_user[] = {LIBC(1, 0x100), USER(2, 0x200), OMP(3, 0x300)};
	static const struct heddle_frame tool[] = {{.cfa = 0x80, .role = HEDDLE_MODULE_HEDDLE},
		{.cfa = 0x90, .role = HEDDLE_MODULE_VDSO}, OMP(3, 0x300), OMP(4, 0x400), LIBC(5, 0x500)};
	assert_int_equal(heddle__count_runtime(memcpy_of_user, 3), 0);
	assert_int_equal(heddle__count_runtime(memcpy_of_user + 1, 2), 0);
	assert_int_equal(heddle__count_runtime(tool, 5), 4);
}

/* The runtime calls qsort, which calls the runtime's comparison function. */
static void the_c_library_between_frames_of_the_runtime_is_the_runtime_s(void **state)
{
	(void)state;
	static const struct heddle_frame sorting[] = {OMP(1, 0x100), LIBC(2, 0x200), LIBC(3, 0x300), OMP(4, 0x400),
		USER(5, 0x500), LIBC(6, 0x600), OMP(7, 0x700)};
	assert_int_equal(heddle__count_runtime(sorting, 7), 4);
	assert_int_equal(heddle__count_runtime(sorting + 1, 6), 3);
	/* The C library calls the runtime for the user. */
	static const struct heddle_frame once[] = {OMP(1, 0x100), LIBC(2, 0x200), USER(3, 0x300)};
	assert_int_equal(heddle__count_runtime(once, 3), 1);
}

/* ---- paths ---- */

static uint32_t path_of(uint32_t base, const struct heddle_frame *frames, size_t inner, size_t end, bool outlined)
{
	struct heddle_path path = heddle__path_from(self, sampler, base);
	heddle__path_frames(&path, frames, inner, end, outlined);
	return path.node;
}

static void a_path_goes_from_the_outside_in(void **state)
{
	(void)state;
	uint32_t base = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 99);
	uint32_t outer = child(base, HEDDLE_NODE_FRAME, 2);
	assert_int_equal(path_of(base, forked, 0, 2, false), child(outer, HEDDLE_NODE_FRAME, 1));
	assert_int_equal(path_of(base, forked, 1, 2, false), outer);
	assert_int_equal(path_of(base, forked, 2, 2, false), base);
	/* Steps cached for one base are not used for another. */
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, forked, 1, 2, false), child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 2));
}

static void a_frame_s_kind_is_by_its_module(void **state)
{
	(void)state;
	static const struct heddle_frame frames[] = {USER(1, 0x100),
		{.cfa = 0x200, .place = 2, .role = HEDDLE_MODULE_LIBC, .flags = HEDDLE_FRAME_TRAMPOLINE}, OMP(3, 0x300),
		LIBC(4, 0x400)};
	uint32_t node = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 4);
	node = child(node, HEDDLE_NODE_RUNTIME_FRAME, 3);
	node = child(node, HEDDLE_NODE_RUNTIME_FRAME, 2);
	node = child(node, HEDDLE_NODE_FRAME, 1);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, frames, 0, 4, false), node);
	/* A frame of the runtime is not an outlined frame. */
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, frames, 0, 3, true),
		child(child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_RUNTIME_FRAME, 3), HEDDLE_NODE_RUNTIME_FRAME, 2),
			HEDDLE_NODE_FRAME, 1));
}

static void the_outermost_frame_of_a_task_is_outlined(void **state)
{
	(void)state;
	uint32_t body = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_OUTLINED_FRAME, 2);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, forked, 0, 2, true), child(body, HEDDLE_NODE_FRAME, 1));
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, forked, 1, 2, true), body);
}

static const struct heddle_frame plain[] = {USER(1, 0x100), USER(2, 0x200), USER(3, 0x300)};

static void a_phase_stands_between_who_opened_it_and_what_that_called(void **state)
{
	(void)state;
	heddle__phase_begin(self, 7, 0x250); /* by the outermost frame */
	uint32_t node = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 3);
	node = child(node, HEDDLE_NODE_PHASE, 7);
	node = child(node, HEDDLE_NODE_FRAME, 2);
	uint32_t one = child(node, HEDDLE_NODE_FRAME, 1);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), one);
	heddle__phase_begin(self, 8, 0x150); /* by the middle one */
	node = child(node, HEDDLE_NODE_PHASE, 8);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), child(node, HEDDLE_NODE_FRAME, 1));
	assert_true(heddle__phase_end(self, 8));
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), one);
}

static void phases_below_and_above_all_frames_are_there_too(void **state)
{
	(void)state;
	heddle__phase_begin(self, 7, 0x900);
	heddle__phase_begin(self, 8, 0x10);
	uint32_t node = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_PHASE, 7);
	node = child(child(child(node, HEDDLE_NODE_FRAME, 3), HEDDLE_NODE_FRAME, 2), HEDDLE_NODE_FRAME, 1);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), child(node, HEDDLE_NODE_PHASE, 8));
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 0, false),
		child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_PHASE, 7), HEDDLE_NODE_PHASE, 8));
}

/*
 * Frame 2 opens a phase for frame 3 and returns. A later frame at the same stack address is another call, and below the
 * phase, which keeps its place.
 */
static void a_phase_left_open_keeps_its_place(void **state)
{
	(void)state;
	uint32_t opener = child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 3), HEDDLE_NODE_FRAME, 2);
	uint32_t phase = child(opener, HEDDLE_NODE_PHASE, 7);
	const struct heddle_captured found = {.node = opener, .end = 0x200, .caller_place = 3, .caller_end = 0x300};
	heddle__phase_begin_below(self, 7, found.end - 1, &found);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), child(phase, HEDDLE_NODE_FRAME, 1));
	static const struct heddle_frame next[] = {USER(5, 0x100), USER(4, 0x200), USER(33, 0x300)};
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, next, 0, 3, false),
		child(child(phase, HEDDLE_NODE_FRAME, 4), HEDDLE_NODE_FRAME, 5));
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, next, 2, 3, false), phase);
	/* The caller has returned, too: the place is found by stack address. */
	static const struct heddle_frame other[] = {USER(6, 0x180), USER(33, 0x280)};
	uint32_t node = child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 33), HEDDLE_NODE_PHASE, 7);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, other, 0, 2, false), child(node, HEDDLE_NODE_FRAME, 6));
}

/* Frame 2 acquires a lock for frame 3 and returns: what follows is below the lock, until its release. */
static void a_lock_held_beyond_its_taker_keeps_its_place(void **state)
{
	(void)state;
	static struct heddle_event lock = {"test", "test_lock", "lock", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0};
	assert_int_equal(heddle__events_register(&lock, 1), 0);
	heddle__event_means_held_lock(&lock);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, lock.id);
	uint32_t taker = child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 3), HEDDLE_NODE_FRAME, 2);
	uint32_t held = heddle__tree_child(taker, meta, 70);
	heddle__region_begin_below(self, &lock, taker, 70, 0x1ff);
	heddle__hold_lock(heddle__pushed_at(&self->stack, 0), 0x7000, (struct heddle_opener){3, 0x300});
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), child(held, HEDDLE_NODE_FRAME, 1));
	static const struct heddle_frame next[] = {USER(5, 0x100), USER(4, 0x200), USER(33, 0x300)};
	uint32_t under = child(child(held, HEDDLE_NODE_FRAME, 4), HEDDLE_NODE_FRAME, 5);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, next, 0, 3, false), under);
	/* At the caller's stack address is another function, below a further frame: no frame is lost. */
	static const struct heddle_frame other[] = {USER(7, 0x300), USER(8, 0x400)};
	uint32_t frames = child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 8), HEDDLE_NODE_FRAME, 7);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, other, 0, 2, false), heddle__tree_child(frames, meta, 70));
	assert_true(heddle__release_lock(self, &lock, 0x7000));
	uint32_t free = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 33);
	free = child(child(free, HEDDLE_NODE_FRAME, 4), HEDDLE_NODE_FRAME, 5);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, next, 0, 3, false), free);
}

/*
 * Frame 2 opens a block in code at 2 to 9. Code that it jumps to runs in the block, below the frame that opened it.
 * What its caller calls next does not run in the block, even if the block has no end event.
 */
static void a_block_goes_on_in_what_its_procedure_jumps_to(void **state)
{
	(void)state;
	static struct heddle_event single = {
		"test", "test_single", "single", HEDDLE_CATEGORY_WORKSHARE, 0, true, false, 0, 0};
	uint32_t outer = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 3), opener = child(outer, HEDDLE_NODE_FRAME, 2);
	const struct heddle_captured found = {
		.node = opener, .end = 0x200, .procedure = {2, 8}, .caller_place = 3, .caller_end = 0x300};
	heddle__block_begin_below(self, &single, 60, &found);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, single.id);
	uint32_t block = heddle__tree_child(opener, meta, 60);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), child(block, HEDDLE_NODE_FRAME, 1));
	static const struct heddle_frame jumped[] = {USER(1, 0x100), USER(10, 0x200), USER(3, 0x300)};
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, jumped, 0, 3, false),
		child(child(block, HEDDLE_NODE_FRAME, 10), HEDDLE_NODE_FRAME, 1));
	static const struct heddle_frame called[] = {USER(1, 0x100), USER(10, 0x200), USER(33, 0x300)};
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, called, 0, 3, false),
		child(child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 33), HEDDLE_NODE_FRAME, 10), HEDDLE_NODE_FRAME,
			1));
}

/* The outermost frame of a task jumps: no frame is above the block. */
static void a_task_s_block_is_above_what_its_function_jumps_to(void **state)
{
	(void)state;
	static struct heddle_event single = {
		"test", "test_single", "single", HEDDLE_CATEGORY_WORKSHARE, 0, true, false, 0, 0};
	uint32_t body = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_OUTLINED_FRAME, 2);
	const struct heddle_captured found = {.node = body, .end = 0x200, .procedure = {2, 8}};
	heddle__block_begin_below(self, &single, 60, &found);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, single.id);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 2, true),
		child(heddle__tree_child(body, meta, 60), HEDDLE_NODE_FRAME, 1));
	static const struct heddle_frame jumped[] = {USER(1, 0x100), USER(10, 0x200)};
	uint32_t node = child(heddle__tree_child(HEDDLE_TREE_ROOT, meta, 60), HEDDLE_NODE_OUTLINED_FRAME, 10);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, jumped, 0, 2, true), child(node, HEDDLE_NODE_FRAME, 1));
}

/*
 * Frame 2, of a run-time system, reports the begin of a region and returns to frame 3. What frame 3 calls next runs in
 * the region, although its frame ends where frame 2 ended.
 */
static void a_region_told_by_a_callee_holds_what_is_called_next(void **state)
{
	(void)state;
	static struct heddle_event get = {"test", "test_get", "get", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0};
	uint32_t teller = child(child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 3), HEDDLE_NODE_FRAME, 2);
	const struct heddle_captured found = {.node = teller, .end = 0x200, .caller_place = 3, .caller_end = 0x300};
	heddle__reported_region_begin_below(self, &get, 60, found.end - 1, &found);
	uint32_t region = heddle__tree_child(teller, HEDDLE_NODE_META(HEDDLE_NODE_REGION, get.id), 60);
	static const struct heddle_frame next[] = {USER(5, 0x100), USER(4, 0x200), USER(33, 0x300)};
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, next, 0, 3, false),
		child(child(region, HEDDLE_NODE_FRAME, 4), HEDDLE_NODE_FRAME, 5));
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, next, 2, 3, false), region);
	assert_int_equal(path_of(HEDDLE_TREE_ROOT, plain, 0, 3, false), child(region, HEDDLE_NODE_FRAME, 1));
}

static void only_the_current_task_s_phases_are_on_its_path(void **state)
{
	(void)state;
	uint32_t context = child(HEDDLE_TREE_ROOT, HEDDLE_NODE_FRAME, 50);
	static struct heddle_event wait = {"test", "test_wait", "wait", HEDDLE_CATEGORY_BARRIER, 1, true, false, 0, 0};
	heddle__phase_begin(self, 7, 0x250);
	heddle__task_switch(self, 0x1000, context, NULL, 0);
	heddle__phase_begin(self, 8, 0x150);
	heddle__region_begin(self, &wait, 60); /* has no stack address: the caller of the path function adds it */
	uint32_t node = child(child(context, HEDDLE_NODE_FRAME, 2), HEDDLE_NODE_PHASE, 8);
	assert_int_equal(path_of(context, plain, 0, 2, false), child(node, HEDDLE_NODE_FRAME, 1));
}

static void paths_deeper_than_the_cache_are_right(void **state)
{
	(void)state;
	enum { DEEP = 3 * HEDDLE_PATH_CACHE };
	static struct heddle_frame frames[DEEP];
	uint32_t node = HEDDLE_TREE_ROOT;
	for (uint32_t i = 0; i < DEEP; i++)
		frames[i] = (struct heddle_frame)USER(1000 + i, 16 * i + 16);
	for (uint32_t i = DEEP; i-- > 0;)
		node = child(node, HEDDLE_NODE_FRAME, 1000 + i);
	for (int round = 0; round < 3; round++)
		assert_int_equal(path_of(HEDDLE_TREE_ROOT, frames, 0, DEEP, false), node);
}

static void a_walk_that_missed_its_end_is_partial(void **state)
{
	(void)state;
	assert_false(heddle__is_partial(HEDDLE_UNWIND_COMPLETE, 0));
	assert_true(heddle__is_partial(HEDDLE_UNWIND_FULL, 0));
	assert_true(heddle__is_partial(HEDDLE_UNWIND_BROKEN, 0));
	assert_false(heddle__is_partial(HEDDLE_UNWIND_STOPPED, 0x300));
	assert_true(heddle__is_partial(HEDDLE_UNWIND_COMPLETE, 0x300)); /* the runtime's frame was never reached */
	assert_true(heddle__is_partial(HEDDLE_UNWIND_BROKEN, 0x300));
}

static void only_the_own_stack_s_end_is_known(void **state)
{
	(void)state;
	assert_int_equal(heddle__stack_end(self, self->stack_low), self->stack_high);
	assert_int_equal(heddle__stack_end(self, self->stack_high - 8), self->stack_high);
	assert_int_equal(heddle__stack_end(self, self->stack_high), 0);
	assert_int_equal(heddle__stack_end(self, self->stack_low - 8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, start)
		TEST(without_a_boundary_all_frames_are_the_task_s),
		TEST(frames_below_the_boundary_are_the_task_s),
		TEST(a_serialized_region_reaches_up_to_its_creator),
		TEST(an_unknown_boundary_is_where_the_runtime_begins),
		TEST(a_walk_goes_as_far_as_both_are_asked_about),
		TEST(the_runtime_s_frames_are_the_innermost),
		TEST(a_user_s_function_that_the_runtime_called_is_the_user_s),
		TEST(the_c_library_counts_as_runtime_only_when_that_called_it),
		TEST(the_c_library_between_frames_of_the_runtime_is_the_runtime_s),
		TEST(a_path_goes_from_the_outside_in),
		TEST(a_frame_s_kind_is_by_its_module),
		TEST(the_outermost_frame_of_a_task_is_outlined),
		TEST(a_phase_stands_between_who_opened_it_and_what_that_called),
		TEST(phases_below_and_above_all_frames_are_there_too),
		TEST(a_phase_left_open_keeps_its_place),
		TEST(a_lock_held_beyond_its_taker_keeps_its_place),
		TEST(a_block_goes_on_in_what_its_procedure_jumps_to),
		TEST(a_task_s_block_is_above_what_its_function_jumps_to),
		TEST(a_region_told_by_a_callee_holds_what_is_called_next),
		TEST(only_the_current_task_s_phases_are_on_its_path),
		TEST(paths_deeper_than_the_cache_are_right),
		TEST(a_walk_that_missed_its_end_is_partial),
		TEST(only_the_own_stack_s_end_is_known),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}

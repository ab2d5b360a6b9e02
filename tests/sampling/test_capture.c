/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts that are captured repeatedly: found without unwinding while everything that the unwinder read is unchanged,
 * and by unwinding again when a word of it has changed. The test has its own unwinder, which counts its walks, on a
 * stack that the test fills.
 */
#include "tests/support/unit.h"

#include "core/base/hash.h"
#include "core/modules/module.h"
#include "core/threads/region.h"
#include "sampling/path/path.h"

/* A stack of frames of four words each: ..., saved frame pointer, return address. */
#define FRAME_WORDS 4
#define FRAMES 6

static uintptr_t stack[FRAMES * FRAME_WORDS];
static uint16_t bp_words = 2;
static bool by_bp[FRAMES];
static size_t depth = FRAMES;
static int walks;

static int no_init(void)
{
	return 0;
}

static size_t walk(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
	struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end)
{
	(void)stack_high, (void)stop_cfa, (void)max;
	uintptr_t pc = start->pc;
	walks++;
	for (size_t i = 0; i < depth; i++) {
		uintptr_t *after = &stack[(i + 1) * FRAME_WORDS];
		frames[i] = (struct heddle_frame){.pc = pc,
			.cfa = (uintptr_t)after,
			.place = pc,
			.role = HEDDLE_MODULE_EXECUTABLE,
			.flags = by_bp[i] ? HEDDLE_FRAME_BY_BP : 0,
			.bp_words = bp_words,
			.ra_words = 1};
		pc = after[-1];
	}
	*end = HEDDLE_UNWIND_COMPLETE;
	return depth;
}

const struct heddle_unwinder *heddle__unwinder(void)
{
	static const struct heddle_unwinder own = {.name = "test", .init = no_init, .walk = walk};
	return &own;
}

static struct heddle_thread *self;
static struct heddle_bounds bounds;
static struct heddle_caller caller;

static int set_up(void **state)
{
	(void)state;
	self = be_measured();
	heddle__sampler_index = 0;
	static struct heddle_sampler_thread sampler;
	self->frontend[0] = &sampler;
	return 0;
}

/* Each test fills the stack with its own words, so that none finds another test's contexts. */
static int start(void **state)
{
	static uintptr_t round;
	(void)state;
	round += 0x10000;
	for (size_t i = 0; i < FRAMES * FRAME_WORDS; i++)
		stack[i] = round + i;
	caller = (struct heddle_caller){.pc = round + 0x1000, .sp = (uintptr_t)stack, .bp = round, .bounds = &bounds};
	bounds = (struct heddle_bounds){0};
	heddle__stack_clear(&self->stack);
	bp_words = 2;
	memset(by_bp, true, sizeof(by_bp));
	depth = FRAMES;
	walks = 0;
	return 0;
}

/* Four bits select the set, four more the way that a call is likely to be in. */
static uint64_t hash_of_call(uintptr_t pc)
{
	return heddle__hash(pc ^ caller.site ^ caller.sp << 16) >> 56;
}

static struct heddle_captured capture(uint32_t base)
{
	struct heddle_captured room;
	return *heddle__capture_path(self, &caller, base, &room);
}

/* Returns the path of the frames that are on the stack now. */
static uint32_t expected(uint32_t node)
{
	for (size_t i = depth; i-- > 0;) {
		uintptr_t pc = i ? stack[i * FRAME_WORDS - 1] : caller.pc;
		node = heddle__tree_child(node, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), pc);
	}
	return node;
}

static void the_same_context_is_found_without_a_walk(void **state)
{
	(void)state;
	struct heddle_captured first = capture(HEDDLE_TREE_ROOT);
	assert_int_equal(walks, 1);
	assert_int_equal(first.node, expected(HEDDLE_TREE_ROOT));
	assert_int_equal(first.place, caller.pc);
	assert_int_equal(first.sp, caller.sp);
	for (int i = 0; i < 10; i++) {
		struct heddle_captured again = capture(HEDDLE_TREE_ROOT);
		assert_int_equal(again.node, first.node);
		assert_int_equal(again.place, first.place);
		assert_int_equal(again.sp, first.sp);
	}
	assert_int_equal(walks, 1);
}

static void any_word_that_the_walk_used_leads_to_another(void **state)
{
	(void)state;
	capture(HEDDLE_TREE_ROOT);
	for (size_t i = 0; i + 1 < FRAMES; i++) { /* the outermost frame needs no word */
		for (size_t back = 1; back <= (i + 2 < FRAMES ? 2 : 1); back++) {
			stack[(i + 1) * FRAME_WORDS - back] += 0x100;
			walks = 0;
			assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
			assert_int_equal(walks, 1);
			assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
			assert_int_equal(walks, 1);
		}
	}
}

static void words_that_it_did_not_use_may_change(void **state)
{
	(void)state;
	uint32_t first = capture(HEDDLE_TREE_ROOT).node;
	for (size_t i = 0; i < FRAMES; i++)
		stack[i * FRAME_WORDS]++; /* a local variable */
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, first);
	assert_int_equal(walks, 1);
}

static void another_base_register_or_task_leads_to_another(void **state)
{
	(void)state;
	uint32_t base = heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), 5);
	capture(HEDDLE_TREE_ROOT);
	assert_int_equal(capture(base).node, expected(base));
	assert_int_equal(walks, 2);
	caller.bp++;
	assert_int_equal(capture(base).node, expected(base));
	assert_int_equal(walks, 3);
	caller.pc++;
	assert_int_equal(capture(base).node, expected(base));
	assert_int_equal(walks, 4);
	bounds.boundary = (uintptr_t)&stack[2 * FRAME_WORDS];
	capture(base);
	assert_int_equal(walks, 5);
	bounds.direct = bounds.boundary;
	capture(base);
	assert_int_equal(walks, 6);
}

static void what_cannot_be_compared_is_walked_each_time(void **state)
{
	(void)state;
	bp_words = HEDDLE_FRAME_COMPLEX;
	for (int i = 1; i <= 3; i++) {
		assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
		assert_int_equal(walks, i);
	}
}

static void frames_that_leave_the_frame_pointer_alone_use_one_word(void **state)
{
	(void)state;
	bp_words = 0;
	capture(HEDDLE_TREE_ROOT);
	stack[FRAME_WORDS - 2]++;
	capture(HEDDLE_TREE_ROOT);
	assert_int_equal(walks, 1);
	stack[FRAME_WORDS - 1]++;
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
	assert_int_equal(walks, 2);
}

static uintptr_t above(size_t frame)
{
	return (uintptr_t)&stack[frame * FRAME_WORDS] - 1;
}

/* Only where a frame needs its frame pointer is it compared, from that frame inwards to where it was saved. */
static void frame_pointers_count_only_for_frames_that_need_them(void **state)
{
	(void)state;
	memset(by_bp, false, sizeof(by_bp));
	uint32_t first = capture(HEDDLE_TREE_ROOT).node;
	caller.bp++;
	for (size_t i = 0; i < FRAMES; i++)
		stack[(i + 1) * FRAME_WORDS - 2]++;
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, first);
	assert_int_equal(walks, 1);

	by_bp[3] = true;
	caller.pc++;
	first = capture(HEDDLE_TREE_ROOT).node;
	assert_int_equal(walks, 2);
	caller.bp++;
	for (size_t i = 0; i < FRAMES; i++)
		stack[(i + 1) * FRAME_WORDS - 2] += i != 2;
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, first);
	assert_int_equal(walks, 2);
	stack[3 * FRAME_WORDS - 2]++; /* the value that frame 2 saved is used by frame 3 */
	capture(HEDDLE_TREE_ROOT);
	assert_int_equal(walks, 3);
}

static void a_frame_pointer_may_come_from_the_caller_itself(void **state)
{
	(void)state;
	memset(by_bp, false, sizeof(by_bp));
	bp_words = 0;
	by_bp[2] = true;
	capture(HEDDLE_TREE_ROOT);
	caller.bp++;
	capture(HEDDLE_TREE_ROOT);
	assert_int_equal(walks, 2);
}

static void an_open_phase_is_part_of_the_context(void **state)
{
	(void)state;
	uint32_t without = capture(HEDDLE_TREE_ROOT).node;
	heddle__phase_begin(self, 3, above(2));
	uint32_t with = capture(HEDDLE_TREE_ROOT).node;
	assert_int_not_equal(with, without);
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, with);
	assert_int_equal(walks, 2);
	assert_true(heddle__phase_end(self, 3));
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, without);
}

/* The same phase, but opened by another frame this time: its place in the path differs. */
static void where_a_phase_was_opened_is_part_of_the_context(void **state)
{
	(void)state;
	heddle__phase_begin(self, 3, above(2));
	uint32_t inner = capture(HEDDLE_TREE_ROOT).node;
	assert_true(heddle__phase_end(self, 3));
	heddle__phase_begin(self, 3, above(4));
	assert_int_not_equal(capture(HEDDLE_TREE_ROOT).node, inner);
}

/* The same code with different callers, as many as a set has ways. */
static void callers_that_look_alike_from_inside_are_all_remembered(void **state)
{
	(void)state;
	const uintptr_t called_from = stack[FRAME_WORDS - 1];
	for (int round = 0; round < 3; round++) {
		for (uintptr_t i = 0; i < HEDDLE_CAPTURE_WAYS; i++) {
			stack[FRAME_WORDS - 1] = called_from + i;
			assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
		}
		assert_int_equal(walks, HEDDLE_CAPTURE_WAYS);
	}
	stack[FRAME_WORDS - 1] = called_from + HEDDLE_CAPTURE_WAYS; /* one more replaces one of them */
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
	assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
	assert_int_equal(walks, HEDDLE_CAPTURE_WAYS + 1);
}

/* Calls in a loop that share a set: each finds its own context at once, without a change of the cache. */
static void calls_in_turn_do_not_search_a_set(void **state)
{
	(void)state;
	static struct heddle_capture_set before[HEDDLE_CAPTURE_SETS];
	const struct heddle_sampler_thread *sampler = heddle__sampler_of(self);
	const uintptr_t first = caller.pc;
	uintptr_t second = first + 1;
	while (hash_of_call(first) >> 4 != hash_of_call(second) >> 4 || hash_of_call(first) == hash_of_call(second))
		second++;
	for (int i = 0; i < 4; i++) {
		caller.pc = i % 2 ? second : first;
		if (i == 2)
			memcpy(before, sampler->captures, sizeof(before));
		assert_int_equal(capture(HEDDLE_TREE_ROOT).node, expected(HEDDLE_TREE_ROOT));
		if (i >= 2)
			assert_memory_equal(sampler->captures, before, sizeof(before));
	}
	assert_int_equal(walks, 2);
}

static void a_thread_that_is_not_sampled_has_its_base(void **state)
{
	(void)state;
	void *sampler = self->frontend[0];
	self->frontend[0] = NULL;
	assert_int_equal(capture(7).node, 7);
	assert_int_equal(capture(7).place, 0);
	self->frontend[0] = sampler;
	assert_int_equal(walks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, start)
		TEST(the_same_context_is_found_without_a_walk),
		TEST(any_word_that_the_walk_used_leads_to_another),
		TEST(words_that_it_did_not_use_may_change),
		TEST(another_base_register_or_task_leads_to_another),
		TEST(what_cannot_be_compared_is_walked_each_time),
		TEST(frames_that_leave_the_frame_pointer_alone_use_one_word),
		TEST(frame_pointers_count_only_for_frames_that_need_them),
		TEST(a_frame_pointer_may_come_from_the_caller_itself),
		TEST(an_open_phase_is_part_of_the_context),
		TEST(where_a_phase_was_opened_is_part_of_the_context),
		TEST(callers_that_look_alike_from_inside_are_all_remembered),
		TEST(calls_in_turn_do_not_search_a_set),
		TEST(a_thread_that_is_not_sampled_has_its_base),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}

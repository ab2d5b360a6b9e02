/* SPDX-License-Identifier: BSD-3-Clause */
/* The unwinder for processors without tables: finds the callers in order, and ends whatever words are on the stack. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmocka.h>

#include "core/modules/module.h"
#include "format/ids.h"
#include "sampling/unwind/chain.h"
#include "sampling/unwind/unwind.h"

#define NOINLINE __attribute__((noinline))
#define MAX 64
#define PAGE 4096
#define WORDS 8 /* of a stack that a test makes */

static struct heddle_frame frames[MAX];
static size_t count;
static enum heddle_unwind_end end;

static uintptr_t stack_end(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;
	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	assert_int_equal(pthread_attr_getstack(&attributes, &low, &size), 0);
	pthread_attr_destroy(&attributes);
	return (uintptr_t)low + size;
}

static int set_up(void **state)
{
	(void)state;
	return heddle__unwinder_chain.init();
}

static void walk(const struct heddle_unwind_start *start, uintptr_t high, uintptr_t stop_cfa, size_t max)
{
	memset(frames, 0, sizeof(frames));
	count = heddle__unwinder_chain.walk(start, high, stop_cfa, frames, max, &end);
}

static uintptr_t returns[8]; /* the return address of each call of nest(), innermost first */

static NOINLINE int nest(int depth, void (*then)(void))
{
	volatile int result = 0;
	returns[depth] = (uintptr_t)__builtin_return_address(0);
	if (depth > 0)
		result = nest(depth - 1, then);
	else
		then();
	return result;
}

static NOINLINE void walk_from_context(void)
{
	ucontext_t context = {.uc_flags = 0};
	struct heddle_unwind_start start = {.context = &context};
	getcontext(&context);
	walk(&start, stack_end(), 0, MAX);
}

static NOINLINE void walk_from_call(void)
{
	struct heddle_call call = heddle__call_here();
	struct heddle_unwind_start start = {.pc = call.pc, .sp = call.sp, .bp = call.bp};
	walk(&start, stack_end(), 0, MAX);
}

static NOINLINE void walk_stack_of_unknown_end(void)
{
	struct heddle_call call = heddle__call_here();
	struct heddle_unwind_start start = {.pc = call.pc, .sp = call.sp, .bp = call.bp};
	walk(&start, 0, 0, MAX);
}

/* Checks that the callers of nest() are the frames from `first` on, in order. */
static void expect_nested(size_t first)
{
	assert_true(count >= first + 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(frames[first + i].pc, returns[i]);
	for (size_t i = 1; i + 1 < count; i++)
		assert_true(frames[i].cfa > frames[i - 1].cfa);
}

static void callers_are_in_order(void **state)
{
	(void)state;
	nest(5, walk_from_context);
	expect_nested(2);
	nest(5, walk_from_call);
	expect_nested(1);
	nest(5, walk_stack_of_unknown_end);
	expect_nested(1);
}

static void *on_thread(void *unused)
{
	nest(5, walk_from_call);
	return unused;
}

/*
 * The library that calls the tests may be built without frame pointers, which matters for the main thread. So may
 * TSan's, which starts other threads.
 */
static void threads_have_an_end(void **state)
{
	pthread_t thread;
	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, on_thread, NULL), 0);
	pthread_join(thread, NULL);
	expect_nested(1);
#if !defined(__SANITIZE_THREAD__)
	assert_int_equal(end, HEDDLE_UNWIND_COMPLETE);
#endif
}

static NOINLINE void walk_three(void)
{
	struct heddle_call call = heddle__call_here();
	struct heddle_unwind_start start = {.pc = call.pc, .sp = call.sp, .bp = call.bp};
	walk(&start, stack_end(), 0, 3);
	assert_int_equal(count, 3);
	assert_int_equal(end, HEDDLE_UNWIND_FULL);
	walk(&start, stack_end(), frames[1].cfa, MAX);
	assert_int_equal(count, 2);
	assert_int_equal(end, HEDDLE_UNWIND_STOPPED);
}

static void limits_are_kept(void **state)
{
	(void)state;
	nest(5, walk_three);
}

/*
 * Walks a chain of two records with these words, at the end of a page that unmapped memory follows. The end of the
 * stack is known, and then unknown. Checks that both find the same number of frames, and returns it.
 */
static size_t walk_made(uintptr_t first_next, uintptr_t pc, uintptr_t second_next)
{
	char *pages = mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t *words = (uintptr_t *)(pages + PAGE) - WORDS;
	struct heddle_unwind_start start = {.pc = (uintptr_t)walk_made, .sp = (uintptr_t)words};
	size_t known;
	assert_true(pages != MAP_FAILED);
	munmap(pages + PAGE, PAGE);
	/* A small number is an index into these words. */
	words[0] = first_next < WORDS ? (uintptr_t)&words[first_next] : first_next;
	words[4] = second_next < WORDS ? (uintptr_t)&words[second_next] : second_next;
#if defined(__powerpc64__)
	words[first_next < WORDS - 2 ? first_next + 2 : 2] = pc;
#elif defined(__riscv)
	start.bp = (uintptr_t)&words[2];
	if (first_next < WORDS)
		words[0] += 16;
	words[1] = pc;
#else
	start.bp = (uintptr_t)words;
	words[1] = pc;
#endif
	walk(&start, (uintptr_t)(pages + PAGE), 0, MAX);
	known = count;
	walk(&start, 0, 0, MAX);
	assert_int_equal(count, known);
	assert_int_equal(end, HEDDLE_UNWIND_BROKEN);
	munmap(pages, PAGE);
	return known;
}

static void damaged_chains_end(void **state)
{
	const uintptr_t code = (uintptr_t)walk_made + 1;
	(void)state;
	assert_int_equal(walk_made(4, code, 4), 2);  /* a record that points to itself */
	assert_int_equal(walk_made(4, code, 0), 2);  /* and one that points back */
	assert_int_equal(walk_made(4, 12345, 4), 1); /* not code */
	assert_true(walk_made(3, code, 4) <= 2);
	assert_true(walk_made((uintptr_t)-16, code, 4) <= 2);
	assert_true(walk_made((uintptr_t)1 << 46, code, 4) <= 2); /* not mapped */
	assert_true(walk_made(0x1001, code, 4) <= 2);             /* not the address of a word */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_are_in_order),
		cmocka_unit_test(threads_have_an_end),
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(damaged_chains_end),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a walk guarantees: where it starts and ends, and that it never faults, whatever the stack contains. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmocka.h>

#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/registers.h"
#include "sampling/unwind/unwind.h"

#define NOINLINE __attribute__((noinline))
#define MAX 64

static uintptr_t stack_high;
static struct heddle_frame frames[MAX];
static size_t count;
static enum heddle_unwind_end end;

static void find_stack(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	assert_int_equal(pthread_attr_getstack(&attributes, &low, &size), 0);
	pthread_attr_destroy(&attributes);
	stack_high = (uintptr_t)low + size;
}

static int set_up(void **state)
{
	(void)state;
	find_stack();
	return heddle__unwinder()->init();
}

static void walk(const ucontext_t *context, uintptr_t high, uintptr_t stop_cfa, size_t max)
{
	struct heddle_unwind_start start = {.context = context};

	memset(frames, 0, sizeof(frames));
	count = heddle__unwinder()->walk(&start, high, stop_cfa, frames, max, &end);
}

static NOINLINE int nest(int depth, int (*then)(void))
{
	volatile int result = depth > 0 ? nest(depth - 1, then) : then();

	return result;
}

static NOINLINE int walk_whole(void)
{
	ucontext_t context = {.uc_flags = 0};

	getcontext(&context);
	walk(&context, stack_high, 0, MAX);
	return 0;
}

static void reaches_the_outermost_frame(void **state)
{
	(void)state;
	nest(5, walk_whole);
	assert_int_equal(end, HEDDLE_UNWIND_COMPLETE);
	assert_true(count > 8);
	for (size_t i = 1; i + 1 < count; i++)
		assert_true(frames[i].cfa > frames[i - 1].cfa);
	assert_true(frames[count - 1].cfa >= frames[count - 2].cfa); /* the outermost frame may be empty */
	assert_int_equal(frames[0].role, HEDDLE_MODULE_EXECUTABLE);
	assert_int_equal(frames[count - 1].role, HEDDLE_MODULE_EXECUTABLE); /* _start */
	assert_int_equal(frames[count - 2].role, HEDDLE_MODULE_LIBC);
	assert_int_equal(frames[3].place, heddle__place_of(frames[3].pc - 1));
	assert_int_equal(frames[0].place, heddle__place_of(frames[0].pc));
}

static NOINLINE int walk_limited(void)
{
	ucontext_t context = {.uc_flags = 0};
	struct heddle_frame whole[MAX];
	size_t whole_count;

	getcontext(&context);
	walk(&context, stack_high, 0, MAX);
	walk(&context, stack_high, 0, MAX); /* the first walk may have met a module without a table */
	memcpy(whole, frames, sizeof(whole));
	whole_count = count;
	for (size_t max = 1; max < whole_count; max++) {
		walk(&context, stack_high, 0, max);
		assert_int_equal(count, max);
		assert_int_equal(end, HEDDLE_UNWIND_FULL);
		assert_memory_equal(frames + 1, whole + 1, (max - 1) * sizeof(*frames));
	}
	for (size_t i = 0; i + 1 < whole_count; i++) {
		walk(&context, stack_high, whole[i].cfa, MAX);
		assert_int_equal(count, i + 1);
		assert_int_equal(end, HEDDLE_UNWIND_STOPPED);
		walk(&context, stack_high, whole[i].cfa - 1, MAX);
		assert_int_equal(count, i + 1);
	}
	walk(&context, stack_high, 1, MAX);
	assert_int_equal(count, 1);
	return 0;
}

static void ends_where_told(void **state)
{
	(void)state;
	nest(4, walk_limited);
}

/* The caller, and those above it, may need the frame pointer: programs and libraries may be compiled with it. */
static NOINLINE int walk_from_caller(uintptr_t frame_pointer)
{
	struct heddle_unwind_start start;
	struct heddle_frame whole[MAX];
	ucontext_t context = {.uc_flags = 0};
	size_t whole_count;

	getcontext(&context);
	walk(&context, stack_high, 0, MAX);
	memcpy(whole, frames, sizeof(whole));
	whole_count = count;
	start = (struct heddle_unwind_start){.pc = whole[1].pc, .sp = whole[0].cfa, .bp = frame_pointer};
	count = heddle__unwinder()->walk(&start, stack_high, 0, frames, MAX, &end);
	assert_int_equal(count, whole_count - 1);
	assert_int_equal(end, HEDDLE_UNWIND_COMPLETE);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(frames[i].pc, whole[i + 1].pc);
		assert_int_equal(frames[i].place, whole[i + 1].place);
	}
	return 0;
}

static void starts_at_a_caller_known_by_three_registers(void **state)
{
	ucontext_t context = {.uc_flags = 0};

	(void)state;
	getcontext(&context);
	assert_int_equal(walk_from_caller(heddle__context_registers(&context)[HEDDLE_CONTEXT_FP]), 0);
}

static ucontext_t back, coroutine;

static NOINLINE void walk_in_coroutine(void)
{
	walk_whole();
	swapcontext(&coroutine, &back);
}

/* Walks a stack with unknown bounds, surrounded by unmapped memory. */
static void walk_coroutine(uintptr_t high)
{
	size_t size = 64 << 10, guard = 16 << 10;
	char *memory = mmap(NULL, size + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t saved_high = stack_high;

	assert_ptr_not_equal(memory, MAP_FAILED);
	assert_int_equal(mprotect(memory + guard, size, PROT_READ | PROT_WRITE), 0);
	getcontext(&coroutine);
	coroutine.uc_stack = (stack_t){.ss_sp = memory + guard, .ss_size = size};
	coroutine.uc_link = &back;
	makecontext(&coroutine, walk_in_coroutine, 0);
	stack_high = high;
	swapcontext(&back, &coroutine);
	stack_high = saved_high;
	munmap(memory, size + 2 * guard);
}

static void walks_a_stack_that_nobody_described(void **state)
{
	(void)state;
	walk_coroutine(0);
	assert_true(count >= 2);
	assert_int_equal(frames[1].place, heddle__place_of(frames[1].pc - 1));
	assert_int_equal(heddle__module_find(frames[1].pc)->role, HEDDLE_MODULE_EXECUTABLE); /* walk_in_coroutine */
}

/* The word that makecontext stored as the return address of walk_in_coroutine is not a frame. */
static void a_coroutine_begins_with_its_procedure(void **state)
{
	(void)state;
	if (heddle__unwinder() != &heddle__unwinder_tables) {
		print_message("skipped: this back end reads no tables\n");
		skip();
	}
	walk_coroutine(0);
	assert_int_equal(end, HEDDLE_UNWIND_COMPLETE);
	assert_int_equal(count, 2);
	assert_int_equal(heddle__module_find(frames[1].pc)->role, HEDDLE_MODULE_EXECUTABLE);
}

static void registers_that_make_no_sense_do_not_fault(void **state)
{
	static const uintptr_t strange[] = {0, 1, 7, 8, 4095, 4096, 0x1000000, UINTPTR_MAX, UINTPTR_MAX - 7,
		(uintptr_t)1 << 63, (uintptr_t)1 << 47};
	const size_t n = sizeof(strange) / sizeof(*strange);
	ucontext_t good = {.uc_flags = 0}, context;

	(void)state;
	getcontext(&good);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (int which = 0; which < 3; which++) {
				uintptr_t *registers = (uintptr_t *)heddle__context_registers(&context);

				context = good;
				registers[which == 0 ? HEDDLE_CONTEXT_SP : HEDDLE_CONTEXT_FP] = strange[i];
				registers[which == 2 ? HEDDLE_CONTEXT_SP : HEDDLE_CONTEXT_PC] = strange[j];
				/* The end of the stack is valid only for a stack pointer in that stack. */
				walk(&context,
					registers[HEDDLE_CONTEXT_SP] ==
							heddle__context_registers(&good)[HEDDLE_CONTEXT_SP]
						? stack_high
						: 0,
					0, MAX);
				assert_true(count >= 1);
				assert_int_equal(frames[0].pc, registers[HEDDLE_CONTEXT_PC]);
			}
}

/* Machine code without call frame information, as from a just-in-time compiler, that calls the walk. */
static void crosses_code_made_at_run_time(void **state)
{
#if defined(__aarch64__)
	/* stp x29, x30, [sp, -16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], 16; ret */
	static const uint32_t code[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};
	const uintptr_t returns_at = 12;
#else
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x20, 0xff, 0xd7, 0xc9, 0xc3};
	const uintptr_t returns_at = 10;
#endif
	unsigned char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int (*call)(int (*)(void));
	bool met = false;

	(void)state;
	assert_ptr_not_equal(memory, MAP_FAILED);
	memcpy(memory, code, sizeof(code));
	__builtin___clear_cache((char *)memory, (char *)memory + sizeof(code));
	assert_int_equal(mprotect(memory, 4096, PROT_READ | PROT_EXEC), 0);
	memcpy(&call, &memory, sizeof(call));
	call(walk_whole);
	assert_int_equal(end, HEDDLE_UNWIND_COMPLETE);
	for (size_t i = 0; i < count; i++)
		if (frames[i].pc == (uintptr_t)memory + returns_at) {
			met = true;
			assert_int_equal(frames[i].place, (uintptr_t)memory + returns_at - 1); /* module 0 */
		}
	assert_true(met);
	munmap(memory, 4096);
}

static void *walk_thread(void *unused)
{
	find_stack();
	nest(3, walk_whole);
	return unused;
}

static void reaches_the_outermost_frame_of_a_thread(void **state)
{
	uintptr_t saved_high = stack_high;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, walk_thread, NULL), 0);
	pthread_join(thread, NULL);
	stack_high = saved_high;
	assert_int_equal(end, HEDDLE_UNWIND_COMPLETE);
	assert_int_equal(frames[count - 1].role, HEDDLE_MODULE_LIBC); /* clone */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reaches_the_outermost_frame),
		cmocka_unit_test(ends_where_told),
		cmocka_unit_test(starts_at_a_caller_known_by_three_registers),
		cmocka_unit_test(walks_a_stack_that_nobody_described),
		cmocka_unit_test(a_coroutine_begins_with_its_procedure),
		cmocka_unit_test(registers_that_make_no_sense_do_not_fault),
		cmocka_unit_test(crosses_code_made_at_run_time),
		cmocka_unit_test(reaches_the_outermost_frame_of_a_thread),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}

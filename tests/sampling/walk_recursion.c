/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deep recursion through frames of every kind: of fixed size, of variable size, large, realigned, and both realigned
 * and of variable size. Built with and without frame pointers and optimization.
 */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

#include "walk_compare.h"

#define NOINLINE __attribute__((noinline))

static volatile long sink;

long recurse(int depth, int k);
void escape(volatile void *p);

NOINLINE void escape(volatile void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

static NOINLINE long plain(int depth, int k)
{
	return recurse(depth, k) + 1;
}

static NOINLINE long variable(int depth, int k)
{
	char *bytes = alloca((size_t)k + 16);
	long result;

	memset(bytes, depth, (size_t)k + 16);
	escape(bytes);
	result = recurse(depth, k);
	return result + bytes[k & 7];
}

static NOINLINE long large(int depth, int k)
{
	volatile char bytes[3000];
	long result;

	bytes[depth] = (char)k;
	result = recurse(depth, k);
	return result + bytes[depth];
}

static NOINLINE long realigned(int depth, int k)
{
	_Alignas(64) volatile double values[16];
	long result;

	values[depth & 15] = k;
	escape(values);
	result = recurse(depth, k);
	return result + (long)values[depth & 15];
}

static NOINLINE long realigned_variable(int depth, int k)
{
	_Alignas(64) volatile double values[16];
	char *bytes = alloca((size_t)k * 3 + 1);
	long result;

	bytes[0] = 1;
	escape(bytes);
	values[depth & 15] = k;
	result = recurse(depth, k);
	return result + (long)values[depth & 15] + bytes[0];
}

static long (*const kinds[])(int, int) = {plain, variable, large, realigned, realigned_variable};

NOINLINE long recurse(int depth, int k)
{
	long sum = 0;

	if (depth > 0)
		return kinds[(depth * 7 + k) % 5](depth - 1, k) ^ depth;
	for (int i = 0; i < k; i++)
		sum += i * k;
	return sum;
}

static NOINLINE long fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/*
 * libunwind is wrong between `pop %rbp` and `ret` of GCC's realigned functions: their call frame information still says
 * that the saved rbp is where rbp points, so rbp of a later frame is read there, and libunwind skips two frames or goes
 * astray. There the next instruction is `lea -8(%r10), %rsp` (rbp just popped) or `ret` right after it. Heddle's walk
 * must be complete, have more frames, and agree on the first one.
 */
static bool stale_epilogue(const ucontext_t *context, const struct walk *ours, const struct walk *theirs)
{
	static const unsigned char lea[] = {0x49, 0x8d, 0x62, 0xf8};
	const unsigned char *code = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];
	bool between = !memcmp(code, lea, sizeof(lea)) || (code[0] == 0xc3 && !memcmp(code - 4, lea, sizeof(lea)));

	return between && ours->end == HEDDLE_UNWIND_COMPLETE && ours->frames[0].pc == theirs->frames[0].pc &&
	       ours->count > theirs->count;
}

extern const void *_Unwind_Find_FDE(void *pc, void *bases[3]);

/*
 * Padding that one function's code continues through to the next, as __memset_chk's of glibc, belongs to neither: there
 * libunwind follows frame pointers. Heddle's walk must be complete, and have more frames.
 */
static bool between_functions(const ucontext_t *context, const struct walk *ours, const struct walk *theirs)
{
	void *bases[3];
	return !_Unwind_Find_FDE((void *)context->uc_mcontext.gregs[REG_RIP], bases) &&
	       ours->end == HEDDLE_UNWIND_COMPLETE && ours->count > theirs->count;
}

static bool libunwind_is_wrong(const ucontext_t *context, const struct walk *ours, const struct walk *theirs)
{
	return stale_epilogue(context, ours, theirs) || between_functions(context, ours, theirs);
}

static int step_through(void)
{
	walk_compare_step();
	sink += recurse(14, 3) + recurse(9, 11) + fibonacci(4);
	walk_compare_step_end();
	return walk_compare_report("recursion, stepped", 1000);
}

static int sample(void)
{
	double from = walk_seconds();

	walk_compare_start(700, false);
	for (int i = 0; walk_seconds() - from < 2; i++) {
		sink += recurse(20 + i % 80, i % 97);
		sink += fibonacci(15);
	}
	walk_compare_stop();
	if (walk_compare_deepest < 100) {
		printf("no deep stack was seen: %u\n", walk_compare_deepest);
		return 1;
	}
	return walk_compare_report("recursion", 500);
}

/* With the argument "step", compares after every instruction, otherwise by a timer. */
int main(int argc, char **argv)
{
	if (walk_compare_init(libunwind_is_wrong))
		return 1;
	return argc > 1 && !strcmp(argv[1], "step") ? step_through() : sample();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capture_fuzz [SEED [ROUNDS]]: contexts found in the cache are those that unwinding finds. Procedures with frames of
 * many kinds call each other at random, mostly with the choices of the call before, and open and close phases. They
 * capture each path twice: with the cache, and with an empty cache.
 */
#include <alloca.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/tree/tree.h"
#include "sampling/path/path.h"

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
#define CHOICES 24
#define UNTOUCHED 0xdead

static struct heddle_thread *self;
static struct heddle_sampler_thread *memory, *reference;
static uint8_t choice[CHOICES]; /* the procedure to be called at each depth */
static unsigned length, captures, hits, differences;
static uint64_t state;
static volatile uintptr_t sink;

static unsigned next_random(unsigned limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 11) % limit;
}

static void forget(struct heddle_sampler_thread *sampler)
{
	if (sampler->captures)
		memset(sampler->captures, 0, HEDDLE_CAPTURE_SETS * sizeof(*sampler->captures));
}

static struct heddle_captured capture_by(struct heddle_sampler_thread *sampler, const struct heddle_caller *caller)
{
	self->frontend[0] = sampler;
	struct heddle_captured room;
	return *heddle__capture_path(self, caller, HEDDLE_TREE_ROOT, &room);
}

static bool is_same(const struct heddle_captured *a, const struct heddle_captured *b)
{
	return a->node == b->node && a->place == b->place && a->sp == b->sp && a->end == b->end &&
	       a->procedure.place == b->procedure.place && a->procedure.size == b->procedure.size &&
	       a->caller_place == b->caller_place && a->caller_end == b->caller_end;
}

struct own_frame {
	uintptr_t bp, pc;
};

/* Captures the path of the caller, as for its event. */
static NOINLINE void tell(uintptr_t site)
{
	const struct own_frame *frame = __builtin_frame_address(0);
	static const struct heddle_bounds all;
	struct heddle_caller caller = {
		.pc = frame->pc, .sp = (uintptr_t)(frame + 1), .bp = frame->bp, .site = site, .bounds = &all};
	memory->frames[0].pc = UNTOUCHED;
	struct heddle_captured fast = capture_by(memory, &caller);
	captures++;
	hits += memory->frames[0].pc == UNTOUCHED;
	forget(reference);
	struct heddle_captured walked = capture_by(reference, &caller);
	if (!is_same(&fast, &walked) && differences++ < 5)
		printf("capture %u: node %u, a walk says %u\n", captures, fast.node, walked.node);
}

static void go_on(unsigned depth);

#define AFTER __asm__ volatile("" ::: "memory")

static NOINLINE void plainly(unsigned depth)
{
	go_on(depth + 1);
	AFTER;
}

static NOINLINE void with_locals(unsigned depth)
{
	volatile uintptr_t locals[5] = {depth, state, depth ^ state};
	go_on(depth + 1);
	sink += locals[2];
}

/* The allocated memory contains return addresses of former calls. */
static NOINLINE void with_alloca(unsigned depth)
{
	volatile char *bytes = alloca(16 + 16 * (depth % 5));
	bytes[0] = (char)depth;
	go_on(depth + 1);
	sink += (uintptr_t)bytes[0];
}

static NOINLINE void realigned(unsigned depth)
{
	_Alignas(64) volatile char bytes[64];
	bytes[0] = (char)depth;
	go_on(depth + 1);
	sink += (uintptr_t)bytes[0];
}

static NOINLINE void by_frame_pointer(unsigned depth)
{
	sink += (uintptr_t)__builtin_frame_address(0);
	go_on(depth + 1);
	AFTER;
}

static NOINLINE void from_two_places(unsigned depth)
{
	if (choice[(depth + 1) % CHOICES] & 1)
		go_on(depth + 1);
	else
		go_on(depth + 1);
	AFTER;
	__asm__ volatile("nop");
}

static NOINLINE void jumping(unsigned depth)
{
	sink++;
	go_on(depth + 1);
}

static NOINLINE void in_phase(unsigned depth)
{
	heddle__phase_begin(self, depth, (uintptr_t)__builtin_frame_address(0));
	go_on(depth + 1);
	heddle__phase_end(self, depth);
}

static NOINLINE void with_many_registers(unsigned depth)
{
	uintptr_t a = depth, b = depth * 3, c = depth * 5, d = depth * 7, e = depth * 11, f = depth * 13;
	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	go_on(depth + 1);
	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	sink += a + b + c + d + e + f;
}

static void (*const procedures[])(unsigned) = {plainly, with_locals, with_alloca, realigned, by_frame_pointer,
	from_two_places, jumping, in_phase, with_many_registers};

static NOINLINE void go_on(unsigned depth)
{
	tell(choice[depth % CHOICES] % 3);
	if (depth + 1 < length)
		procedures[choice[depth % CHOICES] % (sizeof(procedures) / sizeof(*procedures))](depth);
	AFTER;
}

/* The stack's bounds, which the full start of a process would find. */
static int know_stack(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attributes) || pthread_attr_getstack(&attributes, &low, &size))
		return -1;
	pthread_attr_destroy(&attributes);
	self->stack_low = (uintptr_t)low;
	self->stack_high = (uintptr_t)low + size;
	return 0;
}

static int prepare(void)
{
	heddle__clock_init();
	if (heddle__threads_init() || heddle__unwinder()->init())
		return -1;
	atomic_store(&heddle__run_state, HEDDLE_RUNNING);
	self = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	memory = calloc(1, sizeof(*memory));
	reference = calloc(1, sizeof(*reference));
	heddle__sampler_index = 0;
	return self && memory && reference ? know_stack() : -1;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 4000;
	state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	state = state * 0x9e3779b97f4a7c15u | 1;
	if (prepare())
		return 2;
	for (unsigned round = 0; round < rounds; round++) {
		if (round % 16 == 0) {
			for (unsigned i = 0; i < CHOICES; i++)
				choice[i] = (uint8_t)next_random(256);
			length = 2 + next_random(CHOICES - 2);
		}
		if (next_random(3) == 0)
			choice[next_random(CHOICES)] = (uint8_t)next_random(256);
		go_on(0);
	}
	printf("%u captures, %u without a walk, %u wrong\n", captures, hits, differences);
	return differences != 0 || hits < captures / 10;
}

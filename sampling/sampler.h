/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this folder share: a thread's sampling state, and the sampler's settings. */
#ifndef HEDDLE_SAMPLING_SAMPLER_H
#define HEDDLE_SAMPLING_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/frontend.h"
#include "core/thread.h"
#include "sampling/source.h"
#include "sampling/unwind.h"

#define HEDDLE_MAX_FRAMES 2048
#define HEDDLE_PATH_CACHE 256   /* steps of the last path, by depth */
#define HEDDLE_CAPTURES 32      /* contexts remembered */
#define HEDDLE_CAPTURE_WORDS 64 /* stack words that hold for one of them */

/* A tree step taken before, for the same depth. */
struct heddle_path_step {
	uint64_t place;
	uint32_t parent, meta, child;
};

/* What decides about a captured context, but for the stack's words. */
struct heddle_capture_key {
	struct heddle_caller caller;
	uint32_t base;
	uint32_t innermost; /* open region, which tells the phases */
	uint64_t opened_at; /* their stack addresses, mixed into one word */
	uint64_t version;   /* of the modules' list */
};

/*
 * A context captured before. It is the same again if the caller's registers, its task and phases, and every stack word
 * that the walk then used are the same.
 */
struct heddle_capture {
	struct heddle_capture_key key;
	struct heddle_captured result;
	uint32_t words; /* 0: empty */
	bool by_bp;     /* the caller's frame pointer matters */
	struct {
		uintptr_t at, value;
	} word[HEDDLE_CAPTURE_WORDS];
};

struct heddle_sampler_thread {
	struct heddle_timer timer;
	uint32_t since_sync;      /* samples since the CPU clock was asked */
	struct heddle_slot *slot; /* of the last sample */
	struct heddle_path_step steps[HEDDLE_PATH_CACHE];
	struct heddle_capture *captures; /* HEDDLE_CAPTURES of them, once the thread creates regions or tasks */
	struct heddle_frame frames[HEDDLE_MAX_FRAMES];
};

extern unsigned int heddle__sampler_index;
extern bool heddle__sampling;
extern bool heddle__sampler_wall;
extern uint64_t heddle__sampler_period; /* ns, or of the event that samples are taken by */
extern int heddle__sampler_signal;

/* NULL on a thread that is not sampled. Context: any thread, signal. */
static inline struct heddle_sampler_thread *heddle__sampler_of(const struct heddle_thread *thread)
{
	return thread->frontend[heddle__sampler_index];
}

/* Start the timer of a thread (thread->tid) from the first source that can. Context: any thread. */
void heddle__sampler_arm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/* The signal handler. */
void heddle__on_sample(int number, siginfo_t *info, void *context);

/* The node of the path of a thread interrupted at `context`; *state says what it was doing. Context: owner, inside. */
uint32_t heddle__sampled_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, enum heddle_state *state);

/* As heddle__capture (core/frontend.h). */
struct heddle_captured heddle__capture_path(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base);

/* Charge the CPU time since the last sample; at a thread's end. Context: owner thread, inside. */
void heddle__charge_rest(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

#endif

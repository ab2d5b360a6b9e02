/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this folder share: a thread's sampling state, and the sampler's settings. */
#ifndef HEDDLE_SAMPLING_SAMPLER_H
#define HEDDLE_SAMPLING_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/threads/control.h"
#include "core/threads/frontend.h"
#include "core/threads/thread.h"
#include "sampling/sources/source.h"
#include "sampling/sources/switch_rate.h"
#include "sampling/unwind/unwind.h"

#define HEDDLE_MAX_FRAMES 2048
#define HEDDLE_PATH_CACHE 256   /* steps of the last path, by depth */
#define HEDDLE_CAPTURE_SETS 16  /* captured contexts, by call and stack pointer */
#define HEDDLE_CAPTURE_WAYS 8   /* in each set: callers of the same code */
#define HEDDLE_CAPTURE_HINTS 16 /* in each set: calls that have their own way, most likely */
#define HEDDLE_CAPTURE_WORDS 64 /* stack words compared for one of them */
#define HEDDLE_SYNC_SAMPLES 16  /* the thread's CPU clock is read at least once in so many samples */

/* A cached tree step, at the same depth. */
struct heddle_path_step {
	uint64_t place;
	uint32_t parent, meta, child;
};

/* The key of a captured context, besides the stack's words. */
struct heddle_capture_key {
	struct heddle_caller caller; /* its bounds are the next member */
	struct heddle_bounds bounds;
	uint32_t base;
	uint64_t opened_at; /* the phases' stack addresses, mixed into one word */
	uint32_t innermost; /* open region, which identifies the phases; not beside `base`: compared together, they
			       would be copied together first */
	uint64_t version;   /* of the modules' list */
};

struct heddle_capture_word {
	uintptr_t at, value;
};

/*
 * A captured context. It applies again if the caller's registers, its task and phases, and every stack word that the
 * walk then used are the same.
 */
struct heddle_capture {
	struct heddle_capture_key key;
	struct heddle_captured result;
	uint32_t words; /* 0: empty */
	bool by_bp;     /* the caller's frame pointer matters */
	struct heddle_capture_word word[HEDDLE_CAPTURE_WORDS];
};

/* Calls of one loop often share a set: each has a hint of its own by more bits of its hash. */
struct heddle_capture_set {
	struct heddle_capture ways[HEDDLE_CAPTURE_WAYS];
	uint8_t last[HEDDLE_CAPTURE_HINTS]; /* way that was found or recorded last */
	uint8_t newest;                     /* way that was recorded last */
};

struct heddle_sampler_thread {
	struct heddle_timer timer;
	struct heddle_switch_rate switch_rate;
	int signal;               /* by which its timer sends samples; 0: as all threads */
	uint64_t left_ticks;      /* when the last sample's handler returned */
	uint8_t stretch;          /* the period is 2^stretch times the requested one */
	uint8_t crowded;          /* samples in a row that came right after the one before */
	uint32_t since_sync;      /* samples since the CPU clock was read */
	struct heddle_slot *slot; /* of the last sample */
	uint32_t first_node;      /* of the thread's first sample; 0: none yet */
	uint64_t first_lacks_ns;  /* what it was charged less than a period */
	struct heddle_path_step steps[HEDDLE_PATH_CACHE];
	struct heddle_capture_set *captures; /* HEDDLE_CAPTURE_SETS of them, once there is an event with a path */
	struct heddle_frame frames[HEDDLE_MAX_FRAMES];
};

extern unsigned int heddle__sampler_index;
extern bool heddle__sampling;
extern bool heddle__sampler_wall;
extern uint64_t heddle__sampler_period; /* ns, or counts of the event that triggers samples */
extern _Atomic int heddle__sampler_signal;

/* NULL on a thread that is not sampled. Context: any thread, signal. */
static inline struct heddle_sampler_thread *heddle__sampler_of(const struct heddle_thread *thread)
{
	return thread->frontend[heddle__sampler_index];
}

/*
 * Start a thread's timer (thread->tid) with the first source that works, cheap ones first if it switches often. Returns
 * 0 or -errno. Context: any thread.
 */
int heddle__sampler_arm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/* Restart it with the thread's current settings. Context: owner thread, signal. */
void heddle__sampler_rearm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/* The signal handler. */
void heddle__on_sample(int number, siginfo_t *info, void *context);

/* True if a timer of any thread, disarmed or not, sent the signal. Context: any thread, signal. */
bool heddle__is_sample(const siginfo_t *info);

/* The node of the path of a thread interrupted at `context`; *state says what it was doing. Context: owner, inside. */
uint32_t heddle__sampled_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, enum heddle_state *state);

/* As heddle__capture (core/threads/frontend.h). */
const struct heddle_captured *heddle__capture_path(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room);

/*
 * Charge the CPU time since the last sample, at the thread's end: up to what its first sample lacked to a period there,
 * the rest where the last one was. Context: owner thread, inside.
 */
void heddle__charge_rest(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/*
 * Count samples; when a second's have been taken and nearly all are the measurement's `own`, a message says so, once.
 * Context: owner thread, inside, signal.
 */
void heddle__watch_own_cost(uint64_t periods, bool own);

/* True if that state, or GASP's control, leaves out the thread's time. Context: owner thread, signal. */
static inline bool heddle__pauses(const struct heddle_thread *thread, uint8_t run_state)
{
	return run_state == HEDDLE_PAUSED || (run_state == HEDDLE_RUNNING && thread->off);
}

/* Leave out the CPU time since the last sample. Context: owner thread, inside. */
void heddle__skip_paused(struct heddle_thread *thread);

#endif

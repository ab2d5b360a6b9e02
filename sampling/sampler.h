/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of this folder: a thread's sampling state, and the sampler's settings. */
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
#define HEDDLE_CAPTURE_HINTS 16 /* in each set: hints at the way of a call */
#define HEDDLE_CAPTURE_WORDS 64 /* stack words compared for a context */
#define HEDDLE_SYNC_SAMPLES 16  /* the thread's CPU clock is read at least once in so many samples */

/* A cached step from a node of the tree to its child. */
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
	uint32_t innermost; /* node of the open region, which identifies the phases; not beside `base`: if they were
			       compared together, they would be copied together first */
	uint64_t version;   /* of the modules' list */
};

struct heddle_capture_word {
	uintptr_t at, value;
};

/*
 * A captured context. It is valid again if the caller's registers, its task and phases, and every stack word that the
 * walk used are the same.
 */
struct heddle_capture {
	struct heddle_capture_key key;
	struct heddle_captured result;
	uint32_t words; /* 0: empty */
	bool by_bp;     /* the caller's frame pointer matters */
	struct heddle_capture_word word[HEDDLE_CAPTURE_WORDS];
};

/* Calls of one loop often share a set, so each has its own hint, selected by more bits of its hash. */
struct heddle_capture_set {
	struct heddle_capture ways[HEDDLE_CAPTURE_WAYS];
	uint8_t last[HEDDLE_CAPTURE_HINTS]; /* way that was found or recorded last */
	uint8_t newest;                     /* way that was recorded last */
};

struct heddle_sampler_thread {
	struct heddle_timer timer;
	struct heddle_switch_rate switch_rate;
	int signal;               /* signal by which its timer sends samples; 0: as all threads */
	uint64_t left_ticks;      /* when the last sample's handler returned */
	uint8_t stretch;          /* the period is 2^stretch times the requested one */
	uint8_t crowded;          /* samples in a row that arrived right after the previous one */
	uint32_t since_sync;      /* samples since the CPU clock was read */
	struct heddle_slot *slot; /* of the last sample */
	uint32_t first_node;      /* of the thread's first sample; 0: none yet */
	uint64_t first_lacks_ns;  /* CPU time by which it was charged less than a period */
	struct heddle_path_step steps[HEDDLE_PATH_CACHE];
	struct heddle_capture_set *captures; /* HEDDLE_CAPTURE_SETS of them, made for the first event with a path */
	struct heddle_frame frames[HEDDLE_MAX_FRAMES];
};

extern unsigned int heddle__sampler_index;
extern bool heddle__sampling;
extern bool heddle__sampler_wall;
extern uint64_t heddle__sampler_period; /* ns, or counts of the event that triggers samples */
extern _Atomic int heddle__sampler_signal;

/* Returns the thread's sampling state; NULL: not sampled. Context: any thread, signal. */
static inline struct heddle_sampler_thread *heddle__sampler_of(const struct heddle_thread *thread)
{
	return thread->frontend[heddle__sampler_index];
}

/*
 * Starts a thread's timer (thread->tid) with the first source that works; cheap ones first if the thread switches
 * often. Returns 0 or -errno. Context: any thread.
 */
int heddle__sampler_arm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/* Restarts the timer with the thread's current settings. Context: owner thread, signal. */
void heddle__sampler_rearm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/* The signal handler. */
void heddle__on_sample(int number, siginfo_t *info, void *context);

/* True if a timer of any thread, disarmed or not, sent the signal. Context: any thread, signal. */
bool heddle__is_sample(const siginfo_t *info);

/* Returns the node of the path of a thread interrupted at `context`; sets *state. Context: owner thread, inside. */
uint32_t heddle__sampled_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, enum heddle_state *state);

/* See heddle__capture (core/threads/frontend.h). */
const struct heddle_captured *heddle__capture_path(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room);

/*
 * Charges the CPU time since the last sample, at the thread's end: to the node of its first sample, up to the part of a
 * period that this one lacks; the rest to the node of the last sample. Context: owner thread, inside.
 */
void heddle__charge_rest(struct heddle_thread *thread, struct heddle_sampler_thread *sampler);

/*
 * Counts samples; `own`: in code of the measurement. If nearly all samples of the first second are `own`, writes a
 * message, once. Context: owner thread, inside, signal.
 */
void heddle__watch_own_cost(uint64_t periods, bool own);

/* True if the thread's time is left out, by that state or GASP's control. Context: owner thread, signal. */
static inline bool heddle__pauses(const struct heddle_thread *thread, uint8_t run_state)
{
	return run_state == HEDDLE_PAUSED || (run_state == HEDDLE_RUNNING && thread->off);
}

/* Leaves out the CPU time since the last sample. Context: owner thread, inside. */
void heddle__skip_paused(struct heddle_thread *thread);

#endif

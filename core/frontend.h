/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What core knows of the parts that feed it: models and the sampler. Each is one const descriptor, listed in one table
 * (models/frontends.c; a test links its own). Core calls them in table order.
 */
#ifndef HEDDLE_CORE_FRONTEND_H
#define HEDDLE_CORE_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_thread;

/* Which frames of a stack belong to the task that runs on it, as its model knows them. All zero: all of them. */
struct heddle_bounds {
	uintptr_t boundary; /* frames that end at or above this stack address do not; 0: unknown, or no task */
	uintptr_t direct;   /* the creator's own frames begin here; 0: they are on another stack, or boundary tells */
	bool unbounded;     /* boundary is unknown: what runtime and thread start have at the outer end does not */
	bool outlined;      /* the outermost frame that does is a compiler-made function */
};

/* Answer of a model to the frame and state inquiry for an interrupted thread. */
struct heddle_inquiry {
	uint32_t base; /* node of the context from which this thread's path continues */
	struct heddle_bounds bounds;
	uintptr_t enter; /* the current task is inside the runtime, which begins below this address; 0: unknown */
	uint8_t state;   /* enum heddle_state; WORK when the innermost frame decides between work and the below */
	/* What the thread does when that frame is the runtime's; NULL: OVERHEAD. Context: owner, signal. */
	enum heddle_state (*in_runtime)(void);
	bool no_frames; /* the runtime is between two tasks: no frame can be said to be the task's */
};

struct heddle_frontend {
	const char *name;

	/* Once, before the first thread. Not 0: it stays off, after having said why. Context: init. */
	int (*init)(unsigned int index);

	/* A thread's context begins and ends. Context: owner thread, inside. */
	void (*thread_begin)(struct heddle_thread *thread);
	void (*thread_end)(struct heddle_thread *thread);

	/* Models: fill in what differs from the defaults, return true if the thread is yours. Context: owner, signal.
	 */
	bool (*inquire)(struct heddle_thread *thread, struct heddle_inquiry *inquiry);

	/* Whether it needs the keeper; and then, every few milliseconds. Context: init; the keeper. */
	bool (*needs_keeper)(void);
	void (*tick)(void);

	/* The process is about to be replaced (exec), and it did not happen after all. Context: owner thread. */
	void (*suspend)(struct heddle_thread *thread);
	void (*resume)(struct heddle_thread *thread);

	/* Nothing is to be measured any more. Context: any thread, signal. */
	void (*finish)(void);

	/* In the child of a fork, after core. Context: the child's only thread. */
	void (*after_fork)(void);
};

extern const struct heddle_frontend *const heddle__frontends[]; /* ends with NULL */

/* Where user code called into a runtime: enough to walk on from there. */
struct heddle_caller {
	uintptr_t pc; /* a return address: into the user's code, or the runtime's where only that is known */
	uintptr_t sp; /* the stack pointer after that return */
	uintptr_t bp;
	uintptr_t site; /* where the user's code called, if known: tells callers apart that look alike from inside */
	struct heddle_bounds bounds;
};

/* What a capture found. */
struct heddle_captured {
	uint32_t node;
	uint64_t place;        /* of the innermost user frame's call; 0: there is no user frame in the current task */
	uintptr_t sp;          /* where that frame begins */
	uintptr_t end;         /* and its upper end; 0: unknown */
	uint64_t caller_place; /* of the call that made that frame; 0: unknown, or it is the task's outermost */
	uintptr_t caller_end;
};

/*
 * The places of code in the program's own file that tells of events in the user's name (a UPC run-time system's). Where
 * events come from, its innermost frames are left out. Both 0: there is none. Set once. Context: init.
 */
extern uint64_t heddle__teller_low, heddle__teller_high;

/*
 * Set by the sampler while sampling: the node of `caller`'s path continued from `base`. NULL when there are only
 * events, whose regions alone make the path. Context of the call: owner thread, inside.
 */
extern struct heddle_captured (*heddle__capture)(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base);

/* Ask the models about the thread: `inquiry` is filled in whole. Context: owner thread, signal. */
void heddle__inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry);

/*
 * The path to the code that called us, known by the address we return to, its stack pointer after that and its frame
 * pointer: frames and open regions while sampling; without it the open regions alone, and no place. Context: owner
 * thread, inside.
 */
struct heddle_captured heddle__caller_path(struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp);

#endif

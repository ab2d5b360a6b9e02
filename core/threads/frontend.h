/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between core and the front ends (models and the sampler). Each front end is a const descriptor in one
 * table (models/frontends.c; a test links its own). Core calls them in table order.
 */
#ifndef HEDDLE_CORE_FRONTEND_H
#define HEDDLE_CORE_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/frame.h"

struct heddle_model;
struct heddle_thread;

/* The frames of a stack that belong to the task that runs on it, as its model reports them. All zero: all frames. */
struct heddle_bounds {
	uintptr_t boundary; /* frames that end at or above this stack address do not belong; 0: unknown, or no task */
	uintptr_t direct;   /* the creator's own frames begin here; 0: on another stack, or boundary suffices */
	bool unbounded;     /* boundary is unknown: outermost frames of runtime and thread start do not belong */
	bool outlined;      /* the outermost frame that belongs is an outlined function */
};

/* A model's answer about an interrupted thread: its context, frames and state. */
struct heddle_inquiry {
	uint32_t base; /* node of the context from which this thread's path continues */
	struct heddle_bounds bounds;
	uint8_t state; /* enum heddle_state; WORK: the innermost frame decides between work and in_runtime */
	/* Returns the thread's state if that frame belongs to the runtime; NULL: OVERHEAD. Context: owner, signal. */
	enum heddle_state (*in_runtime)(void);
	uint8_t model;  /* the model that answered: set by core */
	bool no_frames; /* the runtime is between two tasks: no frame can be attributed to a task */
};

/* In ascending order: the greatest need of all front ends counts. */
enum heddle_keeper_need {
	HEDDLE_KEEPER_NEVER,
	HEDDLE_KEEPER_WITH_THREADS, /* while the program has several threads */
	HEDDLE_KEEPER_ALWAYS,
};

struct heddle_frontend {
	const char *name;
	const struct heddle_model *model; /* the model whose events and runtime it handles; NULL: none. May be shared */

	/*
	 * Called once, before the first thread. Not 0: the front end has reported an error and stays off. Context:
	 * init.
	 */
	int (*init)(unsigned int index);

	/* A thread's context begins and ends. Context: owner thread, inside. */
	void (*thread_begin)(struct heddle_thread *thread);
	void (*thread_end)(struct heddle_thread *thread);

	/* Process events that were deferred (HEDDLE_WANTED_EVENTS). Context: owner thread, inside, signal. */
	void (*catch_up)(struct heddle_thread *thread);

	/* Models: set what differs from the defaults. False: the thread is unknown. Context: owner thread, signal. */
	bool (*inquire)(struct heddle_thread *thread, struct heddle_inquiry *inquiry);

	/*
	 * Like `inquire`, for an event that the thread's own code reports; fills in base and bounds only. Not called
	 * for a thread that has no current task and that no runtime created. NULL: `inquire` is called for all threads,
	 * from registration on, or (`inquires_later`) from heddle__frontend_inquires on. Context: owner thread, inside.
	 */
	bool (*inquire_event)(struct heddle_thread *thread, struct heddle_inquiry *inquiry);
	bool inquires_later;

	/* From now on a context must be looked up by heddle__thread_really. Context: any thread. */
	void (*storage_shared)(void);

	/* Returns whether it needs the keeper (context: any); its work every few milliseconds (context: the keeper). */
	enum heddle_keeper_need (*needs_keeper)(void);
	void (*tick)(void);

	/* Before an exec; after a failed exec. Context: owner thread. */
	void (*suspend)(struct heddle_thread *thread);
	void (*resume)(struct heddle_thread *thread);

	/* Called before the writer reads the thread's values. Context: any thread, signal, when frozen. */
	void (*before_read)(struct heddle_thread *thread);

	/* Measurement has ended. Context: any thread, signal. */
	void (*finish)(void);

	/* In the child of a fork, after core. Context: the child's only thread. */
	void (*after_fork)(void);
};

extern const struct heddle_frontend *const heddle__frontends[]; /* ends with NULL */

/* The call of a runtime by user code: the registers to unwind from there. */
struct heddle_caller {
	uintptr_t pc; /* return address in user code, or in the runtime if only that is known */
	uintptr_t sp; /* the stack pointer after that return */
	uintptr_t bp;
	uintptr_t site; /* the call in user code, if known: distinguishes callers with the same pc */
	const struct heddle_bounds
		*bounds; /* not a copy: reading what was just written piecewise stalls the processor */
};

/* A procedure's code. */
struct heddle_procedure {
	uint64_t place; /* where the code begins */
	uint32_t size;  /* bytes, including the gap before the next procedure; 0: unknown */
};

/* What a capture found. */
struct heddle_captured {
	uint32_t node;
	uint64_t place; /* of the call in the innermost user frame; 0: the current task has no user frame */
	uintptr_t sp;   /* lower end of that frame */
	uintptr_t end;  /* upper end of that frame; 0: unknown */
	struct heddle_procedure procedure; /* of that frame */
	uint64_t entry_place;              /* in the runtime function that it called; 0: none, or unknown */
	uint64_t caller_place; /* of the call of that frame's function; 0: unknown, or the task's outermost frame */
	uintptr_t caller_end;
};

/*
 * The places of reporting code in the program's own executable (a runtime that is linked in). Its innermost frames are
 * left out of the paths of events. Both 0: there is none. Set once. Context: init.
 */
extern uint64_t heddle__reporter_low, heddle__reporter_high;

/*
 * Set by the sampler while sampling: captures the path of `caller`, continued from `base`. NULL without sampling: paths
 * then consist of regions only. The result is in `room`, or in the cache if it was found before: then it is valid until
 * the thread's next capture. Context of the call: owner thread, inside.
 */
extern const struct heddle_captured *(*heddle__capture)(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room);

/*
 * Set by the sampler where frames have no fixed layout (core/base/frame.h), also if it does not sample: replaces a call
 * by the call of the function that made it. `end`: upper end of the stack; 0: unknown. Returns false, with `call`
 * unchanged, if that is unknown. Context: owner thread, signal.
 */
extern bool (*heddle__leave_frame)(struct heddle_call *call, uintptr_t end);

/*
 * Returns the call of the function with that frame record. `own` is the call of the function of Heddle that uses this,
 * whose frame is further in. Context: owner thread.
 */
struct heddle_call heddle__call_of_frame(const void *record, struct heddle_call own);

/* From now on, `inquire` of a front end with `inquires_later` is called. Context: any thread, not a signal handler. */
void heddle__frontend_inquires(const struct heddle_frontend *frontend);

/* Register the models of all front ends. Context: init, before modules are examined. */
void heddle__frontends_register_models(void);

/*
 * Sets the bounds of a thread's frames outside of any task: below its creator's path, frames of thread start do not
 * belong. Context: owner thread, signal.
 */
void heddle__thread_bounds(const struct heddle_thread *thread, struct heddle_bounds *bounds);

/* Asks the models about the thread; sets all members of `inquiry`. Context: owner thread, signal. */
void heddle__inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry);

/*
 * Returns the path of the code that called Heddle, given by the return address, the caller's stack pointer after the
 * return and its frame pointer: frames and open regions while sampling; otherwise open regions only, and no place.
 * Context: owner thread, inside.
 */
struct heddle_captured heddle__caller_path(struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp);

/*
 * Like heddle__caller_path(), without a copy: the result is stored as heddle__capture does. `site` distinguishes
 * callers of the code that called Heddle, see struct heddle_caller.
 */
const struct heddle_captured *heddle__caller_path_at(
	struct heddle_thread *thread, const struct heddle_call *call, uintptr_t site, struct heddle_captured *room);

#endif

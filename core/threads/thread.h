/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread contexts: all state of one measured thread, and the list of them. Only the owner, its signal handlers
 * included, changes a context; the writer reads it while measurement is frozen. A context outlives its thread and is
 * recycled for a later thread with the same start routine, so programs that keep starting threads need no more memory.
 *
 * Rules of entry (each entry into Heddle on a measured thread keeps them):
 *   1. heddle__enter before touching the context, heddle__leave after; pairs may nest.
 *   2. A sample that arrives in between only increments `pending`; leaving charges it to `[heddle]` below the current
 *      node. So at any time, samples taken = samples in slots + pending.
 *   3. No lock, no program heap, no errno change between the two.
 */
#ifndef HEDDLE_CORE_THREAD_H
#define HEDDLE_CORE_THREAD_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/likely.h"
#include "core/threads/blamed.h"
#include "core/threads/exchanges.h"
#include "core/threads/partners.h"
#include "core/threads/shadow_stack.h"
#include "core/threads/site.h"
#include "core/threads/slot.h"
#include "format/ids.h"

#define HEDDLE_FRONTENDS 16

enum heddle_thread_role {
	HEDDLE_THREAD_MAIN,
	HEDDLE_THREAD_OTHER,
	HEDDLE_THREAD_HEDDLE,
	HEDDLE_THREAD_WORKER = 16, /* + a model's number: created by its runtime */
};

/*
 * ACQUIRED: its thread has not begun, so `tid` is not valid. FREE: it belongs to no thread of this process. LINGERS:
 * its thread ended but had events since, and nothing reports when that thread no longer exists.
 */
enum heddle_thread_life {
	HEDDLE_LIFE_ACTIVE,
	HEDDLE_LIFE_ACQUIRED,
	HEDDLE_LIFE_ENDED,
	HEDDLE_LIFE_FREE,
	HEDDLE_LIFE_LINGERS
};

/* Why regions of a thread cannot take the fast path. */
enum heddle_special {
	HEDDLE_SPECIAL_TRACE = 1, /* not a reason: changes are recorded, on the fast path, too */
	HEDDLE_SPECIAL_CLOCK = 2, /* reading the clock takes a call */
	HEDDLE_SPECIAL_VALUES = 4 /* off, or there are listeners */
};

/* Sampling state of a thread. */
struct heddle_sampled {
	uint64_t samples;       /* sampling periods taken, `pending` included */
	uint64_t period_ns;     /* least CPU or wall time of a sampling period; 0: not sampled */
	uint64_t period_cpu_ns; /* CPU time of a period; 0: only the thread's CPU clock has it */
	uint64_t period_ticks;  /* elapsed time of a period, by a wall clock; 0: as its CPU time */
	uint64_t charged_ns;    /* the part of the thread's CPU time that is charged to slots */
	uint64_t ticks; /* measured tick of the last sample; by a wall clock, of the end of the last period charged */
	uint64_t owner_samples; /* of the present owner */
	uint64_t paused_cpu_ns; /* CPU time while measurement was paused */
	uint64_t owed_ticks;    /* elapsed time of sampled code that events charged: subtracted from next samples */
	uint32_t last_node;     /* node of the last sample; 0: none */
};

/* How a thread starts; passed from its creator to the thread. */
struct heddle_thread_start {
	uintptr_t routine;
	void *argument;
	uint32_t creator;  /* node from which its path continues */
	size_t stack_size; /* bytes */
	int own_claim;     /* heddle__own_claim of its creator */
	sigset_t held;     /* signals that it unblocks once its context has begun */
};

struct heddle_thread_times {
	uint64_t start_ns, end_ns;      /* monotonic; end 0: it has not ended */
	uint64_t start_ticks;           /* measured tick at which the present owner started */
	uint64_t wall_ticks;            /* of earlier owners */
	uint64_t off_ticks;             /* measured ticks while `off`, up to the last switch */
	uint64_t off_since;             /* measured tick of the last switch off */
	uint64_t cpu_ns;                /* CPU time of earlier owners */
	_Atomic uint64_t frozen_cpu_ns; /* its CPU clock when measurement was frozen; 0: it began later, or had ended */
};

/* The function of Heddle that is inside, by the frame record that it has on the stack (core/threads/entered.h). */
struct heddle_entered {
	const struct heddle_frame_record *record; /* NULL: none, or one that no handler may abandon */
	uintptr_t pc;                             /* the return address in it; 0: not yet known */
};

struct heddle_thread {
	/* Used by each event; in one cache line. */
	_Atomic uint32_t inside;  /* calls of heddle__enter without a heddle__leave */
	uint8_t special;          /* enum heddle_special; at most TRACE: regions may take the fast path */
	bool off;                 /* gasp_control: this thread is not measured */
	_Atomic uint8_t wanted;   /* enum heddle_wanted; applied when leaving */
	bool idles;               /* a model reported the thread as idle while no region is open */
	_Atomic uint64_t pending; /* sampling periods that arrived while inside */
	uint64_t last_ticks;      /* measured tick up to which regions were charged wall time */
	struct heddle_shadow_stack stack;
	struct heddle_slot *idle_slot; /* charged elapsed time while no region is open; NULL: none */
	uint32_t base;                 /* node from which the thread's path continues: of its creator, or the root */
	bool counted;                  /* the last event was counted, so it is also recorded */
	bool counts_places;            /* its code counts events itself, so listeners are notified of each change */
	struct heddle_trace *trace;    /* what it records into (core/threads/trace.h); NULL: nothing */
	struct heddle_entered entered;

	struct heddle_sampled sampled;
	struct heddle_counting *counting; /* NULL: no counters are read */
	struct heddle_region first_regions[HEDDLE_REGION_BLOCK(HEDDLE_FIRST_REGIONS)];
	struct heddle_blamed blamed;

	uint32_t id;
	pid_t tid;
	uint8_t role;          /* enum heddle_thread_role */
	_Atomic uint8_t life;  /* enum heddle_thread_life */
	uint8_t end_rounds;    /* rounds of thread-specific data destructors so far */
	_Atomic uint32_t uses; /* number of owners so far, except those counted in another context */
	int32_t number;        /* last known number in a team; -1: none */
	_Atomic uint32_t rank; /* number in the whole program + 1, set by the model that numbers threads; 0: none */
	_Atomic uint8_t rank_model; /* that model's number */
	uintptr_t stack_low, stack_high;
	struct heddle_thread_start start;
	struct heddle_thread_times times;
	uint32_t last_task_node; /* node of the parallel region that it left last; 0: none */
	char name[16];
	bool named; /* by the program: takes precedence over the kernel's name */

	struct heddle_slots slots;
	struct heddle_sites sites;
	struct heddle_partners partners;
	struct heddle_exchanges exchanges;

	void *frontend[HEDDLE_FRONTENDS]; /* state of each front end, by its index */
	struct heddle_thread *next;       /* in the list of all contexts */
};

/* True if the runtime of that model (0: of any model) created the thread. */
static inline bool heddle__is_worker_of(const struct heddle_thread *thread, unsigned int model)
{
	return model ? thread->role == HEDDLE_THREAD_WORKER + model : thread->role >= HEDDLE_THREAD_WORKER;
}

extern _Thread_local struct heddle_thread *heddle__self;

/* This thread's context, or NULL. Context: any thread, signal. */
static inline struct heddle_thread *heddle__thread_self(void)
{
	return heddle__self;
}

static inline void heddle__enter(struct heddle_thread *thread)
{
	uint32_t inside = atomic_load_explicit(&thread->inside, memory_order_relaxed);
	atomic_store_explicit(&thread->inside, inside + 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

enum heddle_wanted {
	HEDDLE_WANTED_ON = 1, /* thread control; at most one of the two */
	HEDDLE_WANTED_OFF = 2,
	HEDDLE_WANTED_EVENTS = 4, /* front ends have deferred events */
};

/* Requests `what` in place of `instead_of`; applied when the thread leaves. Context: owner thread, inside, signal. */
void heddle__want(struct heddle_thread *thread, enum heddle_wanted what, uint8_t instead_of);

/* True if work was deferred while the thread was inside. Context: owner thread. */
static inline bool heddle__has_put_off(const struct heddle_thread *thread)
{
	return atomic_load_explicit(&thread->pending, memory_order_relaxed) ||
	       atomic_load_explicit(&thread->wanted, memory_order_relaxed);
}

/*
 * Does the work that was deferred while a thread was inside; called when it leaves. Set by heddle__threads_init.
 * Context: owner thread, inside, signal.
 */
extern void (*heddle__catch_up)(struct heddle_thread *thread);

/* The slow path of heddle__leave. Context: owner thread, signal. */
void heddle__leave_late(struct heddle_thread *thread);

/* Leaves without doing deferred work. True: heddle__leave_late must be called. */
static inline bool heddle__leave_inner(struct heddle_thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	uint32_t inside = atomic_load_explicit(&thread->inside, memory_order_relaxed);
	atomic_store_explicit(&thread->inside, inside - 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	return HEDDLE_UNLIKELY(inside == 1 && heddle__has_put_off(thread));
}

static inline void heddle__leave(struct heddle_thread *thread)
{
	if (heddle__leave_inner(thread))
		heddle__leave_late(thread);
}

/*
 * Returns a context for a new thread: one of an ended thread with the same start routine, else a new one. NULL: no
 * memory. Context: any thread.
 */
struct heddle_thread *heddle__thread_acquire(uintptr_t start_routine, unsigned int role);

/* The context of the running thread with that kernel id, or NULL. Context: any thread, signal. */
struct heddle_thread *heddle__thread_of(pid_t tid);

/* Assign the context to the running thread with that kernel id. Context: any thread. */
void heddle__thread_belongs_to(struct heddle_thread *thread, pid_t tid);

/* Acquires a context again after its end, unless another thread has. Released as below. Context: former owner. */
bool heddle__thread_retake(struct heddle_thread *thread);

/* Releases a context that was acquired but never begun. Context: the acquirer. */
void heddle__thread_release(struct heddle_thread *thread);

/* Recomputes `special` after a change of what it depends on. Context: owner thread. */
void heddle__update_special(struct heddle_thread *thread);

/*
 * Returns the slot of `node` on this thread, which is added if necessary; without memory, a scratch slot, whose values
 * are lost. Context: owner thread, inside.
 */
static inline struct heddle_slot *heddle__slot(struct heddle_thread *thread, uint32_t node)
{
	return heddle__slots_find(&thread->slots, node);
}

/* Like heddle__slot(), by a small cache: for a child of `parent`, and for the node. Context: owner thread, inside. */
static inline struct heddle_slot *heddle__event_slot(
	struct heddle_thread *thread, uint32_t parent, uint32_t meta, uint64_t place)
{
	return heddle__slots_child(&thread->slots, parent, meta, place);
}

static inline struct heddle_slot *heddle__node_slot(struct heddle_thread *thread, uint32_t node)
{
	return heddle__slots_node(&thread->slots, node);
}

/* The number of slots, and the one with that number or NULL. Context: owner thread; any thread, when frozen. */
static inline uint32_t heddle__slot_count(const struct heddle_thread *thread)
{
	return atomic_load(&thread->slots.count);
}

static inline struct heddle_slot *heddle__slot_at(const struct heddle_thread *thread, uint32_t number)
{
	return heddle__slots_at(&thread->slots, number);
}

/*
 * The place of a source line (0 for a NULL file without a line; the text of `file` must stay valid), and of the call
 * that returns to that address (0 for NULL). Context: owner thread, inside.
 */
static inline uint64_t heddle__source_place(struct heddle_thread *thread, const char *file, int line)
{
	return heddle__sites_source(&thread->sites, file, line);
}

static inline uint64_t heddle__call_place(struct heddle_thread *thread, const void *return_address)
{
	return heddle__sites_call(&thread->sites, return_address);
}

/*
 * The cached site of an event by its kind, address and parent node; NULL: not cached. For frequent events, it takes one
 * look-up instead of two. Context: owner thread, inside.
 */
static inline bool heddle__is_site(const struct heddle_thread *thread, const struct heddle_known_site *site,
	uint32_t parent, uint32_t event, const void *address)
{
	return heddle__sites_match(&thread->sites, site, parent, event, address);
}

static inline const struct heddle_known_site *heddle__known_site(
	struct heddle_thread *thread, uint32_t parent, uint32_t event, const void *address)
{
	const struct heddle_known_site *site = heddle__sites_entry(&thread->sites, parent, event, (uintptr_t)address);
	return HEDDLE_LIKELY(heddle__is_site(thread, site, parent, event, address)) ? site : NULL;
}

static inline void heddle__keep_site(struct heddle_thread *thread, const struct heddle_known_site *site)
{
	heddle__sites_keep(&thread->sites, site);
}

/* True if the program had measured threads and all have ended. Context: any thread. */
bool heddle__threads_all_ended(void);

/* Threads of the program that have a context and have not ended. Context: any thread. */
uint32_t heddle__threads_alive(void);

/* All contexts, newest first. Context: any thread, signal. */
struct heddle_thread *heddle__threads(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread contexts: everything that one thread measures with. Only the owner (its signal handlers included) changes one;
 * the writer reads it when measurement is frozen. A context outlives its thread; a later thread with the same start
 * routine takes it over, so that programs which start threads all the time don't grow.
 *
 * Rules of entry (each entry into Heddle on a measured thread keeps them):
 *   1. heddle__enter before touching the context, heddle__leave after; pairs may nest.
 *   2. A sample that lands in between changes nothing but `pending`; leaving charges it to `[heddle]` at the place
 *      that was current. So samples taken = samples in slots + pending, at any time.
 *   3. No lock, no program heap, no errno change between the two.
 */
#ifndef HEDDLE_CORE_THREAD_H
#define HEDDLE_CORE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/blame.h"
#include "core/module.h"
#include "format/ids.h"

#define HEDDLE_SLOT_CHUNKS 20
#define HEDDLE_FIRST_SLOTS 32
#define HEDDLE_FIRST_REGIONS 128
#define HEDDLE_REGION_LIMIT (1u << 17)
#define HEDDLE_EVENT_CACHE 256
#define HEDDLE_CALL_SITES 16
#define HEDDLE_KNOWN_SITES 64
#define HEDDLE_SOURCE_SITES 64
#define HEDDLE_FRONTENDS 8

/* What values one argument of an event had (format's Distribution). */
struct heddle_distribution {
	struct heddle_distribution *next;
	uint32_t argument; /* 0: sizes */
	uint32_t text;     /* a string's number + 1, or 0 */
	uint64_t count;
	double minimum, maximum, sum;
	uint64_t *buckets; /* of sizes */
};

/*
 * The values of one call path on one thread. Never moved. WALL_TIME and FLIGHT_TIME are kept in ticks until they are
 * written. Metrics from HEDDLE_METRIC_COMMON on stand in `more`, through heddle__slot_add.
 */
struct heddle_slot {
	uint64_t value[HEDDLE_METRIC_COMMON];
	uint64_t *more;   /* NULL: none has a value */
	uint64_t *counts; /* of counters (core/counting.h), likewise */
	struct heddle_distribution *distributions;
	uint32_t node;
};

enum heddle_thread_role { HEDDLE_THREAD_MAIN, HEDDLE_THREAD_OTHER, HEDDLE_THREAD_OPENMP, HEDDLE_THREAD_HEDDLE };

/* Acquired: for a thread that has not begun, so `tid` says nothing. Free: of no thread of this process. */
enum heddle_thread_life { HEDDLE_LIFE_ACTIVE, HEDDLE_LIFE_ACQUIRED, HEDDLE_LIFE_ENDED, HEDDLE_LIFE_FREE };

/* An open region of the shadow stack. */
struct heddle_region {
	uint32_t meta; /* as of its node */
	uint32_t node;
	struct heddle_slot *slot; /* takes the elapsed time while this is innermost; NULL: samples take it */
	uintptr_t cfa;            /* stack address at which it was opened, for interleaving with frames; 0: unknown */
	uint64_t place;           /* where it was opened */
	uint64_t tag;             /* not 0: a task's entry, and its name */
	uint64_t call;            /* a function's: where it returns to; a phase's: who called its opener; a
				   task's: the model's; 0: unknown */
	uint64_t entry;           /* a function's, as of struct heddle_activation; a phase's: that caller's frame's end;
				     another region's: the model's, or 0 */
	union {
		uint32_t line;       /* deferred: of the source */
		uint32_t task_below; /* a task's: which entry was the current task's before, as of `task` below */
	};
	uint8_t state;    /* enum heddle_state of time spent in it */
	uint8_t deferred; /* enum heddle_deferred: opened while control was off, `node` and `place` not made */
};

/* What a deferred region's `place` holds. */
enum heddle_deferred { HEDDLE_DEFERRED_NOT, HEDDLE_DEFERRED_PLACE, HEDDLE_DEFERRED_SOURCE };

struct heddle_event_cache {
	uint64_t place;
	uint32_t parent, meta;
	struct heddle_slot *slot;
};

/* The place of an address that events came from before. */
struct heddle_source_site {
	const char *file;
	uint64_t place;
	int line;
};

struct heddle_call_site {
	uintptr_t address;
	uint64_t version; /* of the modules' list */
	uint64_t place;
};

/* What an event came to before: one of that kind, from that address, below that node. */
struct heddle_known_site {
	uintptr_t address;
	uint32_t parent, event; /* the event's id + 1; 0: nothing was kept */
	struct heddle_slot *slot;
	uint64_t place;
};

/* Why regions of a thread go the rare ways. */
enum heddle_special {
	HEDDLE_SPECIAL_CLOCK = 1, /* it takes a call to read it */
	HEDDLE_SPECIAL_VALUES = 2 /* off, or counters are read, or blame is given */
};

struct heddle_thread {
	/* What each event looks at, in one cache line. */
	_Atomic uint32_t inside;        /* entries open */
	uint8_t special;                /* enum heddle_special: of what regions are more than visits and times */
	bool off;                       /* by gasp_control: nothing of this thread is measured */
	_Atomic uint8_t control_wanted; /* enum heddle_control_wanted: to be done when leaving */
	bool idles;                     /* a model said so of the time while nothing is open */
	_Atomic uint64_t pending;       /* sampling periods that arrived while inside */
	uint64_t last_ticks;            /* measured ticks up to which wall time was charged by regions */
	struct heddle_region
		*regions;    /* the first ones, or a larger block; older blocks stay, others may look at them */
	uint32_t depth;      /* open regions */
	uint32_t task;       /* which of them, counted from 1, is the current task's entry; 0: none */
	uint32_t lost_depth; /* those beyond HEDDLE_REGION_LIMIT */
	uint32_t region_room;
	struct heddle_slot *idle_slot; /* takes elapsed time while no region is open; NULL: none does */
	uint32_t base;                 /* node of the current task's context; the root outside any */

	uint64_t samples;      /* sampling periods taken, `pending` included */
	uint64_t period_ns;    /* CPU or wall time that a sampling period stands for at least; 0: not sampled */
	uint64_t charged_ns;   /* of this thread's CPU clock, the part that is in slots */
	uint64_t sample_ticks; /* of the last sample */
	struct heddle_counting *counting; /* NULL: no counters are read */
	struct heddle_region first_regions[HEDDLE_FIRST_REGIONS];
	struct heddle_region lost_region; /* beyond the limit */
	struct heddle_blamed blamed;

	uint32_t id;
	pid_t tid;
	uint8_t role;         /* enum heddle_thread_role */
	_Atomic uint8_t life; /* enum heddle_thread_life */
	bool inherits_block;  /* heddle__claimed_is_blocked of its creator */
	uint8_t end_rounds;   /* of thread-specific data destructors that ran */
	uint32_t uses;        /* threads that had this context, one after the other */
	int32_t openmp_number;
	_Atomic uint32_t rank; /* number in the whole program + 1, as the model that numbers threads says; 0: none */
	uintptr_t stack_low, stack_high;
	uintptr_t start_routine;
	void *start_argument;
	size_t stack_size;
	uint64_t start_ns, end_ns; /* monotonic */
	uint64_t start_ticks;      /* measured ticks at the present owner's start */
	uint64_t wall_ticks;       /* of earlier owners */
	uint64_t off_ticks;        /* measured ticks while `off`, up to the last switch */
	uint64_t off_since;        /* measured tick of the last switch off */
	uint64_t cpu_ns;           /* CPU time of earlier owners */
	uint64_t paused_cpu_ns;    /* CPU time while measurement was switched off */
	uint32_t last_sample_node;
	uint64_t owner_samples; /* of the present owner */
	char name[16];

	struct heddle_slot *_Atomic slots[HEDDLE_SLOT_CHUNKS]; /* chunk k holds HEDDLE_FIRST_SLOTS << k */
	_Atomic uint32_t slot_count;
	uint32_t *index; /* open addressing, pairs {node, slot + 1} */
	uint32_t index_size;
	struct heddle_event_cache cache[HEDDLE_EVENT_CACHE];
	struct heddle_call_site call_sites[HEDDLE_CALL_SITES];
	struct heddle_known_site known_sites[HEDDLE_KNOWN_SITES];
	uint64_t known_version; /* of the modules' list: theirs */
	struct heddle_source_site source_sites[HEDDLE_SOURCE_SITES];

	void *frontend[HEDDLE_FRONTENDS]; /* each front end's own, by its index */
	struct heddle_thread *next;       /* of all contexts */
};

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

enum heddle_control_wanted { HEDDLE_CONTROL_NONE, HEDDLE_CONTROL_ON, HEDDLE_CONTROL_OFF };

/* Something was put off while the thread was inside. Context: owner thread. */
static inline bool heddle__has_put_off(const struct heddle_thread *thread)
{
	return atomic_load_explicit(&thread->pending, memory_order_relaxed) ||
	       atomic_load_explicit(&thread->control_wanted, memory_order_relaxed);
}

/* Do it; called by heddle__leave. */
void heddle__leave_late(struct heddle_thread *thread);

static inline void heddle__leave(struct heddle_thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	uint32_t inside = atomic_load_explicit(&thread->inside, memory_order_relaxed);
	atomic_store_explicit(&thread->inside, inside - 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(inside == 1 && heddle__has_put_off(thread), 0))
		heddle__leave_late(thread);
}

/*
 * A context for a thread to be: a free one with the same start routine, else a new one. NULL: no memory.
 * Context: any thread.
 */
struct heddle_thread *heddle__thread_acquire(uintptr_t start_routine, enum heddle_thread_role role);

/* The context of a living thread by its kernel id, or NULL. Context: any thread, signal. */
struct heddle_thread *heddle__thread_of(pid_t tid);

/* It is the one of the living thread with that kernel id from now on. Context: any thread. */
void heddle__thread_belongs_to(struct heddle_thread *thread, pid_t tid);

/* Give back one that was acquired but never begun. Context: the acquirer. */
void heddle__thread_release(struct heddle_thread *thread);

/* Tell anew what is special. Context: owner thread, when that changed. */
void heddle__tell_special(struct heddle_thread *thread);

/* Make it the calling thread's, tell the front ends. Context: the new owner. */
void heddle__thread_begin(struct heddle_thread *thread, size_t stack_size);

/*
 * The calling thread's context, made if it has none and has not ended. NULL: no memory, or measurement is not running.
 * Context: any thread, not a signal handler.
 */
struct heddle_thread *heddle__thread_make(enum heddle_thread_role role);

static inline struct heddle_thread *heddle__thread_ensure(enum heddle_thread_role role)
{
	struct heddle_thread *thread = heddle__thread_self();
	return __builtin_expect(thread != NULL, 1) ? thread : heddle__thread_make(role);
}

/* Close the calling thread's books. Context: owner thread, at its end. */
void heddle__thread_end(struct heddle_thread *thread);

/* The values of `node` on this thread, made if need be; a scratch slot when memory is short. Context: owner, inside. */
struct heddle_slot *heddle__slot(struct heddle_thread *thread, uint32_t node);

/* Whether the slot may be kept: the one above is the thread's as long as its context lives, but for scratch. NULL may.
 */
bool heddle__is_lasting(const struct heddle_slot *slot);

/* The values of the child of `parent`, through a small cache. Context: owner thread, inside. */
struct heddle_slot *heddle__find_event_slot(
	struct heddle_thread *thread, struct heddle_event_cache *entry, uint32_t parent, uint32_t meta, uint64_t place);

static inline struct heddle_slot *heddle__event_slot(
	struct heddle_thread *thread, uint32_t parent, uint32_t meta, uint64_t place)
{
	uint64_t hash = (place ^ parent * (uint64_t)0x9e3779b1u ^ meta) * 0x9e3779b97f4a7c15u;
	struct heddle_event_cache *entry = &thread->cache[hash >> 56];
	_Static_assert(HEDDLE_EVENT_CACHE == 256, "eight bits of hash");
	if (__builtin_expect(entry->slot && entry->place == place && entry->parent == parent && entry->meta == meta, 1))
		return entry->slot;
	return heddle__find_event_slot(thread, entry, parent, meta, place);
}

/* The values of the node itself, through the same cache. */
struct heddle_slot *heddle__find_node_slot(
	struct heddle_thread *thread, struct heddle_event_cache *entry, uint32_t node);

static inline struct heddle_slot *heddle__node_slot(struct heddle_thread *thread, uint32_t node)
{
	struct heddle_event_cache *entry = &thread->cache[node % HEDDLE_EVENT_CACHE];
	if (__builtin_expect(entry->slot && entry->parent == node && !entry->meta, 1))
		return entry->slot;
	return heddle__find_node_slot(thread, entry, node);
}

/*
 * Add to a metric that not every path has (HEDDLE_METRIC_COMMON and above). Lost when memory is short.
 * Context: owner thread, inside.
 */
void heddle__slot_add(struct heddle_slot *slot, enum heddle_metric metric, uint64_t amount);

/*
 * Take in one value of an argument; `text` is a string's number + 1, or 0. For argument 0 the value is a size and goes
 * into its bucket too. Context: owner thread, inside.
 */
void heddle__slot_distribute(struct heddle_slot *slot, uint32_t argument, uint32_t text, double value);

/* The place of a line of a source file, whose name's pointer stays valid and unchanged; 0 for a NULL file without a
 * line. Context: owner thread, inside. */
uint64_t heddle__find_source_place(struct heddle_source_site *site, const char *file, int line);

static inline uint64_t heddle__source_place(struct heddle_thread *thread, const char *file, int line)
{
	uint64_t hash =
		((uintptr_t)file ^ (uint64_t)(unsigned int)line << 32 ^ (unsigned int)line) * 0x9e3779b97f4a7c15u;
	struct heddle_source_site *site = &thread->source_sites[hash >> 58];
	_Static_assert(HEDDLE_SOURCE_SITES == 64, "six bits of hash");
	if (__builtin_expect(site->file == file && site->line == line, 1))
		return site->place;
	return heddle__find_source_place(site, file, line);
}

/* The place of the call that returns to `return_address`; 0 for NULL. Context: owner thread, inside. */
uint64_t heddle__find_call_place(struct heddle_call_site *site, uintptr_t address);

static inline uint64_t heddle__call_place(struct heddle_thread *thread, const void *return_address)
{
	uintptr_t address = (uintptr_t)return_address;
	struct heddle_call_site *site = &thread->call_sites[address * 0x9e3779b97f4a7c15u >> 60];
	_Static_assert(HEDDLE_CALL_SITES == 16, "four bits of hash");
	if (!address)
		return 0;
	if (__builtin_expect(site->address == address && site->version == heddle__modules_version(), 1))
		return site->place;
	return heddle__find_call_place(site, address);
}

/*
 * What became of an event of that kind from that address below that node, if it was kept; NULL: look it up. One look
 * instead of two, where events come thick and fast. Context: owner thread, inside.
 */
static inline struct heddle_known_site *heddle__site_entry(
	struct heddle_thread *thread, uint32_t parent, uint32_t event, uintptr_t address)
{
	uint64_t hash = (address ^ (uint64_t)parent * 0x9e3779b1u ^ event << 8) * 0x9e3779b97f4a7c15u;
	_Static_assert(HEDDLE_KNOWN_SITES == 64, "six bits of hash");
	return &thread->known_sites[hash >> 58];
}

static inline bool heddle__is_site(const struct heddle_thread *thread, const struct heddle_known_site *site,
	uint32_t parent, uint32_t event, const void *address)
{
	return site->address == (uintptr_t)address && site->parent == parent && site->event == event + 1 &&
	       thread->known_version == heddle__modules_version();
}

static inline const struct heddle_known_site *heddle__known_site(
	struct heddle_thread *thread, uint32_t parent, uint32_t event, const void *address)
{
	const struct heddle_known_site *site = heddle__site_entry(thread, parent, event, (uintptr_t)address);
	return __builtin_expect(heddle__is_site(thread, site, parent, event, address), 1) ? site : NULL;
}

/* Keep it. Context: owner thread, inside. */
void heddle__keep_site(struct heddle_thread *thread, const struct heddle_known_site *site);

/* The slot with that number, or NULL. Context: any thread, when frozen, or owner. */
struct heddle_slot *heddle__slot_at(const struct heddle_thread *thread, uint32_t number);

/* Whether there were measured threads and all have ended. Context: any thread. */
bool heddle__threads_all_ended(void);

/* All contexts, newest first. Context: any thread, signal. */
struct heddle_thread *heddle__threads(void);

/* Forget all that was measured, in the child of a fork; the caller's context stays. Context: the child's only thread.
 */
void heddle__threads_after_fork(void);

/* Prepare what thread_ensure and thread_end need. Context: init. Returns 0 or -errno. */
int heddle__threads_init(void);

/* The sizes that stacks have when nobody says otherwise. Context: any thread. */
size_t heddle__default_stack_size(void);

#endif

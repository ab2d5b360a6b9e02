/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry and exit of functions, as -finstrument-functions of GCC and Clang tells them. The C library has versions of the
 * hooks that do nothing, so a program built that way runs without Heddle too. Runs in the program's signal handlers,
 * where those call instrumented functions.
 */
#include "models/c/c_functions.h"

#include <stddef.h>
#include <stdint.h>

#include "core/control.h"
#include "core/host.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/process.h"
#include "core/region.h"
#include "core/thread.h"
#include "core/tree.h"

#define PLACES 256u
#define PAGE 4096u

/* A function's code up to where it tells of itself is hardly longer; what was put inline into others tells further on.
 */
#define PROLOGUE 64u

/* How far to look for the return address in functions without a frame pointer. */
#define SCAN_WORDS 64u

/* Events that handlers which interrupt Heddle may leave for later; more are lost. */
#define LATE_EVENTS 64u

/* The places of functions that were called before. */
struct function_place {
	uintptr_t address;
	uint64_t version; /* of the modules' list */
	uint64_t place;
};

/* What a hook was told. */
struct function_event {
	uintptr_t function; /* 0: not written */
	uintptr_t cfa, call, entry;
	bool leaves;
};

struct function_thread {
	const uintptr_t *hook; /* frame of the hook that is inside; NULL: none */
	uintptr_t hook_return; /* the return address there */
	_Atomic uint32_t late; /* events left for later */
	struct function_event late_events[LATE_EVENTS];
	struct function_place places[PLACES];
};

enum { FUNCTIONS_UNKNOWN, FUNCTIONS_ON, FUNCTIONS_OFF };

static uint8_t functions = FUNCTIONS_UNKNOWN;
static unsigned int own_index;

void heddle__c_functions_start(bool wanted, unsigned int index)
{
	own_index = index;
	functions = wanted ? FUNCTIONS_ON : FUNCTIONS_OFF;
}

void heddle__c_functions_stop(void)
{
	functions = FUNCTIONS_OFF;
}

static inline uint64_t place_of(struct function_thread *own, uintptr_t address)
{
	struct function_place *known = &own->places[address * 0x9e3779b97f4a7c15u >> 56];
	_Static_assert(PLACES == 256, "eight bits of hash");
	if (known->address != address || known->version != heddle__modules_version()) {
		known->version = heddle__modules_version();
		known->place = heddle__place_of(address);
		known->address = HEDDLE_PLACE_MODULE(known->place) ? address : 0;
	}
	return known->place;
}

static bool is_on_stack(const struct heddle_thread *thread, const uintptr_t *at)
{
	return (uintptr_t)at >= thread->stack_low && (uintptr_t)at < thread->stack_high;
}

/* What lies between a hook's frame and that address can be read. */
static uintptr_t readable_end(const struct heddle_thread *thread, const uintptr_t *hook)
{
	return is_on_stack(thread, hook) ? thread->stack_high : ((uintptr_t)hook | (PAGE - 1)) + 1;
}

/* Without a frame pointer: after the first word above us that is the return address. 0: not found. */
__attribute__((noinline, no_sanitize("address", "thread"))) static uintptr_t scan_for_end(
	const uintptr_t *hook, uintptr_t end, uintptr_t call_site)
{
	for (const uintptr_t *at = hook + 2; at < hook + 2 + SCAN_WORDS && (uintptr_t)(at + 1) <= end; at++) {
		if (*at == call_site)
			return (uintptr_t)(at + 1);
	}
	return 0;
}

/*
 * The upper end of the instrumented function's frame, where its return address stands: by its frame pointer; or at our
 * own, when it left by jumping to the hook.
 */
__attribute__((no_sanitize("address", "thread"))) static inline uintptr_t frame_end(
	const struct heddle_thread *thread, const uintptr_t *hook, uintptr_t call_site)
{
	const uintptr_t end = readable_end(thread, hook), saved = hook[0];
	if (hook[1] == call_site)
		return (uintptr_t)&hook[2];
	if (saved > (uintptr_t)hook && saved + 2 * sizeof(saved) <= end && saved % sizeof(saved) == 0 &&
		((const uintptr_t *)saved)[1] == call_site)
		return saved + 2 * sizeof(saved);
	return scan_for_end(hook, end, call_site);
}

static struct function_thread *own_of(struct heddle_thread *thread)
{
	struct function_thread *own = thread->frontend[own_index];
	if (!own)
		thread->frontend[own_index] = own = heddle__alloc(sizeof(*own));
	return own;
}

/* A hook may be the first of Heddle's that a program calls: constructors of its libraries run before ours. */
__attribute__((noinline, cold)) static struct heddle_thread *first_hook(void)
{
	if (functions == FUNCTIONS_UNKNOWN && (!heddle__start() || functions == FUNCTIONS_UNKNOWN))
		functions = FUNCTIONS_OFF;
	return functions == FUNCTIONS_ON ? heddle__thread_ensure(HEDDLE_THREAD_OTHER) : NULL;
}

/*
 * Whether the hook that is inside was left for good, by a handler's siglongjmp: then we don't stand below it, or its
 * frame has been written over.
 */
__attribute__((noinline, no_sanitize("address", "thread"))) static bool is_abandoned(
	const struct heddle_thread *thread, const struct function_thread *own, const uintptr_t *hook)
{
	if (!own->hook || !is_on_stack(thread, own->hook) || !is_on_stack(thread, hook))
		return false;
	return hook >= own->hook || own->hook[1] != own->hook_return;
}

/* An event may not be taken in now by a handler that interrupted Heddle itself. */
static inline bool may_enter(
	const struct heddle_thread *thread, const struct function_thread *own, const uintptr_t *hook)
{
	return __builtin_expect(!atomic_load_explicit(&thread->inside, memory_order_relaxed), 1) ||
	       is_abandoned(thread, own, hook);
}

/* Context: inside. */
__attribute__((always_inline)) static inline void take(
	struct heddle_thread *thread, struct function_thread *own, const struct function_event *event)
{
	struct heddle_activation activation = {.meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0),
		.place = place_of(own, event->function),
		.cfa = event->cfa,
		.call = event->call,
		.entry = event->entry,
		.outermost = event->entry - event->function < PROLOGUE};
	if (event->leaves)
		heddle__activation_end(thread, &activation);
	else
		heddle__activation_begin(thread, &activation);
}

/* Handlers run on top of each other and to their ends; so each writes what it reserved. */
__attribute__((noinline, cold)) static void leave_for_later(
	const struct heddle_thread *thread, const uintptr_t *hook, uintptr_t function, uintptr_t call_site, bool leaves)
{
	struct function_thread *own = thread->frontend[own_index];
	uint32_t at = atomic_fetch_add_explicit(&own->late, 1, memory_order_relaxed);
	if (at >= LATE_EVENTS)
		return;
	own->late_events[at] = (struct function_event){.function = function,
		.cfa = frame_end(thread, hook, call_site),
		.call = call_site,
		.entry = hook[1],
		.leaves = leaves};
}

/* What handlers left while the thread was inside; more may come meanwhile. Context: inside. */
__attribute__((noinline, cold)) static void take_late(struct heddle_thread *thread, struct function_thread *own)
{
	uint32_t done = 0, count;
	do {
		count = atomic_load_explicit(&own->late, memory_order_relaxed);
		for (; done < count && done < LATE_EVENTS; done++) {
			if (own->late_events[done].function)
				take(thread, own, &own->late_events[done]);
			own->late_events[done].function = 0;
		}
	} while (!atomic_compare_exchange_strong_explicit(
		&own->late, &count, 0, memory_order_relaxed, memory_order_relaxed));
}

__attribute__((always_inline)) static inline void on_hook(
	uintptr_t function, uintptr_t call_site, const uintptr_t *hook, bool leaves)
{
	if (functions == FUNCTIONS_OFF)
		return;
	struct heddle_thread *thread = heddle__thread_self();
	if (__builtin_expect(!thread, 0) && !(thread = first_hook()))
		return;
	struct function_thread *own = own_of(thread);
	if (!own)
		return;
	if (!may_enter(thread, own, hook)) {
		leave_for_later(thread, hook, function, call_site, leaves);
		return;
	}
	const struct function_event event = {.function = function,
		.cfa = frame_end(thread, hook, call_site),
		.call = call_site,
		.entry = hook[1],
		.leaves = leaves};
	own->hook_return = hook[1];
	own->hook = hook;
	atomic_store_explicit(&thread->inside, 1, memory_order_relaxed); /* heddle__enter, from none */
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&own->late, memory_order_relaxed) != 0, 0))
		take_late(thread, own);
	take(thread, own, &event);
	if (__builtin_expect(atomic_load_explicit(&own->late, memory_order_relaxed) != 0, 0))
		take_late(thread, own);
	heddle__leave(thread);
	own->hook = NULL;
}

void heddle__c_functions_thread_end(struct heddle_thread *thread)
{
	struct function_thread *own = thread->frontend[own_index];
	if (own && functions == FUNCTIONS_ON)
		take_late(thread, own);
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

HEDDLE_EXPORT void __cyg_profile_func_enter(void *function, void *call_site)
{
	on_hook((uintptr_t)function, (uintptr_t)call_site, __builtin_frame_address(0), false);
}

HEDDLE_EXPORT void __cyg_profile_func_exit(void *function, void *call_site)
{
	on_hook((uintptr_t)function, (uintptr_t)call_site, __builtin_frame_address(0), true);
}

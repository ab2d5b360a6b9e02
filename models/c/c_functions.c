/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry and exit of functions, as reported by -finstrument-functions of GCC and Clang. The C library defines empty
 * hooks, so an instrumented program runs without Heddle, too. Runs in the program's signal handlers, if they call
 * instrumented functions.
 */
#include "models/c/c_functions.h"
#include "core/base/likely.h"

#include <stddef.h>
#include <stdint.h>

#include "core/base/frame.h"
#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/host/host_functions.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/entered.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "models/c/c_brief.h"

#define META HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0)
#define PLACES 256u
#define PAGE 4096u

/* In practice, the hook is called within this many bytes of a function's start; in an inlined function, further on. */
#define PROLOGUE 64u

/* How many words to scan for the return address in functions without a frame pointer. */
#define SCAN_WORDS 64u

/*
 * Deferred events, from signal handlers that interrupt Heddle. After the first block, each further block has room for
 * as many as all blocks before it. Events beyond the last block are lost.
 */
#define FIRST_DEFERRED 64u
#define MORE_DEFERRED 12u

/* A cache of places of functions. */
struct function_place {
	uintptr_t address;
	uint64_t version; /* of the list of modules */
	uint64_t place;
};

/* A cache of slots of functions below a caller's node, as from heddle__event_slot: one look-up instead of two. */
struct known_call {
	uintptr_t function;
	uint64_t version, place; /* as in struct function_place */
	struct heddle_slot *slot;
	uint32_t parent;
};

/* A call of a hook. */
struct hook_call {
	const struct heddle_frame_record *record; /* of the hook's frame */
	struct heddle_call from;
};

/* The data of one call of a hook. */
struct function_event {
	uintptr_t function; /* 0: not yet written */
	uintptr_t cfa, call, entry;
	bool is_exit;
};

struct function_thread {
	_Atomic uint32_t deferred; /* number of deferred events */
	struct function_event first_deferred[FIRST_DEFERRED];
	struct function_event *_Atomic more_deferred[MORE_DEFERRED];
	struct function_place places[PLACES];
	struct known_call calls[PLACES];
	struct heddle_c_functions *brief; /* NULL: none yet */
};

enum {
	FUNCTIONS_UNKNOWN,
	FUNCTIONS_ON,
	FUNCTIONS_SHARED, /* on, and threads may share another thread's thread-local storage */
	FUNCTIONS_OFF
};

static uint8_t functions = FUNCTIONS_UNKNOWN;
static unsigned int own_index;

void heddle__c_functions_start(bool wanted, unsigned int index)
{
	own_index = index;
	functions = !wanted ? FUNCTIONS_OFF : heddle__storage_is_shared() ? FUNCTIONS_SHARED : FUNCTIONS_ON;
}

void heddle__c_functions_share(void)
{
	if (functions == FUNCTIONS_ON)
		functions = FUNCTIONS_SHARED;
}

void heddle__c_functions_stop(void)
{
	functions = FUNCTIONS_OFF;
}

static inline uint64_t place_of(struct function_thread *own, uintptr_t address)
{
	struct function_place *known = &own->places[heddle__hash(address) >> 56];
	_Static_assert(PLACES == 256, "eight bits of hash");
	if (known->address != address || known->version != heddle__modules_version()) {
		known->address = 0; /* a handler may abandon what follows */
		atomic_signal_fence(memory_order_seq_cst);
		known->version = heddle__modules_version();
		known->place = heddle__place_of(address);
		atomic_signal_fence(memory_order_seq_cst);
		known->address = HEDDLE_PLACE_MODULE(known->place) ? address : 0;
	}
	return known->place;
}

static bool is_on_stack(const struct heddle_thread *thread, const struct heddle_frame_record *at)
{
	return (uintptr_t)at >= thread->stack_low && (uintptr_t)at < thread->stack_high;
}

/* Returns the end of the readable stack above a hook's frame. */
static uintptr_t readable_end(const struct heddle_thread *thread, const struct hook_call *hook)
{
	return is_on_stack(thread, hook->record) ? thread->stack_high : ((uintptr_t)hook->record | (PAGE - 1)) + 1;
}

#if HEDDLE_RECORD_ENDS_FRAME
/*
 * For functions without a frame pointer: returns the address behind the first word above the hook's frame that equals
 * the return address; 0: none.
 */
__attribute__((noinline, no_sanitize("address", "thread"))) static uintptr_t scan_for_frame_end(
	uintptr_t sp, uintptr_t end, uintptr_t call_site)
{
	for (const uintptr_t *at = (const uintptr_t *)sp;
		at < (const uintptr_t *)sp + SCAN_WORDS && (uintptr_t)(at + 1) <= end; at++) {
		if (*at == call_site)
			return (uintptr_t)(at + 1);
	}
	return 0;
}
#endif

/* True if the record is that of a frame that returns to `call_site`, further out than the hook's frame. */
__attribute__((no_sanitize("address", "thread"))) static inline bool is_record(
	const struct heddle_frame_record *record, const struct hook_call *hook, uintptr_t end, uintptr_t call_site)
{
	return (uintptr_t)record >= hook->from.sp && (uintptr_t)(record + 1) <= end &&
	       (uintptr_t)record % sizeof(uintptr_t) == 0 && heddle__unsigned_code(record->pc) == call_site;
}

/*
 * Returns the upper end of the instrumented function's frame: from its frame pointer, if that points to the frame's
 * end; from call frame information; or from the hook's own frame, if the function jumped to the hook (tail call).
 */
static inline uintptr_t frame_end(const struct heddle_thread *thread, const struct hook_call *hook, uintptr_t call_site)
{
	const uintptr_t end = readable_end(thread, hook);
	const struct heddle_frame_record *record = (const struct heddle_frame_record *)hook->from.bp;
	if (hook->from.pc == call_site)
		return hook->from.sp;
#if !HEDDLE_RECORD_ENDS_FRAME
	struct heddle_call function = hook->from;
	if (heddle__leave_frame && heddle__leave_frame(&function, end))
		return function.sp;
#endif
	if (is_record(record, hook, end, call_site))
		return (uintptr_t)(record + 1);
#if HEDDLE_RECORD_ENDS_FRAME
	return scan_for_frame_end(hook->from.sp, end, call_site);
#else
	return 0;
#endif
}

static struct function_thread *own_of(struct heddle_thread *thread)
{
	struct function_thread *own = thread->frontend[own_index];
	if (!own)
		thread->frontend[own_index] = own = heddle__alloc(sizeof(*own));
	return own;
}

static bool are_on(void)
{
	return functions == FUNCTIONS_ON || functions == FUNCTIONS_SHARED;
}

/* A hook may be the first call into Heddle: constructors of the program's libraries run before Heddle's. */
__attribute__((noinline, cold)) static struct heddle_thread *first_hook(void)
{
	if (functions == FUNCTIONS_UNKNOWN && (!heddle__start() || functions == FUNCTIONS_UNKNOWN))
		functions = FUNCTIONS_OFF;
	if (!are_on())
		return NULL;
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	return thread ? thread : heddle__thread_resume();
}

__attribute__((noinline)) static struct heddle_thread *find_thread(struct heddle_thread *thread)
{
	if (!thread)
		thread = first_hook();
	return functions == FUNCTIONS_SHARED ? heddle__thread_really(thread) : thread;
}

static inline struct known_call *call_entry(struct function_thread *own, uint32_t parent, uintptr_t function)
{
	return &own->calls[heddle__hash(function ^ parent * (uint64_t)0x9e3779b1u) >> 56];
}

/* Caches the slot of the entered function, so that its next call from the same caller takes the fast path. */
__attribute__((noinline)) static void learn_call(struct heddle_thread *thread, struct function_thread *own)
{
	const struct heddle_region *top = heddle__fast_path_activation(thread);
	if (!top || top->deferred || !HEDDLE_PLACE_MODULE(top->place))
		return;
	const struct heddle_node *node = heddle__tree_node(top->node);
	if (node->meta != top->meta || node->place != top->place) /* the tree is full */
		return;
	uint32_t parent = node->parent;
	struct heddle_slot *slot = heddle__event_slot(thread, parent, top->meta, top->place);
	if (!heddle__is_lasting(slot))
		return;
	struct known_call *call = call_entry(own, parent, top->activation.function);
	call->function = 0; /* a handler may abandon what follows */
	atomic_signal_fence(memory_order_seq_cst);
	call->version = heddle__modules_version();
	call->place = top->place;
	call->slot = slot;
	call->parent = parent;
	atomic_signal_fence(memory_order_seq_cst);
	call->function = top->activation.function;
}

/* Context: inside. */
__attribute__((always_inline)) static inline void process_event(
	struct heddle_thread *thread, struct function_thread *own, const struct function_event *event)
{
	struct heddle_activation activation = {.meta = META,
		.place = place_of(own, event->function),
		.function = event->function,
		.cfa = event->cfa,
		.return_address = event->call,
		.event_address = event->entry,
		.outermost = event->entry - event->function < PROLOGUE};
	if (event->is_exit) {
		heddle__activation_end(thread, &activation);
		return;
	}
	heddle__activation_begin(thread, &activation);
	if (heddle__takes_fast_path(thread))
		learn_call(thread, own);
}

/* Returns the entry of a deferred event; NULL: not allocated. */
static struct function_event *deferred_event(struct function_thread *own, uint32_t number)
{
	if (number < FIRST_DEFERRED)
		return &own->first_deferred[number];
	unsigned int block = 31u - (unsigned int)__builtin_clz(number / FIRST_DEFERRED);
	uint32_t before = FIRST_DEFERRED << block;
	struct function_event *events = block < MORE_DEFERRED ? atomic_load(&own->more_deferred[block]) : NULL;
	return events ? &events[number - before] : NULL;
}

/* Allocates the block of a deferred event. A handler that interrupts this may have allocated it already. */
static void make_room_for(struct function_thread *own, uint32_t number)
{
	struct function_event *events, *none = NULL;
	if (deferred_event(own, number))
		return;
	unsigned int block = 31u - (unsigned int)__builtin_clz(number / FIRST_DEFERRED);
	size_t size = ((size_t)FIRST_DEFERRED << block) * sizeof(*events);
	events = block < MORE_DEFERRED ? heddle__map(size) : NULL;
	if (!events)
		heddle__note(
			"function events of signal handlers are missing: one that interrupted Heddle had too many");
	else if (!atomic_compare_exchange_strong(&own->more_deferred[block], &none, events))
		heddle__unmap(events, size);
}

/* Signal handlers nest and complete in order: each one writes the entry that it reserved. */
__attribute__((noinline, cold)) static void defer_event(struct heddle_thread *thread, const struct hook_call *hook,
	uintptr_t function, uintptr_t call_site, bool is_exit)
{
	struct function_thread *own = thread->frontend[own_index];
	uint32_t at = atomic_fetch_add_explicit(&own->deferred, 1, memory_order_relaxed);
	make_room_for(own, at);
	struct function_event *event = deferred_event(own, at);
	if (event)
		*event = (struct function_event){.function = function,
			.cfa = frame_end(thread, hook, call_site),
			.call = call_site,
			.entry = hook->from.pc,
			.is_exit = is_exit};
	heddle__want(thread, HEDDLE_WANTED_EVENTS, 0);
}

/* Processes events that were deferred while the thread was inside; more may arrive meanwhile. Context: inside. */
__attribute__((noinline, cold)) static void process_deferred(struct heddle_thread *thread, struct function_thread *own)
{
	uint32_t done = 0, count;
	do {
		count = atomic_load_explicit(&own->deferred, memory_order_relaxed);
		for (; done < count; done++) {
			struct function_event *event = deferred_event(own, done);
			if (!event)
				continue;
			if (event->function)
				process_event(thread, own, event);
			event->function = 0;
		}
	} while (!atomic_compare_exchange_strong_explicit(
		&own->deferred, &count, 0, memory_order_relaxed, memory_order_relaxed));
}

__attribute__((always_inline)) static inline void on_hook(
	uintptr_t function, uintptr_t call_site, const struct hook_call *hook, bool is_exit)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (HEDDLE_UNLIKELY(!thread || functions != FUNCTIONS_ON) && !(thread = find_thread(thread)))
		return;
	struct function_thread *own = own_of(thread);
	struct heddle_entered outer;
	if (!own)
		return;
	if (!heddle__enter_over(thread, hook->record, &outer)) { /* a signal handler interrupted Heddle */
		defer_event(thread, hook, function, call_site, is_exit);
		return;
	}
	const struct function_event event = {.function = function,
		.cfa = frame_end(thread, hook, call_site),
		.call = call_site,
		.entry = hook->from.pc,
		.is_exit = is_exit};
	process_event(thread, own, &event);
	heddle__leave_over(thread, &outer);
}

/* All arguments are passed in registers: copying a struct that was just written in parts stalls the processor. */
__attribute__((noinline)) static void on_enter(uintptr_t function, uintptr_t call_site,
	const struct heddle_frame_record *record, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	const struct hook_call hook = {record, {.pc = pc, .sp = sp, .bp = bp}};
	on_hook(function, call_site, &hook, false);
}

__attribute__((noinline)) static void on_exit_of(uintptr_t function, uintptr_t call_site,
	const struct heddle_frame_record *record, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	const struct hook_call hook = {record, {.pc = pc, .sp = sp, .bp = bp}};
	on_hook(function, call_site, &hook, true);
}

/* ---- the fast path: caller and callee on the thread's own stack, with frame pointers ---- */

/* Returns NULL if the fast path cannot be taken. */
static inline struct function_thread *ready(const struct heddle_thread *thread)
{
	if (!HEDDLE_LIKELY(thread && functions == FUNCTIONS_ON) || !heddle__may_enter(thread))
		return NULL;
	return thread->frontend[own_index];
}

/* Returns the upper end of the frame, as frame_end does, by its frame pointer only; 0: it must be searched for. */
static inline uintptr_t simple_end(
	const struct heddle_thread *thread, const struct hook_call *hook, uintptr_t call_site)
{
	if (!HEDDLE_RECORD_ENDS_FRAME || !is_on_stack(thread, hook->record))
		return 0;
	if (hook->from.pc == call_site)
		return hook->from.sp;
	const struct heddle_frame_record *record = (const struct heddle_frame_record *)hook->from.bp;
	return is_record(record, hook, thread->stack_high, call_site) ? (uintptr_t)(record + 1) : 0;
}

/*
 * True if all open entries stay open when a function begins whose frame ends at `end`: none belongs to an ended call.
 */
static inline bool is_inside(const struct heddle_thread *thread, uintptr_t end)
{
	const struct heddle_region *open = heddle__innermost(&thread->stack);
	if (open && open->state != HEDDLE_STATE_WORK)
		return false;
	open = heddle__innermost_of_task(&thread->stack);
	while (open && open->kind != HEDDLE_KIND_ACTIVATION)
		open = heddle__around(&thread->stack, open);
	return end && (!open || (end < open->cfa && open->cfa <= thread->stack_high));
}

/* While the thread's control is off, calls only nest. Returns false if nothing was done. */
__attribute__((always_inline)) static inline bool enter_while_off(struct heddle_thread *thread,
	struct function_thread *own, uintptr_t function, uintptr_t call_site, const struct hook_call *hook)
{
	heddle__enter_as(thread, hook->record);
	uintptr_t end = simple_end(thread, hook, call_site);
	const struct heddle_activation activation = {.meta = META,
		.place = place_of(own, function),
		.function = function,
		.cfa = end,
		.return_address = call_site,
		.event_address = hook->from.pc};
	bool begun = thread->off && is_inside(thread, end) && heddle__defer_activation(thread, &activation);
	heddle__leave_as(thread);
	return begun;
}

__attribute__((always_inline)) static inline bool leave_while_off(
	struct heddle_thread *thread, uintptr_t function, uintptr_t end, const struct hook_call *hook)
{
	heddle__enter_as(thread, hook->record);
	bool ended = thread->off && heddle__end_deferred_activation(thread, function, end);
	heddle__leave_as(thread);
	return ended;
}

/* Returns false if nothing was done. Looks up slots inside, since a handler's calls may replace cached entries. */
__attribute__((always_inline)) static inline bool enter_function(
	uintptr_t function, uintptr_t call_site, const struct hook_call *hook)
{
	struct heddle_thread *thread = heddle__thread_self();
	struct function_thread *own = ready(thread);
	if (!HEDDLE_LIKELY(own && heddle__takes_fast_path(thread)))
		return own && thread->off && enter_while_off(thread, own, function, call_site, hook);
	heddle__enter_as(thread, hook->record);
	uint32_t parent = heddle__fast_path_node(thread);
	uintptr_t end = simple_end(thread, hook, call_site);
	const struct known_call *call = call_entry(own, parent, function);
	bool begun = false;
	if (HEDDLE_LIKELY(call->function == function && call->parent == parent &&
			  call->version == heddle__modules_version() && is_inside(thread, end))) {
		const struct heddle_activation activation = {.meta = META,
			.place = call->place,
			.function = function,
			.cfa = end,
			.return_address = call_site,
			.event_address = hook->from.pc};
		begun = heddle__activation_begin_known(thread, &activation, call->slot);
	}
	heddle__leave_as(thread);
	return begun;
}

/* Ends the function to whose frame the topmost entry belongs; so no frame has to be searched for. */
__attribute__((always_inline)) static inline bool leave_function(
	uintptr_t function, uintptr_t call_site, const struct hook_call *hook)
{
	struct heddle_thread *thread = heddle__thread_self();
	struct function_thread *own = HEDDLE_RECORD_ENDS_FRAME ? ready(thread) : NULL;
	uintptr_t end = hook->from.pc == call_site ? hook->from.sp : hook->from.bp + sizeof(struct heddle_frame_record);
	if (HEDDLE_UNLIKELY(own && thread->off))
		return leave_while_off(thread, function, end, hook);
	const struct heddle_region *top = own ? heddle__fast_path_activation(thread) : NULL;
	if (!HEDDLE_LIKELY(top && top->cfa == end && top->activation.function == function &&
			   top->activation.return_address == call_site && top->meta == META))
		return false;
	heddle__enter_as(thread, hook->record);
	bool ended = heddle__pop_fast(thread);
	heddle__leave_as(thread);
	return ended;
}

/* ---- functions that are switched off ---- */

/* The fast path of is_brief, if the thread is not inside. */
static inline bool is_known_brief(uintptr_t function, bool is_exit)
{
	struct heddle_thread *thread = heddle__thread_self();
	struct function_thread *own = ready(thread);
	if (!own || !own->brief)
		return false;
	return is_exit ? heddle__c_brief_exit_known(thread, own->brief, function)
		       : heddle__c_brief_enter_known(thread, own->brief, function);
}

/* True if the call is not an event. If the thread is inside, the event is deferred, as any other. */
static bool is_brief(uintptr_t function, uintptr_t call_site, const struct hook_call *hook, bool is_exit)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (HEDDLE_UNLIKELY(!thread || functions != FUNCTIONS_ON))
		thread = find_thread(thread);
	struct function_thread *own = thread ? own_of(thread) : NULL;
	if (!own || !heddle__may_enter(thread))
		return false;
	heddle__enter_as(thread, hook->record);
	bool brief = is_exit ? heddle__c_brief_exit(thread, &own->brief, function, frame_end(thread, hook, call_site))
			     : heddle__c_brief_enter(thread, &own->brief, function);
	heddle__leave_as(thread);
	return brief;
}

/* Called before the writer reads, and when the thread ends. */
void heddle__c_functions_add(struct heddle_thread *thread)
{
	struct function_thread *own = thread->frontend[own_index];
	if (own)
		heddle__c_brief_add(thread, own->brief);
}

void heddle__c_functions_after_fork(void)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		struct function_thread *own = thread->frontend[own_index];
		if (own)
			heddle__c_brief_forget(own->brief);
	}
}

void heddle__c_functions_catch_up(struct heddle_thread *thread)
{
	struct function_thread *own = thread->frontend[own_index];
	if (own && are_on())
		process_deferred(thread, own);
}

void heddle__c_functions_thread_end(struct heddle_thread *thread)
{
	heddle__c_functions_catch_up(thread);
	heddle__c_functions_add(thread);
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

HEDDLE_EXPORT void __cyg_profile_func_enter(void *function, void *call_site)
{
	if (functions == FUNCTIONS_OFF)
		return;
	if (HEDDLE_UNLIKELY(heddle__c_brief_wanted) && is_known_brief((uintptr_t)function, false))
		return;
	const struct hook_call hook = {heddle__record_here(), heddle__call_here()};
	if (HEDDLE_UNLIKELY(heddle__c_brief_wanted) &&
		is_brief((uintptr_t)function, (uintptr_t)call_site, &hook, false))
		return;
	if (!enter_function((uintptr_t)function, (uintptr_t)call_site, &hook))
		on_enter((uintptr_t)function, (uintptr_t)call_site, hook.record, hook.from.pc, hook.from.sp,
			hook.from.bp);
}

HEDDLE_EXPORT void __cyg_profile_func_exit(void *function, void *call_site)
{
	if (functions == FUNCTIONS_OFF)
		return;
	if (HEDDLE_UNLIKELY(heddle__c_brief_wanted) && is_known_brief((uintptr_t)function, true))
		return;
	const struct hook_call hook = {heddle__record_here(), heddle__call_here()};
	if (HEDDLE_UNLIKELY(heddle__c_brief_wanted) && is_brief((uintptr_t)function, (uintptr_t)call_site, &hook, true))
		return;
	if (!leave_function((uintptr_t)function, (uintptr_t)call_site, &hook))
		on_exit_of((uintptr_t)function, (uintptr_t)call_site, hook.record, hook.from.pc, hook.from.sp,
			hook.from.bp);
}

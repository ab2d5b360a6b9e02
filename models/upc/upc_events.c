/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of GASP (GASP 1.5, sections 3.2 to 3.4): each event becomes an operation on the calling thread's
 * shadow stack. Events that are not measured are recognized first, which costs a few nanoseconds.
 */
#define __UPC_PUPC_INST__ 1 /* pupc.h declares what this file defines for it */
#include <errno.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/base/settings.h"
#include "core/base/string_table.h"
#include "core/blame/blame.h"
#include "core/host/host_functions.h"
#include "core/modules/model.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "heddle/gasp_upc.h"
#include "heddle/pupc.h"
#include "models/upc/upc_access.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_clock.h"
#include "models/upc/upc_context.h"
#include "models/upc/upc_effect.h"
#include "models/upc/upc_locks.h"
#include "models/upc/upc_sketch.h"
#include "models/upc/upc_user.h"
#include "models/upc/upc_vocabulary.h"

/* One event as the GASP client reported it. */
struct notice {
	struct _gasp_context_S *context;
	const struct heddle_upc_kind *kind;
	gasp_evttype_t type;
	const char *file;
	int line;
	const struct frame *frame; /* of Heddle's function that the client called */
	uintptr_t cfa;
	struct heddle_captured found; /* valid if walked */
	bool walked;
};

/* What a frame pointer points to. */
struct frame {
	uintptr_t bp, pc;
};

#define OUR_FRAME ((const struct frame *)__builtin_frame_address(0))

static uintptr_t stack_of_caller(const struct frame *frame)
{
	return (uintptr_t)(frame + 1);
}

/*
 * Where the event is: the node above it, and the stack address where its region begins. That address is below the end
 * of the reporting frame and above all frames that it calls next. The frame's stack pointer is not usable, since
 * arguments change it.
 */
static void locate(struct heddle_thread *thread, struct notice *notice)
{
	const struct frame *frame = notice->frame;
	notice->cfa = stack_of_caller(frame);
	notice->walked = heddle__capture && !thread->off && notice->type != GASP_END;
	if (!notice->walked)
		return;
	uintptr_t site = (uintptr_t)notice->file ^ (uintptr_t)(unsigned int)notice->line << 32;
	notice->found = heddle__caller_path_at(thread, frame->pc, notice->cfa, frame->bp, site);
	if (notice->found.end > notice->cfa)
		notice->cfa = heddle__cfa_in_frame(notice->found.end);
}

/* Returns the slot in which the region is counted; NULL: it is not. `object`: as in heddle_upc_aim. */
static struct heddle_slot *begin_region(struct heddle_thread *thread, const struct notice *notice, uint32_t object)
{
	const struct heddle_event *event = notice->kind->event;
	if (object)
		return heddle__access_region_begin(thread, event,
			heddle__source_place(thread, notice->file, notice->line), notice->cfa,
			notice->walked ? &notice->found : NULL, object - 1);
	if (!notice->walked)
		return heddle__source_region_begin(thread, event, notice->file, notice->line, notice->cfa);
	uint64_t place = heddle__source_place(thread, notice->file, notice->line);
	return heddle__reported_region_begin_below(thread, event, place, notice->cfa, &notice->found);
}

static inline bool is_lock(const struct heddle_upc_kind *kind)
{
	return kind->effect >= HEDDLE_UPC_EFFECT_LOCK && kind->effect <= HEDDLE_UPC_EFFECT_UNLOCK;
}

/* Blame and traces need to know which lock it is. */
static inline bool follows_locks(void)
{
	return heddle__blames || heddle__tracing;
}

/* ---- duties ---- */

static inline bool ends_barrier(const struct heddle_upc_kind *kind, gasp_evttype_t type)
{
	return type == GASP_END && kind->event->state == HEDDLE_STATE_BARRIER_WAIT;
}

static inline bool follows_clocks(const struct heddle_upc_kind *kind, gasp_evttype_t type)
{
	return HEDDLE_UNLIKELY(heddle__tracing) && ends_barrier(kind, type);
}

/*
 * Whether more depends on the event than its own visits, time and values: the profile and clocks at an exit, objects,
 * the flight time of accesses, who holds a lock. All that neither depends on which events are selected, nor on samples
 * or measurement control.
 */
static inline bool is_followed(const struct heddle_upc_kind *kind)
{
	bool may_be = kind->effect >= HEDDLE_UPC_EFFECT_EXIT && kind->effect <= HEDDLE_UPC_EFFECT_UNLOCK;
	if (!HEDDLE_UNLIKELY(may_be))
		return false;
	if (is_lock(kind))
		return heddle__blames;
	if (kind->effect >= HEDDLE_UPC_EFFECT_ARRIVE)
		return heddle__upc_follows_handles;
	return kind->effect == HEDDLE_UPC_EFFECT_EXIT || heddle__upc_tells_of_object(kind);
}

static inline bool has_duties(const struct heddle_upc_kind *kind, gasp_evttype_t type)
{
	return is_followed(kind) || (type == GASP_END && follows_clocks(kind, type));
}

/* ---- coming in and going out ---- */

static _Thread_local const struct frame *at_work; /* of the event that is inside; NULL: none */

/*
 * Whether the event that is inside was left for good, by siglongjmp from a signal handler: then this one is not below
 * it on the stack.
 */
__attribute__((noinline, cold)) static bool is_abandoned(struct heddle_thread *thread, const struct frame *frame)
{
	uintptr_t left = (uintptr_t)at_work, here = (uintptr_t)frame;
	if (!left || here < left || left < thread->stack_low || here >= thread->stack_high)
		return false;
	atomic_store_explicit(&thread->inside, 0, memory_order_relaxed);
	return true;
}

/*
 * An event that arrives while the thread is inside comes from a signal handler that interrupted Heddle, or from
 * Heddle's own upcall (section 3.2 leaves these to the tool): it is ignored, and so is its END.
 */
static inline bool may_enter(struct heddle_thread *thread, const struct frame *frame)
{
	return HEDDLE_LIKELY(!atomic_load_explicit(&thread->inside, memory_order_relaxed)) ||
	       is_abandoned(thread, frame);
}

static inline void enter(struct heddle_thread *thread, const struct frame *frame)
{
	at_work = frame;
	heddle__enter(thread);
}

static inline void leave(struct heddle_thread *thread)
{
	heddle__leave(thread);
	at_work = NULL;
}

/* Counts an event without duration. */
static struct heddle_slot *count_event(struct heddle_thread *thread, const struct notice *notice, uint32_t object)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, notice->kind->event->id);
	uint32_t parent = notice->walked ? notice->found.node : heddle__current_node(thread);
	struct heddle_slot *slot =
		heddle__event_slot(thread, parent, meta, heddle__source_place(thread, notice->file, notice->line));
	if (object)
		slot = heddle__event_slot(thread, slot->node, HEDDLE_NODE_META(HEDDLE_NODE_OBJECT, 0), object - 1);
	heddle__visit(thread, slot);
	return slot;
}

static void take_rank(struct heddle_thread *thread)
{
	heddle__enter(thread);
	int number = heddle__upc_mythread();
	uint8_t model = (uint8_t)heddle__model_number(&heddle__upc_model);
	if (number >= 0) {
		atomic_store_explicit(&thread->rank_model, model, memory_order_relaxed);
		atomic_store_explicit(&thread->rank, (uint32_t)number + 1, memory_order_relaxed);
	}
	heddle__leave(thread);
}

HEDDLE_EXPORT gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
	int saved = errno;
	bool measured = heddle__start();
	heddle__settings_strip_arguments(argc, argv);
	struct _gasp_context_S *context = heddle__upc_context((int)model);
	struct heddle_thread *thread = measured ? heddle__thread_ensure(HEDDLE_THREAD_OTHER) : NULL;
	if (thread && context && model == GASP_MODEL_UPC) {
		take_rank(thread);
		heddle__upc_blame_join(thread);
		heddle__upc_clock_measure();
	}
	errno = saved;
	return context;
}

/* ---- system events ---- */

/* A function, by its name; without a name it is an ordinary region. */
static bool notify_function(struct heddle_thread *thread, const struct notice *notice, const char *signature)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_FUNCTION, 0);
	uint32_t name = signature ? heddle__string_number(signature) : UINT32_MAX;
	if (name == UINT32_MAX)
		return false;
	struct heddle_activation activation = {
		.meta = meta, .place = name, .function = name, .below = notice->walked ? &notice->found.node : NULL};
	if (notice->type == GASP_START)
		heddle__activation_begin(thread, &activation);
	else if (notice->type == GASP_END)
		heddle__activation_end(thread, &activation);
	return true;
}

/* With HEDDLE_ACCESSES: what the access goes to; its region begins, or it is counted as an event without duration. */
__attribute__((noinline)) static struct heddle_slot *begin_access(struct heddle_thread *thread,
	const struct notice *notice, const struct heddle_upc_arguments *arguments, bool lasts)
{
	struct heddle_upc_aim aim;
	uint64_t site = (uintptr_t)notice->file ^ (uint64_t)(unsigned int)notice->line << 8;
	heddle__upc_aim(thread, notice->kind, arguments, site, &aim);
	struct heddle_slot *slot =
		lasts ? begin_region(thread, notice, aim.object) : count_event(thread, notice, aim.object);
	if (lasts)
		heddle__upc_effect_initiate(thread, notice->kind);
	if (slot)
		heddle__upc_access_begin(thread, notice->kind, slot, arguments, &aim);
	if (slot && lasts)
		heddle__upc_access_follow(thread, &aim);
	return slot;
}

static inline bool is_measured_access(const struct heddle_upc_kind *kind)
{
	return HEDDLE_UNLIKELY(heddle__upc_accesses) && heddle__upc_is_access(kind);
}

static void start(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	if (is_measured_access(notice->kind)) {
		begin_access(thread, notice, arguments, true);
		return;
	}
	struct heddle_slot *slot = begin_region(thread, notice, 0);
	heddle__upc_effect_initiate(thread, notice->kind);
	if (slot)
		heddle__upc_effect_begin(notice->kind, slot, arguments);
}

static void end(struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	struct heddle_slot *slot = heddle__region_pop(thread, notice->kind->event);
	heddle__upc_effect_end(thread, notice->kind, slot, arguments);
	if (is_measured_access(notice->kind))
		heddle__upc_access_end(thread);
}

static void happen(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	struct heddle_slot *slot = NULL;
	if (heddle__is_counting(thread) && is_measured_access(notice->kind)) {
		slot = begin_access(thread, notice, arguments, false);
	} else if (heddle__is_counting(thread)) {
		slot = count_event(thread, notice, 0);
		heddle__upc_effect_begin(notice->kind, slot, arguments);
	}
	if (notice->type != GASP_START) /* of DATA: it begins to arrive */
		heddle__upc_effect_end(thread, notice->kind, slot, arguments);
}

/* With HEDDLE_ACCESSES: the region of such an event was closed. */
static void ended(struct heddle_thread *thread, const struct heddle_upc_kind *kind)
{
	if (heddle__upc_is_access(kind))
		heddle__upc_access_end(thread);
	else if (kind == &heddle__upc_kinds[HEDDLE_UPC_FORALL])
		heddle__upc_sketch_loop_end(thread);
}

/* An event of which only visits and time are measured. */
static void notify_plain(struct heddle_thread *thread, const struct notice *notice)
{
	if (notice->type == GASP_START)
		begin_region(thread, notice, 0);
	else if (notice->type == GASP_END)
		heddle__region_end(thread, notice->kind->event);
	else if (heddle__is_counting(thread))
		count_event(thread, notice, 0);
	if (notice->type == GASP_END && HEDDLE_UNLIKELY(heddle__upc_accesses))
		ended(thread, notice->kind);
}

static bool is_trivial_wait(const struct heddle_upc_kind *kind, const struct heddle_upc_arguments *arguments)
{
	const struct heddle_upc_vocabulary *vocabulary = &heddle__upc_vocabulary;
	if (kind->effect != HEDDLE_UPC_EFFECT_SYNC && kind->effect != HEDDLE_UPC_EFFECT_ARRIVE)
		return false;
	return arguments->handle == vocabulary->nb_trivial[0] || arguments->handle == vocabulary->nb_trivial[1];
}

/* Which lock it is; of an attempt's end, if it was successful. */
static void record_lock(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	bool acquires = notice->kind->effect != HEDDLE_UPC_EFFECT_ATTEMPT || notice->type == GASP_START;
	if (acquires || arguments->result)
		heddle__record_lock(thread, heddle__upc_lock_number(arguments));
}

/* The lock was acquired: its holder, from now on. */
static void hold_lock(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	enum heddle_upc_effect effect = (enum heddle_upc_effect)notice->kind->effect;
	if (effect == HEDDLE_UPC_EFFECT_UNLOCK || (effect == HEDDLE_UPC_EFFECT_ATTEMPT && !arguments->result))
		return;
	uint32_t path = UINT32_MAX;
	if (heddle__capture && !thread->off)
		path = heddle__caller_path(thread, notice->frame->pc, stack_of_caller(notice->frame), notice->frame->bp)
			       .node;
	heddle__upc_blame_hold(thread, arguments, path);
}

/* With blame: holders and waiters. */
static void blame_lock(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	enum heddle_upc_effect effect = (enum heddle_upc_effect)notice->kind->effect;
	bool begins = notice->type != GASP_END, ends = notice->type != GASP_START;
	if (begins && effect == HEDDLE_UPC_EFFECT_UNLOCK)
		heddle__upc_blame_unlock(thread, arguments);
	notify_plain(thread, notice);
	record_lock(thread, notice, arguments);
	if (begins && !ends && effect == HEDDLE_UPC_EFFECT_LOCK)
		heddle__upc_blame_wait(thread, arguments);
	if (ends)
		hold_lock(thread, notice, arguments);
}

/* With blame, while the event is not selected: no wait is measured, but others' waits are for a lock with a holder. */
static void follow_lock(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	if (notice->type != GASP_END && notice->kind->effect == HEDDLE_UPC_EFFECT_UNLOCK)
		heddle__upc_blame_unlock(thread, arguments);
	if (notice->type != GASP_START)
		hold_lock(thread, notice, arguments);
}

static void notify_lock(
	struct heddle_thread *thread, const struct notice *notice, const struct heddle_upc_arguments *arguments)
{
	if (heddle__blames) {
		blame_lock(thread, notice, arguments);
	} else {
		notify_plain(thread, notice);
		record_lock(thread, notice, arguments);
	}
}

/* With HEDDLE_ACCESSES: an object was allocated, is released, or exists. */
__attribute__((noinline)) static void tell_of_object(const struct notice *notice, va_list *all)
{
	const struct heddle_upc_kind *kind = notice->kind;
	struct heddle_upc_arguments arguments = {0};
	struct heddle_upc_telling telling = {.kind = kind,
		.file = notice->file,
		.line = notice->line,
		.starts = notice->type == GASP_START,
		.path = notice->walked ? notice->found.node : 0};
	va_list list;
	va_copy(list, *all);
	heddle__upc_decode(kind, notice->type != GASP_START, &list, &arguments);
	if (kind == &heddle__upc_kinds[HEDDLE_UPC_HUPC_STATIC_SHARED])
		heddle__upc_decode_static(&list, &arguments);
	else if (kind == &heddle__upc_kinds[HEDDLE_UPC_BUPC_STATIC_SHARED])
		heddle__upc_decode_static_of_berkeley(&list, &arguments);
	va_end(list);
	heddle__upc_object_told(&telling, &arguments);
}

static void notify_system(struct heddle_thread *thread, struct notice *notice, va_list *list)
{
	const struct heddle_upc_kind *kind = notice->kind;
	if (heddle__upc_tells_of_object(kind))
		tell_of_object(notice, list);
	bool told = notice->type == GASP_START ? kind->begins : kind->begins | kind->ends;
	if (!told || (is_lock(kind) && !follows_locks())) {
		notify_plain(thread, notice);
		return;
	}
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(kind, notice->type != GASP_START, list, &arguments);
	if (is_lock(kind)) {
		notify_lock(thread, notice, &arguments);
		return;
	}
	if (kind->effect == HEDDLE_UPC_EFFECT_FUNCTION && notify_function(thread, notice, arguments.function))
		return;
	if (is_trivial_wait(kind, &arguments))
		return; /* section 5.4.6: to be ignored */
	if (kind->effect == HEDDLE_UPC_EFFECT_ARRIVE && notice->type == GASP_END)
		heddle__upc_effect_end(thread, kind, NULL, &arguments);
	else if (kind->effect == HEDDLE_UPC_EFFECT_ARRIVE || notice->type == GASP_ATOMIC)
		happen(thread, notice, &arguments); /* data arrives at any time, without nesting */
	else if (notice->type == GASP_START)
		start(thread, notice, &arguments);
	else
		end(thread, notice, &arguments);
}

/*
 * A thread of the program has reported its exit, and later opportunities may not come (destructors that do not run,
 * sudden death): writes the profile. With several UPC threads in a process, the last one writes.
 */
static void write_at_exit(const struct notice *notice)
{
	bool single = notice->kind == &heddle__upc_kinds[HEDDLE_UPC_NONCOLLECTIVE_EXIT];
	if (notice->type == GASP_START && !single)
		heddle__upc_clock_measure();
	if (notice->type == GASP_START)
		return;
	heddle__upc_context_ended(notice->context);
	if (single || !heddle__upc_contexts_open())
		heddle__write_now(single ? "upc global exit" : "upc exit");
}

/* What follows when the event is measured. */
static void conclude(const struct notice *notice)
{
	if (notice->kind->effect == HEDDLE_UPC_EFFECT_EXIT)
		write_at_exit(notice);
	else if (follows_clocks(notice->kind, notice->type))
		heddle__upc_clock_measure_again();
}

static void notify_measured(struct heddle_thread *thread, struct notice *notice, va_list *list)
{
	enter(thread, notice->frame);
	locate(thread, notice);
	notify_system(thread, notice, list);
	leave(thread);
	conclude(notice);
}

/* What an event that is not selected means for others. */
static void notify_unselected(struct heddle_thread *thread, struct notice *notice, va_list *list)
{
	const struct heddle_upc_kind *kind = notice->kind;
	if (!has_duties(kind, notice->type))
		return;
	enter(thread, notice->frame);
	if (heddle__upc_tells_of_object(kind)) {
		tell_of_object(notice, list);
	} else if (is_lock(kind) || kind->effect == HEDDLE_UPC_EFFECT_SYNC ||
		   kind->effect == HEDDLE_UPC_EFFECT_ARRIVE) {
		struct heddle_upc_arguments arguments;
		heddle__upc_decode(kind, notice->type != GASP_START, list, &arguments);
		if (is_lock(kind))
			follow_lock(thread, notice, &arguments);
		else if (notice->type != GASP_START && !is_trivial_wait(kind, &arguments))
			heddle__upc_effect_follow(thread, kind, &arguments);
	}
	leave(thread);
	conclude(notice);
}

/* While control is off, a user event only has to nest. */
static bool is_user_done(
	struct heddle_thread *thread, const struct heddle_upc_user_event *event, const struct notice *notice)
{
	if (notice->type == GASP_START)
		return heddle__defer_phase(thread, event->name, notice->cfa);
	return notice->type == GASP_ATOMIC || heddle__end_deferred_phase(thread, event->name);
}

static void take_user(
	struct heddle_thread *thread, const struct heddle_upc_user_event *event, struct notice *notice, va_list *list)
{
	locate(thread, notice);
	const struct heddle_upc_user_notice user = {.event = event,
		.type = notice->type,
		.file = notice->file,
		.line = notice->line,
		.cfa = notice->cfa,
		.opener = notice->walked ? &notice->found : NULL};
	heddle__upc_user_notify(thread, &user, list);
}

/* Whether the number is a user event of the context; processes it. */
static bool notify_user(struct heddle_thread *thread, struct notice *notice, unsigned int number, va_list *list)
{
	const struct heddle_upc_user_event *event = heddle__upc_user_event(notice->context, number);
	if (!event)
		return false;
	notice->cfa = stack_of_caller(notice->frame);
	enter(thread, notice->frame);
	if (!thread->off || !is_user_done(thread, event, notice))
		take_user(thread, event, notice, list);
	leave(thread);
	return true;
}

/*
 * The event of a thread that is not measured, such as a run-time system's progress thread: all that counts is that data
 * of another thread's access has arrived.
 */
static void notify_unmeasured(const struct notice *notice, unsigned int number, va_list *list)
{
	if (!notice->context || (notice->type != GASP_END && notice->type != GASP_ATOMIC))
		return;
	const struct heddle_upc_kind *kind = heddle__upc_known_kind(notice->context->model, number);
	if (!kind || kind->effect != HEDDLE_UPC_EFFECT_ARRIVE || !heddle__upc_follows_handles)
		return;
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(kind, true, list, &arguments);
	heddle__upc_effect_arrived(kind, arguments.handle);
}

static void notify(struct heddle_thread *thread, struct notice *notice, unsigned int number, va_list *list)
{
	if (!thread)
		thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread)
		notify_unmeasured(notice, number, list);
	if (!thread || !notice->context || notice->type > GASP_ATOMIC || !may_enter(thread, notice->frame))
		return;
	if (notify_user(thread, notice, number, list))
		return;
	notice->kind = heddle__upc_kind(notice->context->model, number);
	if (notice->kind->event->selected)
		notify_measured(thread, notice, list);
	else
		notify_unselected(thread, notice, list);
}

static inline int model_of(const struct _gasp_context_S *context)
{
	return context ? context->model : HEDDLE_UPC_C_MODEL;
}

/* Only visits and time are measured of most events, more only at Start of others. */
static inline bool is_plain(const struct heddle_upc_kind *kind, gasp_evttype_t type)
{
	bool needless = is_lock(kind) && !follows_locks();
	if (is_followed(kind))
		return false;
	if (type == GASP_START)
		return (!kind->begins || needless) && !heddle__capture;
	return type == GASP_END && (!kind->ends || needless) && !follows_clocks(kind, type);
}

/* While control is off, a region only has to nest. */
static inline bool is_deferred(struct heddle_thread *thread, const struct heddle_upc_kind *kind, gasp_evttype_t type,
	const char *file, int line, uintptr_t cfa)
{
	if (kind->keeps_track || has_duties(kind, type))
		return false;
	if (type == GASP_START)
		return heddle__defer_source_region(thread, kind->event, file, line, cfa);
	return type == GASP_END && heddle__end_deferred_region(thread, kind->event);
}

/* `plain`: is_plain; control may have been switched since. Context: inside. */
static inline bool is_taken(struct heddle_thread *thread, const struct heddle_upc_kind *kind, bool plain,
	gasp_evttype_t type, const char *file, int line, uintptr_t cfa)
{
	if (HEDDLE_UNLIKELY(thread->off))
		return is_deferred(thread, kind, type, file, line, cfa);
	if (!plain)
		return false;
	if (type == GASP_START)
		heddle__source_region_begin(thread, kind->event, file, line, cfa);
	else
		heddle__region_end(thread, kind->event);
	if (type == GASP_END && HEDDLE_UNLIKELY(heddle__upc_accesses))
		ended(thread, kind);
	return true;
}

/*
 * Processes what needs no arguments, before these are read: kinds that are not selected, regions that only have to nest
 * while control is off, and kinds of which only visits and time are measured.
 */
__attribute__((always_inline)) static inline bool is_done(struct heddle_thread *thread,
	const struct _gasp_context_S *context, unsigned int number, gasp_evttype_t type, const char *file, int line,
	const struct frame *frame)
{
	const struct heddle_upc_kind *kind = heddle__upc_known_kind(model_of(context), number);
	if (!kind)
		return false;
	if (!kind->event->selected)
		return !has_duties(kind, type);
	if (!thread || !context)
		return false;
	bool plain = is_plain(kind, type);
	if (!plain && !thread->off)
		return false;
	if (!may_enter(thread, frame))
		return true;
	enter(thread, frame);
	bool taken = is_taken(thread, kind, plain, type, file, line, stack_of_caller(frame));
	leave(thread);
	return taken;
}

/* Field by field: clearing `found`, which only walked notices have, costs as much as an event that is off. */
static inline void describe(struct notice *notice, struct _gasp_context_S *context, gasp_evttype_t type,
	const char *file, int line, const struct frame *frame)
{
	notice->context = context;
	notice->kind = NULL;
	notice->type = type;
	notice->file = file;
	notice->line = line;
	notice->frame = frame;
	notice->cfa = 0;
	notice->walked = false;
}

HEDDLE_EXPORT __attribute__((noinline)) void gasp_event_notifyVA(gasp_context_t context, unsigned int number,
	gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
	struct heddle_thread *thread = heddle__thread_self();
	(void)column;
	if (is_done(thread, context, number, type, file, line, OUR_FRAME))
		return;
	struct notice notice;
	describe(&notice, context, type, file, line, OUR_FRAME);
	va_list list;
	va_copy(list, arguments);
	notify(thread, &notice, number, &list);
	va_end(list);
}

HEDDLE_EXPORT __attribute__((noinline)) void gasp_event_notify(
	gasp_context_t context, unsigned int number, gasp_evttype_t type, const char *file, int line, int column, ...)
{
	struct heddle_thread *thread = heddle__thread_self();
	(void)column;
	if (is_done(thread, context, number, type, file, line, OUR_FRAME))
		return;
	struct notice notice;
	describe(&notice, context, type, file, line, OUR_FRAME);
	va_list list;
	va_start(list, column);
	notify(thread, &notice, number, &list);
	va_end(list);
}

/* ---- user events of C code ---- */

HEDDLE_EXPORT __attribute__((noinline)) void heddle_pupc_event(
	int type, const char *file, int line, unsigned int number, const void *frame, va_list arguments)
{
	struct notice notice = {
		heddle__upc_context_of_number(), NULL, (gasp_evttype_t)type, file, line, frame, 0, {0}, false};
	va_list list;
	va_copy(list, arguments);
	notify(heddle__thread_self(), &notice, number, &list);
	va_end(list);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of GASP (GASP 1.5, sections 3.2 to 3.4): each finds the event's row in the table (upc_rows.h), and
 * performs its act. Must decide nothing else: rows are chosen once.
 */
#define __UPC_PUPC_INST__ 1 /* pupc.h declares what this file defines for it */
#include <errno.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/base/settings.h"
#include "core/host/host_functions.h"
#include "core/modules/model.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/entered.h"
#include "heddle/gasp_upc.h"
#include "heddle/pupc.h"
#include "models/upc/upc_clock.h"
#include "models/upc/upc_context.h"
#include "models/upc/upc_effect.h"
#include "models/upc/upc_locks.h"
#include "models/upc/upc_nonblocking.h"
#include "models/upc/upc_user.h"
#include "models/upc/upc_vocabulary.h"

/* ---- entering and leaving ---- */

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

/* ---- events ---- */

/*
 * An event that arrives while the thread is inside comes from a signal handler that interrupted Heddle, or from
 * Heddle's own upcall (section 3.2 leaves these to the tool): it is ignored, and so is its END.
 */

/* Performs the act of the kind's row. */
__attribute__((always_inline)) static inline void act(
	struct heddle_thread *thread, struct heddle_upc_notice *notice, const struct heddle_upc_kind *kind)
{
	const struct heddle_upc_row *row = kind->row;
	struct heddle_entered outer;
	if (!row || !heddle__enter_event(thread, notice->record, &outer))
		return;
	notice->kind = kind;
	row->act[thread->off][notice->type](thread, notice);
	heddle__leave_over(thread, &outer);
	if (HEDDLE_UNLIKELY(row->after))
		row->after(notice);
}

/* While control is off, a user event only has to nest. Returns false if the slow path is needed. */
static bool nest(struct heddle_thread *thread, const struct heddle_upc_notice *notice, uint32_t name)
{
	if (notice->type == GASP_START)
		return heddle__defer_phase(thread, name, heddle__upc_stack_of(notice));
	return notice->type == GASP_ATOMIC || heddle__end_deferred_phase(thread, name);
}

static void act_user(
	struct heddle_thread *thread, struct heddle_upc_notice *notice, const struct heddle_upc_user_event *event)
{
	struct heddle_entered outer;
	if (!heddle__enter_event(thread, notice->record, &outer))
		return;
	if (!thread->off || !nest(thread, notice, event->name))
		heddle__upc_user_notify(thread, notice, event);
	heddle__leave_over(thread, &outer);
}

/*
 * Handles an event of a thread that is not measured, such as a run-time system's progress thread. Only the arrival of
 * another thread's data matters.
 */
static void notify_unmeasured(struct heddle_upc_notice *notice, unsigned int number)
{
	if (!notice->context || (notice->type != GASP_END && notice->type != GASP_ATOMIC))
		return;
	const struct heddle_upc_kind *kind = heddle__upc_known_kind(notice->context->model, number);
	if (kind && kind->effect == HEDDLE_UPC_EFFECT_ARRIVE && heddle__upc_follows_handles)
		heddle__upc_data_elsewhere(kind, &notice->list);
}

/* The slow path: user events, numbers that are in no table, threads without a context. */
__attribute__((noinline)) static void notify_other(
	struct heddle_thread *thread, struct heddle_upc_notice *notice, unsigned int number)
{
	if (!thread)
		thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread)
		notify_unmeasured(notice, number);
	if (!thread || !notice->context || notice->type > GASP_ATOMIC)
		return;
	const struct heddle_upc_user_event *event = heddle__upc_user_event(notice->context, number);
	if (event)
		act_user(thread, notice, event);
	else
		act(thread, notice, heddle__upc_kind(notice->context->model, number));
}

/* `kind` is from heddle__upc_known_kind; NULL: in no table. */
__attribute__((always_inline)) static inline void notify(
	struct heddle_upc_notice *notice, unsigned int number, const struct heddle_upc_kind *kind)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (HEDDLE_LIKELY(kind && thread && notice->type <= GASP_ATOMIC))
		act(thread, notice, kind);
	else
		notify_other(thread, notice, number);
}

static inline const struct heddle_upc_kind *known_kind(const struct _gasp_context_S *context, unsigned int number)
{
	return HEDDLE_LIKELY(context) ? heddle__upc_known_kind(context->model, number) : NULL;
}

/* Assigns field by field, since clearing the rest first costs as much as an event that is not selected. */
__attribute__((always_inline)) static inline void describe(struct heddle_upc_notice *notice, gasp_context_t context,
	gasp_evttype_t type, const char *file, int line, struct heddle_call call)
{
	notice->context = context;
	notice->file = file;
	notice->line = line;
	notice->type = type;
	notice->call = call;
	notice->record = heddle__record_here(); /* of the exported function, into which this is inlined */
}

HEDDLE_EXPORT __attribute__((noinline)) void gasp_event_notifyVA(gasp_context_t context, unsigned int number,
	gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
	const struct heddle_upc_kind *kind = known_kind(context, number);
	(void)column;
	if (kind && !kind->row)
		return;
	struct heddle_upc_notice notice;
	describe(&notice, context, type, file, line, heddle__call_here());
	va_copy(notice.list, arguments);
	notify(&notice, number, kind);
	va_end(notice.list);
}

HEDDLE_EXPORT __attribute__((noinline)) void gasp_event_notify(
	gasp_context_t context, unsigned int number, gasp_evttype_t type, const char *file, int line, int column, ...)
{
	const struct heddle_upc_kind *kind = known_kind(context, number);
	if (kind && !kind->row)
		return;
	struct heddle_upc_notice notice;
	describe(&notice, context, type, file, line, heddle__call_here());
	va_start(notice.list, column);
	notify(&notice, number, kind);
	va_end(notice.list);
}

/* The entry point of C code's user events. */
HEDDLE_EXPORT __attribute__((noinline)) void heddle_pupc_event(
	int type, const char *file, int line, unsigned int number, const void *frame, va_list arguments)
{
	struct heddle_upc_notice notice;
	describe(&notice, heddle__upc_context_of_number(), (gasp_evttype_t)type, file, line,
		heddle__call_of_frame(frame, heddle__call_here()));
	va_copy(notice.list, arguments);
	notify(&notice, number, NULL);
	va_end(notice.list);
}

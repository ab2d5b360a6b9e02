/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that include/heddle/heddle.h calls if the library is loaded. */
#include <errno.h>

#include "core/base/frame.h"
#include "core/base/string_table.h"
#include "core/host/host_functions.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/entered.h"
#include "core/threads/excluded.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "core/tree/event.h"
#include "core/tree/tree.h"
#include "heddle/heddle.h"

HEDDLE_EXPORT int heddle_measure_start(void)
{
	if (!heddle__start())
		return -EPERM;
	heddle__continue();
	return 0;
}

HEDDLE_EXPORT int heddle_measure_stop(void)
{
	heddle__pause();
	return 0;
}

HEDDLE_EXPORT int heddle_measure_flush(void)
{
	return heddle__flush();
}

HEDDLE_EXPORT void heddle_measure_exclude_threads(int begin)
{
	heddle__exclude_created(begin);
}

HEDDLE_EXPORT const char *heddle_measure_version(void)
{
	return HEDDLE_VERSION;
}

/* Returns the calling thread's context; NULL: it is not measured. */
static struct heddle_thread *own_thread(void)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread)
		thread = heddle__thread_resume();
	return heddle__storage_is_shared() ? heddle__thread_really(thread) : thread;
}

/*
 * Begins a phase. `call`: by the program's code; NULL: all frames of the thread are inside the phase. `record` is that
 * of the exported function, which a handler may abandon. A call in a handler that interrupted Heddle is ignored.
 */
static int begin_phase(const char *name, const struct heddle_call *call, const struct heddle_frame_record *record)
{
	struct heddle_entered outer;
	if (!name || !*name)
		return -EINVAL;
	struct heddle_thread *thread = own_thread();
	if (!thread)
		return 0;
	uint32_t number = heddle__string_number(name);
	if (number == UINT32_MAX)
		return -ENOMEM;
	if (!heddle__enter_event(thread, record, &outer))
		return 0;
	if (call)
		heddle__phase_begin_from(thread, number, *call);
	else
		heddle__phase_begin(thread, number, UINTPTR_MAX);
	heddle__leave_over(thread, &outer);
	return 0;
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_phase_begin(const char *name)
{
	struct heddle_call call = heddle__call_here();
	return begin_phase(name, &call, heddle__record_here());
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_phase_begin_outermost(const char *name)
{
	return begin_phase(name, NULL, heddle__record_here());
}

static void take_value(struct heddle_slot *slot, double value)
{
	static const char description[] = "value=%g"; /* like that of a user event's argument */
	uint32_t text = heddle__string_number(description) + 1;
	struct heddle_distribution *of = slot ? heddle__slot_distribution(slot, NULL, 1, text) : NULL;
	if (of && heddle__distribution_add(of, value))
		heddle__record_value(slot, 1, text, value);
}

/* Counts a value; `call` and `record` as in begin_phase(). */
static int count_value(
	const char *name, double value, const struct heddle_call *call, const struct heddle_frame_record *record)
{
	struct heddle_entered outer;
	static const struct heddle_call nowhere;
	if (!name || !*name)
		return -EINVAL;
	struct heddle_thread *thread = own_thread();
	if (!thread)
		return 0;
	uint32_t number = heddle__string_number(name);
	if (number == UINT32_MAX)
		return -ENOMEM;
	if (!heddle__enter_event(thread, record, &outer))
		return 0;
	take_value(heddle__phase_happens(thread, number, call ? *call : nowhere), value);
	heddle__leave_over(thread, &outer);
	return 0;
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_value(const char *name, double value)
{
	struct heddle_call call = heddle__call_here();
	return count_value(name, value, &call, heddle__record_here());
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_value_outermost(const char *name, double value)
{
	return count_value(name, value, NULL, heddle__record_here());
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_phase_end(const char *name)
{
	struct heddle_entered outer;
	struct heddle_thread *thread = heddle__thread_self();
	if (heddle__storage_is_shared())
		thread = heddle__thread_really(thread);
	if (!name || !*name)
		return -EINVAL;
	if (!thread)
		return 0;
	uint32_t number = heddle__string_known(name);
	if (number == UINT32_MAX) /* no phase of that name is open, not even a lost one */
		return -EINVAL;
	if (!heddle__enter_event(thread, heddle__record_here(), &outer))
		return 0;
	bool ended = heddle__phase_end(thread, number);
	heddle__leave_over(thread, &outer);
	return ended ? 0 : -EINVAL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that include/heddle/heddle.h calls when the library is loaded. */
#include <errno.h>

#include "core/base/frame.h"
#include "core/base/string_table.h"
#include "core/host/host_functions.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
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

static void begin_phase(struct heddle_thread *thread, uint32_t name, struct heddle_call call)
{
	uintptr_t sp = call.sp; /* frames of later calls by the caller are below this */
	if (!heddle__capture || thread->off) {
		heddle__phase_begin(thread, name, sp);
		return;
	}
	struct heddle_captured found = heddle__caller_path(thread, call.pc, sp, call.bp);
	heddle__phase_begin_below(thread, name, found.end > sp ? heddle__cfa_in_frame(found.end) : sp, &found);
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_phase_begin(const char *name)
{
	if (!name || !*name)
		return -EINVAL;
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread)
		thread = heddle__thread_resume();
	if (heddle__storage_is_shared())
		thread = heddle__thread_really(thread);
	if (!thread)
		return 0;
	uint32_t number = heddle__string_number(name);
	if (number == UINT32_MAX)
		return -ENOMEM;
	heddle__enter(thread);
	begin_phase(thread, number, heddle__call_here());
	heddle__leave(thread);
	return 0;
}

HEDDLE_EXPORT int heddle_measure_phase_end(const char *name)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (heddle__storage_is_shared())
		thread = heddle__thread_really(thread);
	if (!name || !*name)
		return -EINVAL;
	if (!thread)
		return 0;
	uint32_t number = heddle__string_number(name);
	heddle__enter(thread);
	bool ended = heddle__phase_end(thread, number);
	heddle__leave(thread);
	return ended ? 0 : -EINVAL;
}

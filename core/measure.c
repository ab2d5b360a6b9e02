/* SPDX-License-Identifier: BSD-3-Clause */
/* What include/heddle/heddle.h reaches when the library is there. */
#include <errno.h>

#include "core/control.h"
#include "core/event.h"
#include "core/frontend.h"
#include "core/host.h"
#include "core/process.h"
#include "core/region.h"
#include "core/thread.h"
#include "core/tree.h"
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

HEDDLE_EXPORT const char *heddle_measure_version(void)
{
	return HEDDLE_VERSION;
}

/* `frame` is ours, which the program called: the caller's frame pointer and the return address stand there. */
static void begin_phase(struct heddle_thread *thread, uint32_t name, const uintptr_t *frame)
{
	uintptr_t sp = (uintptr_t)(frame + 2); /* what the caller calls next lies below that */
	if (!heddle__capture || thread->off) {
		heddle__phase_begin(thread, name, sp);
		return;
	}
	struct heddle_captured found = heddle__caller_path(thread, frame[1], sp, frame[0]);
	heddle__phase_begin_below(thread, name, found.end > sp ? found.end - 1 : sp, &found);
}

HEDDLE_EXPORT __attribute__((noinline)) int heddle_measure_phase_begin(const char *name)
{
	if (!name || !*name)
		return -EINVAL;
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread)
		return 0;
	uint32_t number = heddle__string_number(name);
	if (number == UINT32_MAX)
		return -ENOMEM;
	heddle__enter(thread);
	begin_phase(thread, number, __builtin_frame_address(0));
	heddle__leave(thread);
	return 0;
}

HEDDLE_EXPORT int heddle_measure_phase_end(const char *name)
{
	struct heddle_thread *thread = heddle__thread_self();
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* What include/heddle/heddle.h reaches when the library is there. */
#include <errno.h>

#include "core/control.h"
#include "core/event.h"
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

/* Where the caller's stack pointer will be after we return: what it calls next lies below that. */
#define CALLER_STACK ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *))

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
	heddle__phase_begin(thread, number, CALLER_STACK);
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

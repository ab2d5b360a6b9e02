/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurement control and the creation of user events (GASP 1.5, sections 3.4, 5.2 and 5.3). */
#define __UPC_PUPC_INST__ 1 /* pupc.h declares what this file defines for it */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/host/host_functions.h"
#include "core/process/thread_life.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "heddle/gasp_upc.h"
#include "heddle/pupc.h"
#include "models/upc/upc_context.h"
#include "models/upc/upc_user.h"

/* The last request to gasp_control by the calling thread. */
static _Thread_local volatile int last_control = 1;

static int control(int on)
{
	struct heddle_thread *thread = heddle__thread_self();
	int before = last_control, applied;
	last_control = on;
	do { /* a signal handler may interrupt this and call it, too */
		applied = last_control;
		atomic_signal_fence(memory_order_seq_cst);
		if (thread)
			heddle__thread_control(thread, applied != 0);
		atomic_signal_fence(memory_order_seq_cst);
	} while (applied != last_control);
	return before;
}

HEDDLE_EXPORT int gasp_control(gasp_context_t context, int on)
{
	(void)context; /* contexts of one thread share its control */
	return control(on);
}

HEDDLE_EXPORT int gasp_control_query(gasp_context_t context)
{
	(void)context;
	return last_control;
}

HEDDLE_EXPORT unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *description)
{
	int saved = errno;
	if (!context)
		context = heddle__upc_context(HEDDLE_UPC_C_MODEL);
	unsigned int number = context ? heddle__upc_user_create(context, name, description) : 0;
	errno = saved;
	return number;
}

HEDDLE_EXPORT int heddle_pupc_control(int on)
{
	heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	return control(on);
}

HEDDLE_EXPORT unsigned int heddle_pupc_create_event(const char *name, const char *description)
{
	return gasp_create_event(heddle__upc_context_of_creation(), name, description);
}

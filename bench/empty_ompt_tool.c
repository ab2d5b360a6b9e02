/* SPDX-License-Identifier: BSD-3-Clause */
/* An OMPT tool that registers an empty function for every callback: a lower bound for any tool. */
#include "ompt_entry.h"

static void empty(void)
{
}

static void set_callbacks(ompt_set_callback_t set)
{
	for (int callback = ompt_callback_thread_begin; callback <= ompt_callback_error; callback++)
		set((ompt_callbacks_t)callback, (ompt_callback_t)empty);
}

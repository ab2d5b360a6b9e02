/* SPDX-License-Identifier: BSD-3-Clause */
/* The C front end's descriptor. Functions and the malloc family are in files of their own. */
#include <stddef.h>

#include "core/base/settings.h"
#include "core/threads/frontend.h"
#include "core/tree/event.h"
#include "models/c/c_brief.h"
#include "models/c/c_functions.h"
#include "models/c/c_memory.h"
#include "models/c/c_names.h"

static int init(unsigned int index)
{
	bool wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "c");
	int error = heddle__events_register(heddle__c_events, HEDDLE_C_EVENT_COUNT);
	heddle__c_brief_start();
	heddle__c_functions_start(!error && wanted && heddle__c_events[HEDDLE_C_FUNC].selected, index);
	if (!error && wanted)
		heddle__c_memory_start();
	return error;
}

static void after_fork(void)
{
	heddle__c_functions_after_fork();
	heddle__c_memory_after_fork();
}

static void finish(void)
{
	heddle__c_functions_stop();
	heddle__c_memory_stop();
}

const struct heddle_frontend heddle__c_frontend = {
	.name = "c",
	.init = init,
	.thread_end = heddle__c_functions_thread_end,
	.storage_shared = heddle__c_functions_share,
	.catch_up = heddle__c_functions_catch_up,
	.finish = finish,
	.before_read = heddle__c_functions_add,
	.after_fork = after_fork,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* The UPC front end's descriptor. */
#include "core/frontend.h"
#include "core/settings.h"
#include "core/thread.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_names.h"

static int init(unsigned int index)
{
	int error = heddle__events_register(heddle__upc_events, HEDDLE_UPC_KIND_COUNT);
	bool wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "upc");
	heddle__upc_handles_start(index);
	heddle__upc_select_aliases();
	for (unsigned int i = 0; i < HEDDLE_UPC_KIND_COUNT; i++)
		heddle__upc_events[i].selected &= wanted;
	return error;
}

/* What is under way is the parent's. */
static void after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (self)
		heddle__upc_handles_clear(self);
}

const struct heddle_frontend heddle__upc_frontend = {
	.name = "upc",
	.init = init,
	.thread_end = heddle__upc_handles_clear,
	.after_fork = after_fork,
};

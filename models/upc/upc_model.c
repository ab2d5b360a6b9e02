/* SPDX-License-Identifier: BSD-3-Clause */
/* The UPC front end's descriptor. */
#include "core/frontend.h"
#include "core/settings.h"
#include "models/upc/upc_names.h"

static int init(unsigned int index)
{
	(void)index;
	int error = heddle__events_register(heddle__upc_events, HEDDLE_UPC_KIND_COUNT);
	bool wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "upc");
	heddle__upc_select_aliases();
	for (unsigned int i = 0; i < HEDDLE_UPC_KIND_COUNT; i++)
		heddle__upc_events[i].selected &= wanted;
	return error;
}

const struct heddle_frontend heddle__upc_frontend = {
	.name = "upc",
	.init = init,
};

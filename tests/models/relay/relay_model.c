/* SPDX-License-Identifier: BSD-3-Clause */
/* The made-up model's front end: its descriptor, its events, and the functions that the runtime calls. */
#include <stddef.h>

#include "core/host/host_functions.h"
#include "core/modules/model.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/event.h"
#include "tests/models/relay/relay.h"

static const struct heddle_model_library libraries[] = {{"librelay.so*", NULL}, {NULL, NULL}};

static const struct heddle_code_name code_names[] = {
	{HEDDLE_NAMED_OUTLINED, "*.relayed.#*", NULL},
	{HEDDLE_NAMED_SERVICE, "relay_*@plt", NULL}, /* stubs in the program */
	{0, NULL, NULL},
};

static const struct heddle_model relay_model = {
	.name = "relay",
	.label = "Relay",
	.state = "relay",
	.rank = "rank",
	.ranks = "relay rank",
	.blocks = true,
	.libraries = libraries,
	.code = code_names,
};

static struct heddle_event events[] = {
	[RELAY_EACH] = {"relay", "relay_each", "relay each", .category = HEDDLE_CATEGORY_WORKSHARE},
	[RELAY_EXCHANGE] = {"relay", "relay_exchange", "relay exchange", .category = HEDDLE_CATEGORY_COLLECTIVE},
};

static int init(unsigned int index)
{
	(void)index;
	return heddle__events_register(events, sizeof(events) / sizeof(*events));
}

HEDDLE_EXPORT void relay_tool_rank(int rank)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread)
		return;
	heddle__enter(thread);
	thread->rank_model = (uint8_t)heddle__model_number(&relay_model);
	thread->rank = (uint32_t)rank + 1;
	heddle__leave(thread);
}

HEDDLE_EXPORT void relay_tool_begin(enum relay_event event, const void *frame, const void *caller)
{
	struct heddle_thread *thread = heddle__thread_self();
	const uintptr_t *words = frame; /* the caller's frame pointer, then the return address */
	uintptr_t sp = (uintptr_t)(words + 2);
	if (!thread)
		return;
	heddle__enter(thread);
	struct heddle_captured here = heddle__caller_path(thread, (uintptr_t)caller, sp, words[0]);
	heddle__region_begin_below(thread, &events[event], here.node, heddle__call_place(thread, caller),
		here.end > sp ? here.end - 1 : sp);
	heddle__leave(thread);
}

HEDDLE_EXPORT void relay_tool_end(enum relay_event event)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread)
		return;
	heddle__enter(thread);
	heddle__region_end(thread, &events[event]);
	heddle__leave(thread);
}

const struct heddle_frontend heddle__relay_frontend = {.name = "relay", .model = &relay_model, .init = init};

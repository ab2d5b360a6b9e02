/* SPDX-License-Identifier: BSD-3-Clause */
/* The OMPT tool of OpenMP 5, linked to a unit test that simulates the runtime. Included once in a program. */
#ifndef HEDDLE_TESTS_MODELS_OMPT_TOOL_H
#define HEDDLE_TESTS_MODELS_OMPT_TOOL_H

#include "tests/models/ompt/call.h"
#include "tests/support/unit.h"

#include "core/base/memory.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"

extern const struct heddle_frontend heddle__ompt_frontend;
const struct heddle_frontend *const heddle__frontends[] = {&heddle__ompt_frontend, NULL};

/* Returns false if the tool does not measure. */
static inline bool start_tool(ompt_function_lookup_t lookup)
{
	static char output[] = "/tmp/heddle-ompt-XXXXXX";
	setenv("HEDDLE_OUTPUT", mkdtemp(output), 1);
	ompt_start_tool_result_t *tool = ompt_start_tool(202011, "a runtime for tests");
	rmdir(output); /* no profile is written */
	heddle__events_give_time = true;
	return tool && tool->initialize(lookup, 0, &tool->tool_data) == 1;
}

static inline uint32_t node(uint32_t parent, enum heddle_ompt_event event, uintptr_t return_address)
{
	return heddle__tree_child(
		parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id), return_address - 1);
}

#endif

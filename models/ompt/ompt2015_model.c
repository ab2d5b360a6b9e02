/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second door: runtimes of the report of 2015 find ompt_tool. Towards the front end it plays a runtime of OpenMP 5:
 * it answers that version's look-ups from what the report's runtime offers. inquire and get_task_info run in the signal
 * handler.
 */
#include <stdio.h>
#include <string.h>

#include "core/host.h"
#include "core/log.h"
#include "core/module.h"
#include "core/process.h"
#include "core/region.h"
#include "core/settings.h"
#include "core/thread.h"
#include "models/ompt/ompt2015_events.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_team.h"

static _Thread_local ompt_frame_t asked_frame;

/* OpenMP 5's get_task_info, of the current task only; 2: all is known. */
static int get_task_info(
	int level, int *flags, ompt_data_t **task_data, ompt_frame_t **frame, ompt_data_t **parallel, int *number)
{
	struct heddle_ompt2015_task task;
	if (level || !atomic_load(&heddle__ompt2015.alive) || !heddle__ompt2015_task(0, &task))
		return 0;
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, task.id);
	struct heddle_ompt_named *region = heddle__ompt_name_find(HEDDLE_OMPT_PARALLEL_IDS, task.parallel);
	if (!named)
		return 0;
	asked_frame = heddle__ompt2015_frame(task.frame);
	*flags = task.type == ompt2015_task_explicit ? ompt_task_explicit : ompt_task_implicit;
	*task_data = &named->data;
	*frame = &asked_frame;
	*parallel = region ? &region->data : NULL;
	*number = 0;
	return 2;
}

static ompt_interface_fn_t look_up_as_five(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)heddle__ompt2015_keep_callback;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)get_task_info;
	return NULL;
}

static void look_up(struct heddle_ompt2015_runtime *runtime, ompt_function_lookup_t lookup)
{
	runtime->get_thread_id = (ompt2015_get_thread_id_t)lookup("ompt_get_thread_id");
	runtime->get_state = (ompt2015_get_state_t)lookup("ompt_get_state");
	runtime->get_parallel_id = (ompt2015_get_parallel_id_t)lookup("ompt_get_parallel_id");
	runtime->get_parallel_team_size = (ompt2015_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size");
	runtime->get_task_info = (ompt2015_get_task_info_t)lookup("ompt_get_task_info");
	runtime->get_task_id = (ompt2015_get_task_id_t)lookup("ompt_get_task_id");
	runtime->get_task_frame = (ompt2015_get_task_frame_t)lookup("ompt_get_task_frame");
}

/* An address in the runtime's own module; 0 when that is the program, whose frames are the user's. */
static uintptr_t runtime_code(ompt_function_lookup_t lookup)
{
	heddle__modules_refresh();
	const struct heddle_module *module = heddle__module_find((uintptr_t)lookup);
	return module && module->role != HEDDLE_MODULE_EXECUTABLE ? (uintptr_t)lookup : 0;
}

static void initialize(ompt_function_lookup_t lookup, const char *version_text, unsigned int version)
{
	struct heddle_ompt2015_runtime *runtime = &heddle__ompt2015;
	ompt2015_set_callback_t set_callback = (ompt2015_set_callback_t)lookup("ompt_set_callback");
	if (!set_callback || !heddle__ompt_claim(HEDDLE_OMPT_DOOR_2015))
		return;
	snprintf(heddle__process.openmp_runtime, sizeof(heddle__process.openmp_runtime),
		"%s (OMPT of 2015, version %u)", version_text ? version_text : "unknown runtime", version);
	runtime->version = version;
	look_up(runtime, lookup);
	heddle__ompt_attach(look_up_as_five, runtime_code(lookup));
	atomic_store(&runtime->alive, true);
	unsigned int delivered = heddle__ompt2015_set_callbacks(set_callback);
	heddle__inform("OpenMP: the runtime will deliver %u of the report's events", delivered);
}

HEDDLE_EXPORT ompt2015_initialize_t ompt_tool(void)
{
	if (!heddle__start() || !heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"))
		return NULL;
	return initialize;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime that is measured: its code, its inquiry functions, registration of callbacks with it. Opens and closes no
 * regions. heddle__ompt_frames and heddle__ompt_runtime_state run in the signal handler.
 */
#include "models/ompt/ompt_runtime.h"

#include <stdio.h>

#include "core/base/log.h"
#include "core/base/notes.h"
#include "core/modules/module_ranges.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_team.h"

ompt_get_task_info_t heddle__ompt_get_task_info;
static ompt_get_state_t get_state;
struct heddle_ompt_code heddle__ompt_runtime, heddle__ompt_offload;

static void know_code(struct heddle_ompt_code *code, const struct heddle_module *module)
{
	atomic_store(&code->low, module->low);
	atomic_store(&code->high, module->high);
}

void heddle__ompt_know_code(uintptr_t in_runtime)
{
	heddle__modules_refresh();
	struct heddle_module *runtime = heddle__module_find(in_runtime);
	if (!runtime)
		return;
	heddle__module_set_role(runtime, HEDDLE_MODULE_RUNTIME + heddle__ompt_model);
	know_code(&heddle__ompt_runtime, runtime);
}

void heddle__ompt_know_offload(uintptr_t in_library)
{
	heddle__modules_refresh();
	struct heddle_module *module = heddle__module_find(in_library);
	if (!module || module->role == HEDDLE_MODULE_EXECUTABLE)
		return;
	heddle__module_set_role(module, HEDDLE_MODULE_RUNTIME + heddle__ompt_model);
	know_code(&heddle__ompt_offload, module);
}

void heddle__ompt_know_inquiries(ompt_function_lookup_t lookup)
{
	heddle__ompt_get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_state = (ompt_get_state_t)lookup("ompt_get_state");
}

const ompt_frame_t *heddle__ompt_frames(const struct heddle_region *task)
{
	ompt_frame_t *frame = NULL;
	ompt_data_t *task_data = NULL, *parallel = NULL;
	int flags = 0, number = 0;
	if (!task || !heddle__ompt_get_task_info ||
		heddle__ompt_get_task_info(0, &flags, &task_data, &frame, &parallel, &number) != 2)
		return NULL;
	return (uintptr_t)task_data == task->task.name ? frame : NULL;
}

/* Detects waits that no event reported, because its callback is not registered or does not exist. */
enum heddle_state heddle__ompt_runtime_state(void)
{
	ompt_wait_id_t waits_for;
	int state = get_state ? get_state(&waits_for) : ompt_states_other;
	if (state >= ompt_states_wait_mutex && state < ompt_states_wait_target)
		return HEDDLE_STATE_LOCK_WAIT;
	if (state >= ompt_states_wait_task && state < ompt_states_other)
		return HEDDLE_STATE_TASK_WAIT;
	if (state >= ompt_states_wait_barrier && state < ompt_states_wait_task)
		return HEDDLE_STATE_BARRIER_WAIT;
	return HEDDLE_STATE_OVERHEAD;
}

/* Callbacks that context depends on; some are not mandatory. */
static const struct {
	ompt_callbacks_t number;
	const char *name;
} relied_on[] = {
	{ompt_callback_parallel_begin, "parallel_begin"},
	{ompt_callback_implicit_task, "implicit_task"},
	{ompt_callback_task_create, "task_create"},
	{ompt_callback_task_schedule, "task_schedule"},
	{ompt_callback_work, "work"},
	{ompt_callback_sync_region, "sync_region"},
	{ompt_callback_mutex_acquire, "mutex_acquire"},
};
static uint64_t not_sent; /* bit n: callback number n */

void heddle__ompt_note_missing(void)
{
	static char line[300];
	int length = 0;
	for (size_t i = 0; i < sizeof(relied_on) / sizeof(*relied_on); i++) {
		if (not_sent >> relied_on[i].number & 1)
			length += snprintf(line + length, sizeof(line) - (size_t)length, "%s%s",
				length ? ", " : "OpenMP context is incomplete: this runtime does not send ",
				relied_on[i].name);
	}
	if (!length)
		return;
	heddle__warn("%s", line);
	heddle__note(line);
}

unsigned int heddle__ompt_register(
	ompt_set_callback_t set_callback, const struct heddle_ompt_callback *callbacks, size_t count)
{
	unsigned int delivered = 0;
	for (size_t i = 0; i < count; i++) {
		if (callbacks[i].name && !heddle__ompt_callback_is_selected(callbacks[i].name))
			continue;
		bool sent = set_callback(callbacks[i].number, callbacks[i].function) == ompt_set_always;
		delivered += sent;
		if (!sent)
			not_sent |= (uint64_t)1 << callbacks[i].number;
	}
	return delivered;
}

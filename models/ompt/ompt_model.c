/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OpenMP front end: its descriptor, the door through which the runtime finds it, and the answers to the sampler.
 * heddle__ompt_inquire runs in the signal handler.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/control.h"
#include "core/host.h"
#include "core/log.h"
#include "core/module.h"
#include "core/process.h"
#include "core/region.h"
#include "core/settings.h"
#include "core/thread.h"
#include "core/tree.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_quirks.h"
#include "models/ompt/ompt_team.h"

ompt_get_task_info_t heddle__ompt_get_task_info;
static ompt_get_state_t get_state;
unsigned int heddle__ompt_index;
struct heddle_ompt_code heddle__ompt_runtime, heddle__ompt_offload;

static void know_code(struct heddle_ompt_code *code, const struct heddle_module *module)
{
	atomic_store(&code->low, module->low);
	atomic_store(&code->high, module->high);
}

void heddle__ompt_know_offload(uintptr_t in_library)
{
	heddle__modules_refresh();
	struct heddle_module *module = heddle__module_find(in_library);
	if (!module || module->role == HEDDLE_MODULE_EXECUTABLE)
		return;
	heddle__module_set_role(module, HEDDLE_MODULE_OPENMP);
	know_code(&heddle__ompt_offload, module);
}

static int init(unsigned int index)
{
	heddle__ompt_index = index;
	int error = heddle__events_register(heddle__ompt_events, HEDDLE_OMPT_EVENT_COUNT);
	heddle__ompt_select();
	return error;
}

const ompt_frame_t *heddle__ompt_frames(const struct heddle_region *task)
{
	ompt_frame_t *frame = NULL;
	ompt_data_t *task_data = NULL, *parallel = NULL;
	int flags = 0, number = 0;
	if (!task || !heddle__ompt_get_task_info ||
		heddle__ompt_get_task_info(0, &flags, &task_data, &frame, &parallel, &number) != 2)
		return NULL;
	return (uintptr_t)task_data == task->tag ? frame : NULL;
}

static uintptr_t enter_end(const struct heddle_thread *thread, const ompt_frame_t *frame)
{
	uintptr_t at = (uintptr_t)frame->enter_frame.ptr;
	return at >= thread->stack_low && at < thread->stack_high ? at + 2 * sizeof(void *) : 0;
}

/* Waits that no event told of, because it was not asked for or has none: the runtime's state does. */
static enum heddle_state runtime_state(void)
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

static bool inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	const struct heddle_region *task = heddle__current_task(thread);
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	if (!task && thread->role != HEDDLE_THREAD_OPENMP)
		return false;
	if (!task || (team && atomic_load(&team->group.ended))) {
		inquiry->state = HEDDLE_STATE_IDLE;
		inquiry->no_frames = true;
		return true;
	}
	const ompt_frame_t *frame = heddle__ompt_frames(task);
	inquiry->base = task->node;
	const struct heddle_region *top = &thread->regions[thread->depth - 1];
	inquiry->state =
		top->cfa ? HEDDLE_STATE_WORK : top->state; /* with an address, the path shows the region itself */
	inquiry->bounds = heddle__ompt_bounds(thread, frame);
	inquiry->enter = frame ? enter_end(thread, frame) : 0;
	inquiry->no_frames = !frame || (!inquiry->bounds.boundary && !inquiry->bounds.unbounded);
	inquiry->in_runtime = runtime_state;
	if (inquiry->no_frames && inquiry->state == HEDDLE_STATE_WORK)
		inquiry->state = runtime_state();
	return true;
}

bool heddle__ompt_claim(enum heddle_ompt_door door)
{
	static _Atomic int taken;
	int nobody = 0;
	return atomic_compare_exchange_strong(&taken, &nobody, (int)door) || nobody == (int)door;
}

int heddle__ompt_attach(ompt_function_lookup_t lookup, uintptr_t in_runtime)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	if (!set_callback)
		return 0;
	heddle__modules_refresh();
	struct heddle_module *runtime = heddle__module_find(in_runtime);
	if (runtime) {
		heddle__module_set_role(runtime, HEDDLE_MODULE_OPENMP);
		know_code(&heddle__ompt_runtime, runtime);
	}
	struct heddle_thread *self = heddle__thread_self();
	if (self)
		heddle__enter(self); /* what the loader allocates is not the program's */
	heddle__ompt_know_runtime(lookup);
	if (self)
		heddle__leave(self);
	heddle__ompt_get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_state = (ompt_get_state_t)lookup("ompt_get_state");
	unsigned int delivered = heddle__ompt_set_callbacks(set_callback);
	heddle__inform("OpenMP: %s, %u callbacks", heddle__process.openmp_runtime, delivered);
	return 1;
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
	(void)initial_device, (void)data;
	return heddle__ompt_claim(HEDDLE_OMPT_DOOR_5) ? heddle__ompt_attach(lookup, (uintptr_t)lookup) : 0;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

HEDDLE_EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	if (!heddle__start() || !heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"))
		return NULL;
	snprintf(heddle__process.openmp_runtime, sizeof(heddle__process.openmp_runtime), "%s (OpenMP %u)",
		runtime_version ? runtime_version : "unknown runtime", omp_version);
	return &result;
}

const struct heddle_frontend heddle__ompt_frontend = {
	.name = "openmp",
	.init = init,
	.inquire = inquire,
};

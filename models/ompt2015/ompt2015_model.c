/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second interface: runtimes that implement the report of 2015 find ompt_tool. To the front end, it acts as a
 * runtime of OpenMP 5: it implements that version's inquiry functions by those of the report's runtime. inquire and
 * get_task_info run in the signal handler.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/host/host_functions.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/process/first_copy.h"
#include "core/process/process.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_team.h"
#include "models/ompt2015/ompt2015_events.h"

static _Thread_local ompt_frame_t asked_frame;

/* OpenMP 5's get_task_info, for the current task only. Returns 2 if all information is available. */
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

/* ---- states ---- */

#define STATES 256
#define NO_STATE UINT8_MAX /* does not show what the thread does */

static uint8_t states[STATES]; /* enum heddle_state */

/*
 * Returns the state for a number, by the report's ranges. A state outside the range of its kind is recognized by its
 * name.
 */
static uint8_t meaning(int number, const char *name)
{
	if (strcmp(name, "ompt_state_undefined") == 0 || strcmp(name, "ompt_state_first") == 0 || number >= 128)
		return NO_STATE;
	if (number < 0x10)
		return HEDDLE_STATE_WORK;
	if (number < 0x20)
		return HEDDLE_STATE_IDLE;
	if (number < 0x40)
		return HEDDLE_STATE_OVERHEAD;
	if (number < 0x50 || number == ompt2015_state_wait_single_llvm)
		return HEDDLE_STATE_BARRIER_WAIT;
	if (number < 0x60)
		return HEDDLE_STATE_TASK_WAIT;
	return number < 0x70 ? HEDDLE_STATE_LOCK_WAIT : HEDDLE_STATE_TASK_WAIT;
}

/* LLVM's first state is also one of the report's states: the report's own first state is tried first. */
static void learn_states(ompt2015_enumerate_t enumerate)
{
	static const int firsts[] = {ompt2015_state_first, ompt2015_state_first_llvm};
	const char *name = "";
	memset(states, NO_STATE, sizeof(states));
	for (int i = 0; !enumerate && i < ompt2015_state_wait_target; i++)
		states[i] = meaning(i, name); /* further states differ between versions */
	for (size_t i = 0; enumerate && i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		int state = firsts[i], known = 0;
		for (; known < STATES && enumerate(state, &state, &name); known++) {
			if (state >= 0 && state < STATES)
				states[state] = meaning(state, name);
		}
		if (known)
			return;
	}
}

static void learn_types(const char *of, ompt2015_enumerate_t enumerate)
{
	int type = 0;
	const char *name = "";
	for (int known = 0; enumerate && known < STATES && enumerate(type, &type, &name); known++)
		heddle__inform("OpenMP: %s type %d: %s", of, type, name);
}

static uint8_t current_state(void)
{
	int state = heddle__ompt2015.get_state ? heddle__ompt2015.get_state(NULL) : -1;
	return state >= 0 && state < STATES ? states[state] : NO_STATE;
}

/* ---- in the signal handler ---- */

extern const struct heddle_frontend heddle__ompt_frontend;

/* Gets the node of the task's context, and its team if it is implicit; returns false if the task has no context. */
static bool find_context(const struct heddle_ompt2015_task *task, uint32_t *node, const struct heddle_ompt_team **team)
{
	const struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, task->id);
	*team = NULL;
	if (named && named->data.value & 1) {
		*node = (uint32_t)(named->data.value >> 1);
		return true;
	}
	named = heddle__ompt_name_find(HEDDLE_OMPT_PARALLEL_IDS, task->parallel);
	*team = named ? named->data.ptr : NULL;
	if (*team)
		*node = (*team)->context;
	return *team;
}

/* Inquires of the runtime. LLVM's runtime must not be queried for the task of a thread that has none. */
static bool ask(const struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	struct heddle_ompt2015_task task;
	const struct heddle_ompt_team *team = NULL;
	uint8_t state = current_state();
	bool may_have_task = !heddle__ompt2015.get_state || (state != HEDDLE_STATE_IDLE && state != NO_STATE);
	bool is_task = may_have_task && heddle__ompt2015_task(0, &task) && find_context(&task, &inquiry->base, &team);
	if (state == HEDDLE_STATE_IDLE || (!is_task && heddle__is_worker_of(thread, heddle__ompt_model))) {
		inquiry->state = HEDDLE_STATE_IDLE;
		inquiry->no_frames = true;
		return true;
	}
	if (!is_task)
		return false;
	ompt_frame_t frame = heddle__ompt2015_frame(task.frame);
	struct heddle_bounds bounds;
	heddle__ompt_bounds(thread, &frame, &bounds);
	uintptr_t boundary = bounds.boundary;
	inquiry->bounds = (struct heddle_bounds){.boundary = boundary, .outlined = true, .unbounded = !boundary};
	if (team && team->creator == thread && !boundary)
		inquiry->bounds.direct = team->creator_cfa;
	if (inquiry->bounds.unbounded && !inquiry->bounds.direct) {
		inquiry->no_frames = true; /* about to begin, or just ended */
		inquiry->state = HEDDLE_STATE_OVERHEAD;
	}
	return true;
}

static bool is_wait(uint8_t state)
{
	return state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_LOCK_WAIT || state == HEDDLE_STATE_TASK_WAIT;
}

/* Also finds waits that no event reported, from the runtime's state. */
static bool inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	if (!atomic_load_explicit(&heddle__ompt2015.alive, memory_order_relaxed))
		return false;
	bool found =
		heddle__ompt2015_must_ask() ? ask(thread, inquiry) : heddle__ompt_frontend.inquire(thread, inquiry);
	if (!found || (inquiry->state != HEDDLE_STATE_WORK && inquiry->state != HEDDLE_STATE_OVERHEAD))
		return found;
	uint8_t state = current_state();
	if (is_wait(state))
		inquiry->state = state;
	return true;
}

const struct heddle_frontend heddle__ompt2015_frontend = {
	.name = "openmp-2015",
	.model = &heddle__openmp_model,
	.inquire = inquire,
	.inquires_later = true,
};

/* ---- ompt_tool ---- */

#define LARGEST_VERSION 4095u /* of the interface; no address is that low */

static void look_up(struct heddle_ompt2015_runtime *runtime, ompt_function_lookup_t lookup)
{
	runtime->get_thread_id = (ompt2015_get_thread_id_t)lookup("ompt_get_thread_id");
	runtime->get_state = (ompt2015_get_state_t)lookup("ompt_get_state");
	runtime->get_parallel_id = (ompt2015_get_parallel_id_t)lookup("ompt_get_parallel_id");
	runtime->get_parallel_team_size = (ompt2015_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size");
	runtime->get_task_info = (ompt2015_get_task_info_t)lookup("ompt_get_task_info");
	runtime->get_task_id = (ompt2015_get_task_id_t)lookup("ompt_get_task_id");
	runtime->get_task_frame = (ompt2015_get_task_frame_t)lookup("ompt_get_task_frame");
	runtime->get_device_info = (ompt2015_get_device_info_t)lookup("ompt_target_get_device_info");
	if (!runtime->get_device_info) /* the report's text has both names */
		runtime->get_device_info = (ompt2015_get_device_info_t)lookup("ompt_get_device_info");
}

/* Returns an address in the runtime's own module; 0 if that is the program, whose frames are the user's. */
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
	if (!set_callback || !heddle__ompt_claim(HEDDLE_OMPT_VERSION_2015))
		return;
	snprintf(heddle__process.runtime, sizeof(heddle__process.runtime), "%s (OMPT of 2015, version %u)",
		version_text ? version_text : "unknown runtime", version);
	runtime->version = version;
	look_up(runtime, lookup);
	learn_states((ompt2015_enumerate_t)lookup("ompt_enumerate_state"));
	learn_types("lock", (ompt2015_enumerate_t)lookup("ompt_enumerate_lock_type"));
	learn_types("atomic", (ompt2015_enumerate_t)lookup("ompt_enumerate_atomic_type"));
	heddle__ompt_names_forget();
	unsigned int delivered = heddle__ompt2015_set_callbacks(set_callback);
	heddle__ompt_attach(look_up_as_five, runtime_code(lookup));
	atomic_store(&runtime->alive, true);
	heddle__frontend_inquires(&heddle__ompt2015_frontend);
	heddle__inform("OpenMP: the runtime will deliver %u of the report's events", delivered);
}

/*
 * Calls initialize with arguments in the right order. In the report's text the look-up comes first, as in LLVM's
 * runtimes. In its appendix it comes last, after the version's text and number; the number is small, where the other
 * form has a pointer or NULL.
 */
static void initialize_either(uintptr_t first, uintptr_t second, uintptr_t third)
{
	uint32_t number = (uint32_t)second;
	if (number > 0 && number <= LARGEST_VERSION && third > LARGEST_VERSION)
		initialize((ompt_function_lookup_t)third, (const char *)first, number);
	else
		initialize((ompt_function_lookup_t)first, (const char *)second, (unsigned int)third);
}

typedef ompt2015_initialize_t tool_t(void);

HEDDLE_EXPORT ompt2015_initialize_t ompt_tool(void)
{
	tool_t *first = (tool_t *)heddle__first_copy("ompt_tool");
	if (first)
		return first();
	if (!heddle__start() || !heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"))
		return NULL;
	return (ompt2015_initialize_t)(ompt_interface_fn_t)initialize_either;
}

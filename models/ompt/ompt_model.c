/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OpenMP front end: its descriptor; ompt_start_tool, by which the runtime finds it; and its answers to the
 * sampler's inquiries. heddle__ompt_inquire runs in the signal handler.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/host/host_functions.h"
#include "core/modules/model.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/process/first_copy.h"
#include "core/process/process.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_calls.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_other_tools.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_quirks.h"
#include "models/ompt/ompt_runtime.h"
#include "models/ompt/ompt_team.h"

unsigned int heddle__ompt_index, heddle__ompt_model;

static const struct heddle_model_library libraries[] = {
	{"libomp.so*", NULL},
	{"libgomp.so*", NULL},
	{"libiomp5.so*", NULL},
	{"libomptarget.so*", NULL},
	{"libomptarget.rtl.*", NULL},
	{"libffi.so*", "libomptarget.rtl.{x86_64,aarch64}*"}, /* the host device's plug-in calls kernels through it */
	{NULL, NULL},
};

static const struct heddle_code_name code_names[] = {
	{HEDDLE_NAMED_OUTLINED, ".omp*", NULL},
	{HEDDLE_NAMED_OUTLINED, "*.omp_outlined*", NULL},
	{HEDDLE_NAMED_OUTLINED, "__omp_offloading_*", NULL},                   /* Clang */
	{HEDDLE_NAMED_OUTLINED, "*._omp_{fn,cpyfn}.#*", NULL},                 /* GCC */
	{HEDDLE_NAMED_OUTLINED, "*..omp_par{,.#*}", NULL},                     /* LLVM's Fortran */
	{HEDDLE_NAMED_SERVICE, "{__kmpc_,__tgt_,GOMP_,omp_,kmp_}*@plt", NULL}, /* stubs in the program */
	{HEDDLE_NAMED_CALLED, "omp_{get_*,in_*,is_*,display_*,capture_*,alloc*,calloc*,realloc*,aligned_*,free*}",
		NULL},
	{HEDDLE_NAMED_CALLED, "omp_set_{num_*,dynamic*,nested*,schedule*,max_*,default_*,affinity_*}", NULL},
	{HEDDLE_NAMED_FILE, "tmpfile_*", "target kernel"}, /* LLVM's host device makes such files and removes them */
	{0, NULL, NULL},
};

const struct heddle_model heddle__openmp_model = {
	.name = "openmp",
	.state = "omp",
	.worker = "openmp worker",
	.blocks = true,
	.libraries = libraries,
	.code = code_names,
	.is_call = heddle__ompt_is_call,
};

/* LLVM's runtime does not report the end of a single construct that GCC compiled. */
static void describe_ends(void)
{
	heddle__event_means_held_lock(&heddle__ompt_events[HEDDLE_OMPT_LOCK]);
	heddle__event_means_held_lock(&heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK]);
	for (unsigned int i = 0; i < HEDDLE_OMPT_EVENT_COUNT; i++) {
		if (i != HEDDLE_OMPT_SINGLE)
			heddle__event_always_ends(&heddle__ompt_events[i]);
	}
}

static int init(unsigned int index)
{
	heddle__ompt_index = index;
	heddle__ompt_model = heddle__model_register(&heddle__openmp_model);
	int error = heddle__events_register(heddle__ompt_events, HEDDLE_OMPT_EVENT_COUNT);
	heddle__ompt_select();
	if (!error)
		describe_ends();
	heddle__ompt_know_calls(NULL);
	heddle__ompt_find_other_tools();
	return error;
}

static bool inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	if (!task && !heddle__is_worker_of(thread, heddle__ompt_model))
		return false;
	if (!task || (team && atomic_load(&team->group.ended))) {
		inquiry->state = HEDDLE_STATE_IDLE;
		inquiry->no_frames = true;
		return true;
	}
	const ompt_frame_t *frame = heddle__ompt_frames(task);
	inquiry->base = task->node;
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	inquiry->state =
		top->cfa ? HEDDLE_STATE_WORK : top->state; /* with an address, the path shows the region itself */
	heddle__ompt_bounds(thread, frame, &inquiry->bounds);
	inquiry->no_frames = !frame || (!inquiry->bounds.boundary && !inquiry->bounds.unbounded);
	inquiry->in_runtime = heddle__ompt_runtime_state;
	if (inquiry->no_frames && inquiry->state == HEDDLE_STATE_WORK)
		inquiry->state = heddle__ompt_runtime_state();
	return true;
}

/* The task's user code runs and signals an event: the boundary of the task's frames is unchanged. */
static bool inquire_event(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	struct heddle_region *task = heddle__current_task(&thread->stack);
	ompt_frame_t frame;
	if (!task || heddle__ompt_team_has_ended(thread) || !heddle__ompt_get_task_info ||
		!heddle__ompt_recall_frames(task, &frame))
		return inquire(thread, inquiry);
	inquiry->base = task->node;
	heddle__ompt_bounds(thread, &frame, &inquiry->bounds);
	inquiry->no_frames = !inquiry->bounds.boundary && !inquiry->bounds.unbounded;
	return true;
}

bool heddle__ompt_claim(enum heddle_ompt_version version)
{
	static _Atomic int taken;
	int nobody = 0;
	return atomic_compare_exchange_strong(&taken, &nobody, (int)version) || nobody == (int)version;
}

unsigned int heddle__ompt_set_callbacks(ompt_set_callback_t set_callback)
{
	return heddle__ompt_set_regions(set_callback) + heddle__ompt_set_tasks(set_callback) +
	       heddle__ompt_set_waits(set_callback) + heddle__ompt_set_counts(set_callback) +
	       heddle__ompt_set_target(set_callback);
}

int heddle__ompt_attach(ompt_function_lookup_t lookup, uintptr_t in_runtime)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	if (!set_callback)
		return 0;
	heddle__ompt_know_code(in_runtime);
	struct heddle_thread *self = heddle__thread_self();
	if (self)
		heddle__enter(self); /* so that the loader's allocations are not counted as the program's */
	heddle__ompt_know_runtime(lookup);
	if (self)
		heddle__leave(self);
	heddle__ompt_know_inquiries(lookup);
	unsigned int delivered = heddle__ompt_set_callbacks(set_callback);
	heddle__ompt_is_measured();
	heddle__inform("OpenMP: %s, %u callbacks", heddle__process.runtime, delivered);
	return 1;
}

/* The module of the runtime that is measured; NULL: none, or unknown. */
static const struct heddle_module *_Atomic measured_runtime;

static const struct heddle_module *living_runtime(void)
{
	const struct heddle_module *runtime = atomic_load(&measured_runtime);
	heddle__modules_refresh();
	return runtime && !atomic_load(&runtime->unloaded) ? runtime : NULL;
}

/*
 * True if the runtime may be measured. The first one may attach again, after a fork or when it was loaded again. A
 * second one beside it is not measured: its threads cannot be distinguished from those of the first, whose inquiry
 * functions would be called for its tasks.
 */
static bool may_attach(const struct heddle_module *runtime)
{
	static char line[640];
	const struct heddle_module *first = living_runtime();
	if (!first || !runtime || first == runtime)
		return true;
	snprintf(line, sizeof(line),
		"constructs of a second OpenMP runtime are not measured: %.200s, beside %.200s; link the program and "
		"its libraries with one runtime",
		runtime->path, first->path);
	heddle__warn("%s", line);
	heddle__note(line);
	return false;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	atomic_store(&measured_runtime, NULL);
}

static int initialize(ompt_function_lookup_t lookup, uintptr_t second, uintptr_t third);

/* The initializer takes its arguments as words, since drafts of the interface pass other arguments. */
static ompt_start_tool_result_t start_result = {(ompt_initialize_t)(ompt_interface_fn_t)initialize, finalize, {0}};

/*
 * True if the runtime implements a draft, as LLVM 6.0 and 7.0 do: no device number precedes the tool's data, or the
 * struct that the tool returned is in the number's position. Callbacks of drafts have other numbers and arguments.
 */
static bool speaks_draft(uintptr_t second)
{
	return second == (uintptr_t)&start_result.tool_data || second == (uintptr_t)&start_result;
}

static int initialize(ompt_function_lookup_t lookup, uintptr_t second, uintptr_t third)
{
	(void)third;
	if (speaks_draft(second)) {
		snprintf(heddle__process.runtime, sizeof(heddle__process.runtime),
			"a draft of OpenMP 5's tool interface, not measured");
		heddle__warn(
			"OpenMP context is missing: this runtime implements a draft of OpenMP 5's tool interface, as "
			"LLVM 6.0 and 7.0 do; Heddle supports the final version and that of 2015 (LLVM 3.8 to 5.0)");
		return 0;
	}
	heddle__modules_refresh();
	const struct heddle_module *runtime = heddle__module_find((uintptr_t)lookup);
	if (!heddle__ompt_claim(HEDDLE_OMPT_VERSION_5) || !may_attach(runtime))
		return 0;
	atomic_store(&measured_runtime, runtime);
	int attached = heddle__ompt_attach(lookup, (uintptr_t)lookup);
	if (attached)
		heddle__ompt_note_missing();
	return attached;
}

typedef ompt_start_tool_result_t *start_tool_t(unsigned int, const char *);

HEDDLE_EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	start_tool_t *first = (start_tool_t *)heddle__first_copy("ompt_start_tool");
	if (first)
		return first(omp_version, runtime_version);
	if (!heddle__start() || !heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"))
		return NULL;
	ompt_start_tool_result_t *other = heddle__ompt_ask_other_tools(omp_version, runtime_version);
	if (other)
		return other;
	if (!living_runtime())
		snprintf(heddle__process.runtime, sizeof(heddle__process.runtime), "%s (OpenMP %u)",
			runtime_version ? runtime_version : "unknown runtime", omp_version);
	return &start_result;
}

const struct heddle_frontend heddle__ompt_frontend = {
	.name = "openmp",
	.model = &heddle__openmp_model,
	.init = init,
	.inquire = inquire,
	.inquire_event = inquire_event,
	.finish = heddle__ompt_note_unmeasured,
};

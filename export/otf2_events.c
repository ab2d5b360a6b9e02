/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps as OTF2 events. With samples in the trace, regions are calling-context events, as OTF2 has it: the two kinds
 * exclude each other, and libotf2 gives a reader that knows no contexts events without them.
 */
#include "export/otf2_writer.h"

#include "profile/file/description.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes and numbers ---- */

static uint32_t number_of(uint32_t *number, uint32_t *count)
{
	if (*number == EXPORT_OTF2_NONE)
		*number = (*count)++;
	return *number;
}

static OTF2_CommRef team_of(struct export_otf2 *otf2, size_t thread)
{
	return number_of(&otf2->teams[otf2->request->trace->threads[thread].file], &otf2->comm_count);
}

static void add_attribute(struct export_otf2 *otf2, enum export_otf2_attribute attribute, uint64_t value)
{
	export_otf2_failed(otf2, OTF2_AttributeList_AddUint64(otf2->attributes, attribute, value));
}

static OTF2_AttributeList *attributes_of(struct export_otf2 *otf2, const struct export_step *step)
{
	static const struct {
		enum heddle_trace_attribute from;
		enum export_otf2_attribute to;
	} kept[] = {
		{HEDDLE_TRACE_HANDLE, EXPORT_OTF2_HANDLE},
		{HEDDLE_TRACE_LOCK, EXPORT_OTF2_LOCK},
		{HEDDLE_TRACE_ADDRESS, EXPORT_OTF2_ADDRESS},
		{HEDDLE_TRACE_BYTES, EXPORT_OTF2_BYTES},
		{HEDDLE_TRACE_PARALLEL, EXPORT_OTF2_PARALLEL},
	};
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (export_has(step->attributes, kept[i].from))
			add_attribute(otf2, kept[i].to, step->attributes->value[kept[i].from]);
	return otf2->attributes;
}

/* ---- calling contexts ---- */

static bool is_above(const struct export_otf2 *otf2, uint32_t above, uint32_t node)
{
	while (otf2->depths[node] > otf2->depths[above])
		node = otf2->request->view->parents[node];
	return node == above;
}

/* Returns the last node that both paths have; EXPORT_NO_NODE if `one` is EXPORT_NO_NODE. */
static uint32_t common_node(const struct export_otf2 *otf2, uint32_t one, uint32_t other)
{
	const uint32_t *parents = otf2->request->view->parents;
	if (one == EXPORT_NO_NODE)
		return EXPORT_NO_NODE;
	while (one != other) {
		if (otf2->depths[one] >= otf2->depths[other])
			one = parents[one];
		else
			other = parents[other];
	}
	return one;
}

/*
 * Returns OTF2's unwind distance: one more than the number of nodes of the path that are new since the last event. A
 * region that was entered and not left since is not new, whatever came in between.
 */
static uint32_t unwind_distance(struct export_otf2 *otf2, struct export_otf2_thread *thread, uint32_t node)
{
	uint32_t kept = common_node(otf2, thread->context, node);
	uint32_t open = thread->depth ? thread->regions[thread->depth - 1].node : EXPORT_NO_NODE;
	if (open != EXPORT_NO_NODE && is_above(otf2, open, node) &&
		(kept == EXPORT_NO_NODE || otf2->depths[kept] < otf2->depths[open]))
		kept = open;
	thread->context = node;
	return otf2->depths[node] + 1 - (kept == EXPORT_NO_NODE ? 0 : otf2->depths[kept] + 1) + 1;
}

/* ---- regions ---- */

static OTF2_RegionRef region_of(const struct export_otf2 *otf2, uint32_t node)
{
	return otf2->request->view->label_of[node];
}

static void write_enter(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	OTF2_AttributeList *attributes = attributes_of(otf2, step);
	if (!step->visit)
		export_otf2_failed(otf2, OTF2_AttributeList_AddUint8(attributes, EXPORT_OTF2_NO_VISIT, 1));
	if (otf2->contexts)
		export_otf2_failed(otf2, OTF2_EvtWriter_CallingContextEnter(thread->writer, attributes, step->time_ns,
						 step->node, unwind_distance(otf2, thread, step->node)));
	else
		export_otf2_failed(otf2,
			OTF2_EvtWriter_Enter(thread->writer, attributes, step->time_ns, region_of(otf2, step->node)));
}

static void write_leave(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	if (!otf2->contexts) {
		export_otf2_failed(
			otf2, OTF2_EvtWriter_Leave(thread->writer, NULL, step->time_ns, region_of(otf2, step->node)));
		return;
	}
	export_otf2_failed(otf2, OTF2_EvtWriter_CallingContextLeave(thread->writer, NULL, step->time_ns, step->node));
	thread->context = step->node ? otf2->request->view->parents[step->node] : EXPORT_NO_NODE;
}

static void enter(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	int error =
		profile_reserve(&thread->regions, &thread->region_room, thread->depth + 1, sizeof(*thread->regions));
	if (error) {
		otf2->error = -error;
		return;
	}
	write_enter(otf2, step);
	export_otf2_begin_collective(otf2, step);
	export_otf2_wait_for_change(otf2, step);
	export_otf2_enter_call(otf2, step);
	thread->regions[thread->depth++] = (struct export_otf2_region){
		.node = step->node,
		.handle = step->attributes->value[HEDDLE_TRACE_HANDLE],
		.has_handle = export_has(step->attributes, HEDDLE_TRACE_HANDLE),
		.lock = step->attributes->value[HEDDLE_TRACE_LOCK],
		.has_lock = export_has(step->attributes, HEDDLE_TRACE_LOCK),
		.context = export_has(step->attributes, HEDDLE_TRACE_CONTEXT)
				   ? step->attributes->value[HEDDLE_TRACE_CONTEXT]
				   : 0,
	};
	export_otf2_enter_fence(otf2, step);
}

static void leave(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	export_otf2_complete_operations(otf2, step);
	struct export_otf2_region region = thread->regions[--thread->depth];
	export_otf2_leave_window(otf2, step, &region);
	export_otf2_end_collective(otf2, step);
	export_otf2_leave_call(otf2, step);
	write_leave(otf2, step);
	export_otf2_acquire_lock(otf2, step, &region);
}

/* ---- samples and values ---- */

static void write_sample(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	uint32_t node = step->node == EXPORT_NO_NODE ? 0 : step->node;
	if (!otf2->contexts)
		return;
	add_attribute(otf2, EXPORT_OTF2_PERIODS, step->event->value);
	add_attribute(otf2, EXPORT_OTF2_CPU_TIME, step->event->cpu_ns);
	export_otf2_failed(
		otf2, OTF2_EvtWriter_CallingContextSample(thread->writer, otf2->attributes, step->time_ns, node,
			      unwind_distance(otf2, thread, node), otf2->request->trace->threads[step->thread].file));
}

static void write_amount(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value;
	if (step->metric == HEDDLE_METRIC_FLIGHT_TIME)
		export_otf2_take_flight(otf2, step);
	export_otf2_count_collective(otf2, step);
	uint32_t metric = number_of(&otf2->metrics[step->metric], &otf2->metric_count);
	value.unsigned_int = thread->sums[step->metric] += step->amount;
	export_otf2_failed(otf2, OTF2_EvtWriter_Metric(thread->writer, NULL, step->time_ns, metric, 1, &type, &value));
}

/* Returns the metric of an argument; EXPORT_OTF2_NONE: no memory. */
static uint32_t metric_of_argument(struct export_otf2 *otf2, const char *name)
{
	size_t before = otf2->arguments.count;
	uint32_t number = profile_intern(&otf2->arguments, name);
	if (number == HEDDLE_INTERN_NONE || profile_reserve(&otf2->argument_metrics, &otf2->argument_room,
						    (size_t)number + 1, sizeof(*otf2->argument_metrics)) != 0) {
		otf2->error = ENOMEM;
		return EXPORT_OTF2_NONE;
	}
	if (otf2->arguments.count > before)
		otf2->argument_metrics[number] = otf2->metric_count++;
	return otf2->argument_metrics[number];
}

/* A string is a metric of its own, with the value 1 each time it is passed. */
static bool add_string(char *name, size_t size, const char *description)
{
	bool further;
	const char *string = profile_argument_string(description, &further);
	size_t length = strlen(name);
	if (string)
		snprintf(name + length, size - length, ": %s", further ? "other strings" : string);
	return string;
}

/* Argument 0 is the size of an access, which the operation has. */
static void write_argument(struct export_otf2 *otf2, const struct export_step *step)
{
	const struct profile_trace *trace = otf2->request->trace;
	const Heddle__Profile__Process *process = trace->files[trace->threads[step->thread].file].process->info;
	char name[HEDDLE_NAME_LIMIT];
	OTF2_Type type = OTF2_TYPE_DOUBLE;
	OTF2_MetricValue value = {.floating_point = step->event->real};
	uint32_t text = step->event->text;
	if (!step->event->operand || !text || text > process->n_strings)
		return;
	profile_argument_name(name, sizeof(name), process->strings[text - 1], step->event->operand);
	if (add_string(name, sizeof(name), process->strings[text - 1]))
		value.floating_point = 1;
	uint32_t metric = metric_of_argument(otf2, name);
	if (metric != EXPORT_OTF2_NONE)
		export_otf2_failed(otf2, OTF2_EvtWriter_Metric(otf2->threads[step->thread].writer, NULL, step->time_ns,
						 metric, 1, &type, &value));
}

static void write_stretch(struct export_otf2 *otf2, const struct export_step *step)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	bool off = step->kind == EXPORT_OFF;
	uint64_t written_ns = otf2->threads[step->thread].written_ns;
	uint64_t since_ns = step->since_ns > written_ns ? step->since_ns : written_ns;
	export_otf2_failed(otf2, step->kind == EXPORT_STALLED
					 ? OTF2_EvtWriter_BufferFlush(writer, NULL, since_ns, step->time_ns)
					 : OTF2_EvtWriter_MeasurementOnOff(writer, NULL, step->time_ns,
						   off ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON));
}

/* ---- OpenMP ---- */

static void write_team(struct export_otf2 *otf2, const struct export_step *step)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	OTF2_CommRef team = team_of(otf2, step->thread);
	uint32_t size = export_has(step->attributes, HEDDLE_TRACE_TEAM_SIZE)
				? (uint32_t)step->attributes->value[HEDDLE_TRACE_TEAM_SIZE]
				: OTF2_UNDEFINED_UINT32;
	uint64_t now = step->time_ns;
	export_otf2_failed(otf2,
		step->kind == EXPORT_FORK   ? OTF2_EvtWriter_ThreadFork(writer, NULL, now, OTF2_PARADIGM_OPENMP, size)
		: step->kind == EXPORT_JOIN ? OTF2_EvtWriter_ThreadJoin(writer, NULL, now, OTF2_PARADIGM_OPENMP)
		: step->kind == EXPORT_TEAM_BEGIN ? OTF2_EvtWriter_ThreadTeamBegin(writer, NULL, now, team)
						  : OTF2_EvtWriter_ThreadTeamEnd(writer, NULL, now, team));
}

/* Returns the number of a thread in its process's communicator: the trace's threads are ordered by process. */
static uint32_t member_of(const struct export_otf2 *otf2, size_t thread)
{
	const struct profile_trace_thread *threads = otf2->request->trace->threads;
	size_t first = thread;
	uint32_t number = 0;
	while (first > 0 && threads[first - 1].file == threads[thread].file)
		number += export_otf2_is_location(otf2, --first);
	return number;
}

static void write_task(struct export_otf2 *otf2, const struct export_step *step)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	uint32_t creator = member_of(otf2, step->task.creator);
	export_otf2_failed(otf2, (step->kind == EXPORT_TASK_CREATE          ? OTF2_EvtWriter_ThreadTaskCreate
					 : step->kind == EXPORT_TASK_SWITCH ? OTF2_EvtWriter_ThreadTaskSwitch
									    : OTF2_EvtWriter_ThreadTaskComplete)(writer,
					 NULL, step->time_ns, team_of(otf2, step->thread), creator, step->task.nth));
}

/* ---- all events ---- */

static void write_moment(struct export_otf2 *otf2, const struct export_step *step)
{
	write_enter(otf2, step);
	write_leave(otf2, step);
}

static void write_kind(struct export_otf2 *otf2, const struct export_step *step)
{
	switch (step->kind) {
	case EXPORT_ENTER:
		enter(otf2, step);
		break;
	case EXPORT_LEAVE:
		leave(otf2, step);
		break;
	case EXPORT_MOMENT:
		write_moment(otf2, step);
		break;
	case EXPORT_SAMPLE:
		write_sample(otf2, step);
		break;
	case EXPORT_ACCESS:
		export_otf2_write_access(otf2, step);
		break;
	case EXPORT_MESSAGE:
		export_otf2_write_message(otf2, step);
		break;
	case EXPORT_AMOUNT:
		write_amount(otf2, step);
		break;
	case EXPORT_ARGUMENT:
		write_argument(otf2, step);
		break;
	case EXPORT_FORK:
	case EXPORT_JOIN:
	case EXPORT_TEAM_BEGIN:
	case EXPORT_TEAM_END:
		write_team(otf2, step);
		break;
	case EXPORT_TASK_CREATE:
	case EXPORT_TASK_SWITCH:
	case EXPORT_TASK_END:
		write_task(otf2, step);
		break;
	case EXPORT_OFF:
	case EXPORT_ON:
	case EXPORT_STALLED:
		write_stretch(otf2, step);
		break;
	case EXPORT_ATTRIBUTES:
		break;
	}
}

/* The window exists as long as the rank has events. */
static void note_time(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	uint64_t first_ns = step->kind == EXPORT_STALLED ? step->since_ns : step->time_ns;
	if (!thread->begun)
		export_otf2_create_window(otf2, step->thread, first_ns);
	thread->begun = true;
	thread->last_ns = step->time_ns > thread->last_ns ? step->time_ns : thread->last_ns;
}

static int write_step(void *context, const struct export_step *step)
{
	struct export_otf2 *otf2 = context;
	if (!export_otf2_is_location(otf2, step->thread))
		return 0;
	note_time(otf2, step);
	otf2->end_ns = step->time_ns > otf2->end_ns ? step->time_ns : otf2->end_ns;
	if (step->kind == EXPORT_LEAVE)
		export_otf2_take_handle(&otf2->threads[step->thread], step);
	export_otf2_release_locks(otf2, step);
	write_kind(otf2, step);
	if (step->kind != EXPORT_ENTER && step->kind != EXPORT_LEAVE)
		export_otf2_take_handle(&otf2->threads[step->thread], step);
	return otf2->error;
}

int export_otf2_events(struct export_otf2 *otf2)
{
	size_t count = otf2->request->trace->thread_count;
	if (export_otf2_failed(otf2, OTF2_Archive_OpenEvtFiles(otf2->archive)))
		return otf2->error;
	for (size_t i = 0; i < count; i++) {
		otf2->threads[i].context = EXPORT_NO_NODE;
		if (!export_otf2_is_location(otf2, i))
			continue;
		otf2->threads[i].writer = OTF2_Archive_GetEvtWriter(otf2->archive, i);
		if (!otf2->threads[i].writer && !otf2->error)
			otf2->error = EIO;
	}
	return otf2->error ? otf2->error : export_trace_steps(otf2->request, write_step, otf2);
}

int export_otf2_close_events(struct export_otf2 *otf2)
{
	for (size_t i = 0; !otf2->error && i < otf2->request->trace->thread_count; i++) {
		struct export_otf2_thread *thread = &otf2->threads[i];
		if (!thread->writer)
			continue;
		export_otf2_destroy_window(otf2, i);
		export_otf2_close_windows(otf2, i);
		export_otf2_failed(otf2, OTF2_EvtWriter_GetNumberOfEvents(thread->writer, &thread->event_count));
		export_otf2_failed(otf2, OTF2_Archive_CloseEvtWriter(otf2->archive, thread->writer));
	}
	if (!otf2->error)
		export_otf2_failed(otf2, OTF2_Archive_CloseEvtFiles(otf2->archive));
	return otf2->error;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definitions that events refer to: regions are labels of the view, calling contexts its nodes, locations the threads.
 * Written after the events, when it is known which of the others occur.
 */
#include "export/otf2_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_SECOND 1000000000u

struct definitions {
	struct export_otf2 *otf2;
	OTF2_GlobalDefWriter *writer;
	struct profile_intern strings; /* the index is OTF2's number */
	uint32_t *hosts;               /* by process: its system tree node */
	uint32_t *comm_groups;         /* by communicator */
	uint32_t group_count;
};

/* ---- strings ---- */

/* Returns the number of a text, which is defined when it is new. */
static OTF2_StringRef string(struct definitions *definitions, const char *text)
{
	size_t before = definitions->strings.count;
	uint32_t number = profile_intern(&definitions->strings, text);
	if (number == HEDDLE_INTERN_NONE)
		definitions->otf2->error = ENOMEM;
	else if (definitions->strings.count > before)
		export_otf2_failed(
			definitions->otf2, OTF2_GlobalDefWriter_WriteString(definitions->writer, number, text));
	return number;
}

/* ---- regions ---- */

static void define_regions(struct definitions *definitions)
{
	const struct profile_view *view = definitions->otf2->request->view;
	for (uint32_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		OTF2_StringRef name = string(definitions, label->text), module = string(definitions, label->module);
		export_otf2_failed(definitions->otf2,
			OTF2_GlobalDefWriter_WriteRegion(definitions->writer, i, name, name, module,
				definitions->otf2->roles[i], definitions->otf2->paradigms[i], OTF2_REGION_FLAG_NONE,
				*label->file ? string(definitions, label->file) : OTF2_UNDEFINED_STRING, label->line,
				label->line));
	}
}

static void define_contexts(struct definitions *definitions)
{
	const struct profile_view *view = definitions->otf2->request->view;
	for (uint32_t i = 0; definitions->otf2->contexts && i < view->node_count; i++)
		export_otf2_failed(definitions->otf2, OTF2_GlobalDefWriter_WriteCallingContext(definitions->writer, i,
							      view->label_of[i], OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
							      i ? view->parents[i] : OTF2_UNDEFINED_CALLING_CONTEXT));
}

/* ---- hosts, processes, threads ---- */

static void define_node(struct definitions *definitions, uint32_t number, const char *name, const char *class)
{
	export_otf2_failed(definitions->otf2,
		OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions->writer, number, string(definitions, name),
			string(definitions, class), number ? 0 : OTF2_UNDEFINED_SYSTEM_TREE_NODE));
}

/* System tree node 0 is all hosts together, the others are hosts. */
static void define_hosts(struct definitions *definitions)
{
	const struct profile_trace *trace = definitions->otf2->request->trace;
	uint32_t count = 1;
	define_node(definitions, 0, "hosts", "machine");
	for (size_t i = 0; i < trace->file_count; i++) {
		const char *host = trace->files[i].process->info->host;
		size_t same = 0;
		while (strcmp(trace->files[same].process->info->host, host) != 0)
			same++;
		definitions->hosts[i] = same < i ? definitions->hosts[same] : count++;
		if (same == i)
			define_node(definitions, definitions->hosts[i], *host ? host : "unknown host", "node");
	}
}

static void define_processes(struct definitions *definitions)
{
	const struct export_request *request = definitions->otf2->request;
	char name[512];
	for (uint32_t i = 0; i < request->trace->file_count; i++) {
		export_process_name(request, request->trace->files[i].process, name, sizeof(name));
		export_otf2_failed(
			definitions->otf2, OTF2_GlobalDefWriter_WriteLocationGroup(definitions->writer, i,
						   string(definitions, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
						   definitions->hosts[i], OTF2_UNDEFINED_LOCATION_GROUP));
	}
}

static void define_threads(struct definitions *definitions)
{
	const struct export_request *request = definitions->otf2->request;
	char name[512];
	for (size_t i = 0; i < request->trace->thread_count; i++) {
		if (!export_otf2_is_location(definitions->otf2, i))
			continue;
		export_thread_name(request, i, name, sizeof(name));
		export_otf2_failed(definitions->otf2,
			OTF2_GlobalDefWriter_WriteLocation(definitions->writer, i, string(definitions, name),
				OTF2_LOCATION_TYPE_CPU_THREAD, definitions->otf2->threads[i].event_count,
				request->trace->threads[i].file));
	}
}

/* ---- communicators ---- */

/* Defines a group. First come a paradigm's locations, as a group; other groups have the numbers of its members. */
static void define_group(struct definitions *definitions, OTF2_GroupType type, OTF2_Paradigm paradigm, const char *name,
	const uint64_t *members, size_t count)
{
	export_otf2_failed(definitions->otf2,
		OTF2_GlobalDefWriter_WriteGroup(definitions->writer, definitions->group_count++,
			string(definitions, name), type, paradigm, OTF2_GROUP_FLAG_NONE, (uint32_t)count, members));
}

static void define_paradigm(
	struct definitions *definitions, OTF2_Paradigm paradigm, const char *name, OTF2_ParadigmClass class)
{
	export_otf2_failed(definitions->otf2,
		OTF2_GlobalDefWriter_WriteParadigm(definitions->writer, paradigm, string(definitions, name), class));
}

/* A member without records is replaced by the first process, because its rank must belong to a process. */
static void define_communicator(
	struct definitions *definitions, const struct export_otf2_group *group, const uint64_t *places)
{
	for (size_t i = 0; i < group->members; i++)
		group->ranks[i] = group->ranks[i] == UINT64_MAX ? 0 : places[group->ranks[i]];
	definitions->comm_groups[group->comm] = definitions->group_count;
	define_group(
		definitions, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, group->name, group->ranks, group->members);
}

static const char *model_label(const struct export_otf2 *otf2)
{
	const struct profile_trace *trace = otf2->request->trace;
	for (size_t i = 0; i < trace->thread_count; i++)
		if (trace->threads[i].row && profile_thread_is_rank(trace->threads[i].row))
			return profile_model_label(profile_models_named(
				&otf2->request->measurement->tree.models, trace->threads[i].row->rank_model));
	return "";
}

/* Defines the communicator of the program's ranks, whose shared memory all one-sided operations access. */
static void define_program(struct definitions *definitions, uint64_t *members)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	char all[256];
	uint32_t group = definitions->group_count;
	size_t count = 0;
	if (otf2->program == EXPORT_OTF2_NONE)
		return;
	for (size_t rank = 0; rank < otf2->rank_count; rank++)
		if (otf2->ranks[rank].thread != EXPORT_OTF2_NO_THREAD)
			members[count++] = otf2->ranks[rank].thread;
	snprintf(all, sizeof(all), "all %ss", otf2->program_name);
	define_paradigm(definitions, otf2->program_paradigm, model_label(otf2), OTF2_PARADIGM_CLASS_PROCESS);
	define_group(definitions, OTF2_GROUP_TYPE_COMM_LOCATIONS, otf2->program_paradigm, all + 4, members, count);
	for (size_t i = 0; i < count; i++)
		members[i] = i;
	define_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, otf2->program_paradigm, all, members, count);
	definitions->comm_groups[otf2->program] = group + 1;
}

/* Ranks that calls synchronize with; `members` has room for all ranks. */
static void define_sets(struct definitions *definitions, const uint64_t *places, uint64_t *members)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	for (uint32_t i = 0; i < otf2->sets.count; i++) {
		size_t count = otf2->sets.lengths[i] / sizeof(uint32_t);
		count = count < otf2->process_count ? count : otf2->process_count;
		for (size_t j = 0; j < count; j++) {
			uint32_t rank;
			memcpy(&rank, otf2->sets.texts[i] + j * sizeof(rank), sizeof(rank));
			members[j] = places[rank];
		}
		define_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, "partners", members, count);
	}
}

/* The processes that exchange messages, by rank; then the members of each communicator, as places among these. */
static int define_processes_of_messages(struct definitions *definitions)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	uint64_t *members = calloc(otf2->process_count + 1, sizeof(*members));
	uint64_t *places = calloc(otf2->process_count + 1, sizeof(*places));
	size_t count = 0;
	if (!members || !places || !otf2->group_count) {
		free(members);
		free(places);
		return members && places ? 0 : ENOMEM;
	}
	for (size_t rank = 0; rank < otf2->process_count; rank++) {
		places[rank] = count;
		if (otf2->processes[rank] != EXPORT_OTF2_NO_THREAD)
			members[count++] = otf2->processes[rank];
	}
	define_paradigm(definitions, OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS);
	define_group(definitions, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, "MPI ranks", members, count);
	for (size_t i = 0; i < otf2->group_count; i++)
		define_communicator(definitions, &otf2->groups[i], places);
	define_sets(definitions, places, members);
	free(members);
	free(places);
	return 0;
}

/* Defines the threads of processes with OpenMP; then those of each process. */
static void define_teams(struct definitions *definitions, uint64_t *members)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	const struct profile_trace *trace = otf2->request->trace;
	size_t count = 0, first = 0;
	for (size_t i = 0; i < trace->thread_count; i++)
		if (otf2->teams[trace->threads[i].file] != EXPORT_OTF2_NONE && export_otf2_is_location(otf2, i))
			members[count++] = i;
	if (count == 0)
		return;
	define_paradigm(definitions, OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
	define_group(
		definitions, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, "OpenMP threads", members, count);
	for (uint32_t file = 0, at = 0; file < trace->file_count; file++) {
		size_t size = 0;
		for (; at < trace->thread_count && trace->threads[at].file == file; at++) {
			if (!export_otf2_is_location(otf2, at))
				continue;
			members[size] = first + size;
			size++;
		}
		if (otf2->teams[file] == EXPORT_OTF2_NONE)
			continue;
		definitions->comm_groups[otf2->teams[file]] = definitions->group_count;
		define_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
			"OpenMP threads of a process", members, size);
		first += size;
	}
}

/* Defines communicators by number, after their groups. */
static void define_comms(struct definitions *definitions)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	char all[256];
	snprintf(all, sizeof(all), "all %ss", otf2->program_name);
	for (uint32_t i = 0; i < otf2->comm_count; i++) {
		const char *name = i < otf2->group_count ? otf2->groups[i].name
				   : i == otf2->program  ? all
							 : "OpenMP threads of a process";
		export_otf2_failed(definitions->otf2,
			OTF2_GlobalDefWriter_WriteComm(definitions->writer, i, string(definitions, name),
				definitions->comm_groups[i], OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	}
}

static void define_window(struct definitions *definitions, OTF2_RmaWinRef number, const char *name, OTF2_CommRef comm)
{
	export_otf2_failed(
		definitions->otf2, OTF2_GlobalDefWriter_WriteRmaWin(definitions->writer, number,
					   string(definitions, name), comm, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
}

/* By number. */
static void define_windows(struct definitions *definitions)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	if (otf2->program != EXPORT_OTF2_NONE)
		define_window(definitions, EXPORT_OTF2_WINDOW, "shared memory", otf2->program);
	for (uint32_t number = otf2->program != EXPORT_OTF2_NONE; number < otf2->window_count; number++)
		for (size_t i = 0; i < otf2->group_count; i++)
			if (otf2->groups[i].window == number)
				define_window(definitions, number, otf2->groups[i].name, otf2->groups[i].comm);
}

/* ---- metrics and samples ---- */

static void define_metric(struct definitions *definitions, OTF2_MetricRef number, const char *name, const char *meaning,
	OTF2_MetricMode mode, OTF2_Type type, const char *unit)
{
	export_otf2_failed(definitions->otf2,
		OTF2_GlobalDefWriter_WriteMetricMember(definitions->writer, number, string(definitions, name),
			string(definitions, meaning), OTF2_METRIC_TYPE_OTHER, mode, type, OTF2_BASE_DECIMAL, 0,
			string(definitions, unit)));
	export_otf2_failed(definitions->otf2, OTF2_GlobalDefWriter_WriteMetricClass(definitions->writer, number, 1,
						      &number, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
}

static void define_argument(struct definitions *definitions, uint32_t number)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	for (uint32_t i = 0; i < otf2->arguments.count; i++)
		if (otf2->argument_metrics[i] == number)
			define_metric(definitions, number, otf2->arguments.texts[i], "an argument of a user event",
				OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE, "");
}

/* Defines metrics by number: they were numbered in the order of events. */
static void define_metrics(struct definitions *definitions)
{
	const struct export_otf2 *otf2 = definitions->otf2;
	for (uint32_t number = 0; number < otf2->metric_count; number++) {
		uint32_t i = 0;
		while (i < HEDDLE_METRIC_LIMIT && otf2->metrics[i] != number)
			i++;
		if (i == HEDDLE_METRIC_LIMIT)
			define_argument(definitions, number);
		else
			define_metric(definitions, number, profile_metric_name((enum heddle_metric)i),
				profile_metric_meaning((enum heddle_metric)i), OTF2_METRIC_ACCUMULATED_START,
				OTF2_TYPE_UINT64, profile_metric_unit((enum heddle_metric)i));
	}
}

/* Defines the source of samples of each process. */
static void define_generators(struct definitions *definitions)
{
	const struct profile_trace *trace = definitions->otf2->request->trace;
	for (uint32_t i = 0; definitions->otf2->contexts && i < trace->file_count; i++) {
		const Heddle__Profile__Process *process = trace->files[i].process->info;
		export_otf2_failed(definitions->otf2,
			OTF2_GlobalDefWriter_WriteInterruptGenerator(definitions->writer, i,
				string(definitions, process->sample_source), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
				OTF2_BASE_DECIMAL, -9,
				process->sample_hz ? NS_PER_SECOND / process->sample_hz : OTF2_UNDEFINED_UINT64));
	}
}

static void define_attributes(struct definitions *definitions)
{
	static const struct {
		const char *name, *description;
		OTF2_Type type;
	} attributes[EXPORT_OTF2_ATTRIBUTES] = {
		[EXPORT_OTF2_NO_VISIT] = {"no visit",
			"1: the region goes on, or is a thread's part of it; not counted as a visit", OTF2_TYPE_UINT8},
		[EXPORT_OTF2_PERIODS] = {"periods", "sampling periods that ended at this sample", OTF2_TYPE_UINT64},
		[EXPORT_OTF2_CPU_TIME] = {"CPU time", "of the thread, in ns, that the sample accounts for",
			OTF2_TYPE_UINT64},
		[EXPORT_OTF2_HANDLE] = {"handle", "of nonblocking accesses", OTF2_TYPE_UINT64},
		[EXPORT_OTF2_LOCK] = {"lock", "the lock that is waited for, or held", OTF2_TYPE_UINT64},
		[EXPORT_OTF2_ADDRESS] = {"address", "of memory", OTF2_TYPE_UINT64},
		[EXPORT_OTF2_BYTES] = {"bytes", "of memory", OTF2_TYPE_UINT64},
		[EXPORT_OTF2_PARALLEL] = {"parallel region", "its number in the process", OTF2_TYPE_UINT64},
	};
	for (uint32_t i = 0; i < EXPORT_OTF2_ATTRIBUTES; i++)
		export_otf2_failed(
			definitions->otf2, OTF2_GlobalDefWriter_WriteAttribute(definitions->writer, i,
						   string(definitions, attributes[i].name),
						   string(definitions, attributes[i].description), attributes[i].type));
}

/* ---- all definitions ---- */

/* Returns the wall-clock time of the trace's zero: that of the first process, as all are on one clock. */
static uint64_t wall_clock(const struct profile_trace *trace)
{
	const struct heddle_trace_info *info = &trace->files[0].info;
	return info->start_unix_ns ? info->start_unix_ns + trace->zero_ns - info->start_mono_ns
				   : OTF2_UNDEFINED_TIMESTAMP;
}

static void define_clock(struct definitions *definitions)
{
	const struct profile_trace *trace = definitions->otf2->request->trace;
	uint64_t end = definitions->otf2->end_ns;
	export_otf2_failed(definitions->otf2, OTF2_GlobalDefWriter_WriteClockProperties(definitions->writer,
						      NS_PER_SECOND, 0, end + 1, wall_clock(trace)));
}

static void define_all(struct definitions *definitions, uint64_t *members)
{
	define_clock(definitions);
	string(definitions, "");
	define_attributes(definitions);
	define_hosts(definitions);
	define_processes(definitions);
	define_threads(definitions);
	define_regions(definitions);
	define_contexts(definitions);
	define_generators(definitions);
	define_metrics(definitions);
	int error = define_processes_of_messages(definitions);
	if (error)
		definitions->otf2->error = error;
	define_program(definitions, members);
	define_teams(definitions, members);
	define_comms(definitions);
	define_windows(definitions);
}

/* Writes a definition file for each location, because readers expect them; the global file has all definitions. */
static void write_local(struct export_otf2 *otf2)
{
	if (export_otf2_failed(otf2, OTF2_Archive_OpenDefFiles(otf2->archive)))
		return;
	for (size_t i = 0; i < otf2->request->trace->thread_count; i++) {
		if (!export_otf2_is_location(otf2, i))
			continue;
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(otf2->archive, i);
		if (writer)
			export_otf2_failed(otf2, OTF2_Archive_CloseDefWriter(otf2->archive, writer));
		else if (!otf2->error)
			otf2->error = EIO;
	}
	export_otf2_failed(otf2, OTF2_Archive_CloseDefFiles(otf2->archive));
}

int export_otf2_definitions(struct export_otf2 *otf2)
{
	const struct export_request *request = otf2->request;
	size_t members_most =
		request->trace->thread_count > otf2->rank_count ? request->trace->thread_count : otf2->rank_count;
	uint64_t *members = calloc(members_most + 1, sizeof(*members));
	struct definitions definitions = {
		.otf2 = otf2,
		.hosts = calloc(request->trace->file_count + 1, sizeof(*definitions.hosts)),
		.comm_groups = calloc((size_t)otf2->comm_count + 1, sizeof(*definitions.comm_groups)),
	};
	write_local(otf2);
	if (!otf2->error)
		definitions.writer = OTF2_Archive_GetGlobalDefWriter(otf2->archive);
	if (!members || !definitions.hosts || !definitions.comm_groups)
		otf2->error = ENOMEM;
	else if (definitions.writer)
		define_all(&definitions, members);
	else if (!otf2->error)
		otf2->error = EIO;
	profile_intern_free(&definitions.strings);
	free(members);
	free(definitions.hosts);
	free(definitions.comm_groups);
	return otf2->error;
}

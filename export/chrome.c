/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chrome's trace event format (JSON), which Perfetto, chrome://tracing and speedscope read: regions as B and E events,
 * samples as P events with a stack frame, tasks as flows from creation to start, messages as flows from send to
 * receive, and counters. Streamed in the order of time; compressed if the output's name ends in .gz.
 */
#include "export/formats.h"
#include "export/gzip_stream.h"
#include "export/json_text.h"
#include "export/trace_steps.h"

#include "profile/base/base_name.h"
#include "profile/file/description.h"
#include "profile/trace/trace_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A region's accesses to shared memory, in one direction. */
struct accesses {
	uint64_t count, bytes;
	int64_t partner; /* of the last access */
	uint32_t side;
};

struct region {
	uint32_t node;
	bool visit;
	struct export_attributes attributes;
	struct accesses of[2]; /* got, put */
};

struct thread {
	uint64_t pid, tid;
	struct region *regions;
	size_t depth, room;
	uint64_t sums[HEDDLE_METRIC_LIMIT]; /* of AMOUNTs */
	uint64_t off_ns;
	uint64_t flow; /* number of a task that has started, but whose flow has not been ended; 0: none */
};

struct writer {
	const struct export_request *request;
	FILE *out;
	struct thread *threads;
	bool *sampled;                             /* by node of the view: a stack frame is needed */
	struct profile_trace_table sent, received; /* number of messages with the same key, + 1 */
	const char *separator;
};

static const struct profile_label *label_of(const struct writer *writer, uint32_t node)
{
	const struct profile_view *view = writer->request->view;
	return &view->labels[view->label_of[node]];
}

/* ---- parts of events ---- */

/* Times are in microseconds. */
static void begin_event(struct writer *writer, const struct export_step *step, const char *phase, uint64_t time_ns)
{
	const struct thread *thread = &writer->threads[step->thread];
	fprintf(writer->out, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRIu64 ".%03" PRIu64,
		writer->separator, phase, thread->pid, thread->tid, time_ns / 1000, time_ns % 1000);
	writer->separator = ",";
}

static void put_name(struct writer *writer, const char *category, const char *name)
{
	fprintf(writer->out, ",\"cat\":\"%s\",\"name\":", category);
	export_json_string(writer->out, name);
}

static const char *category_of(const struct profile_label *label)
{
	switch (label->kind) {
	case HEDDLE_NODE_REGION:
		return "region";
	case HEDDLE_NODE_PHASE:
		return "phase";
	case HEDDLE_NODE_STATE:
		return "state";
	default:
		return "function";
	}
}

static void put_label(struct writer *writer, uint32_t node)
{
	const struct profile_label *label = label_of(writer, node);
	put_name(writer, category_of(label), label->text);
}

/* Write members of args; each returns the separator before the next member. */

static const char *put_attributes(FILE *out, const struct export_attributes *attributes, const char *separator)
{
	static const char *const names[HEDDLE_TRACE_ATTRIBUTES] = {
		[HEDDLE_TRACE_HANDLE] = "handle",
		[HEDDLE_TRACE_LOCK] = "lock",
		[HEDDLE_TRACE_PARALLEL] = "parallel region",
		[HEDDLE_TRACE_TEAM_SIZE] = "team size",
		[HEDDLE_TRACE_ADDRESS] = "address",
		[HEDDLE_TRACE_BYTES] = "bytes",
	};
	for (unsigned int i = 0; i < HEDDLE_TRACE_ATTRIBUTES; i++) {
		bool number = i == HEDDLE_TRACE_BYTES || i == HEDDLE_TRACE_TEAM_SIZE || i == HEDDLE_TRACE_PARALLEL;
		if (!names[i] || !export_has(attributes, i))
			continue;
		fprintf(out, number ? "%s\"%s\":%" PRIu64 : "%s\"%s\":\"0x%" PRIx64 "\"", separator, names[i],
			attributes->value[i]);
		separator = ",";
	}
	return separator;
}

static const char *put_access(FILE *out, const char *name, const struct accesses *accesses, const char *separator)
{
	static const char *const sides[] = {"unknown", "local", "same node", "remote"};
	if (!accesses->count)
		return separator;
	fprintf(out, "%s\"%s\":{\"bytes\":%" PRIu64 ",\"memory\":\"%s\"", separator, name, accesses->bytes,
		sides[accesses->side]);
	if (accesses->partner >= 0)
		fprintf(out, ",\"partner\":%" PRId64, accesses->partner);
	if (accesses->count > 1)
		fprintf(out, ",\"accesses\":%" PRIu64, accesses->count);
	fputc('}', out);
	return ",";
}

/*
 * All arguments of a region are written at its end, which viewers show together with the begin, because speedscope
 * takes the arguments of a begin event for a part of the name.
 */
static void put_arguments(FILE *out, const struct region *region)
{
	const char *first = ",\"args\":{", *separator = first;
	if (!region->visit) {
		fprintf(out, "%s\"visit\":false", separator);
		separator = ",";
	}
	separator = put_attributes(out, &region->attributes, separator);
	separator = put_access(out, "get", &region->of[0], separator);
	separator = put_access(out, "put", &region->of[1], separator);
	if (separator != first)
		fputc('}', out);
}

/* ---- steps ---- */

/* Ends the arrow from a task's creation to its start in the region that the start opened. */
static void end_flow(struct writer *writer, const struct export_step *step)
{
	struct thread *thread = &writer->threads[step->thread];
	if (!thread->flow)
		return;
	begin_event(writer, step, "f", step->time_ns);
	put_name(writer, "task", "task");
	fprintf(writer->out, ",\"bp\":\"e\",\"id\":%" PRIu64 "}", thread->flow);
	thread->flow = 0;
}

static int enter(struct writer *writer, const struct export_step *step)
{
	struct thread *thread = &writer->threads[step->thread];
	int error = profile_reserve(&thread->regions, &thread->room, thread->depth + 1, sizeof(*thread->regions));
	if (error)
		return error;
	thread->regions[thread->depth++] =
		(struct region){.node = step->node, .visit = step->visit, .attributes = *step->attributes};
	begin_event(writer, step, "B", step->time_ns);
	put_label(writer, step->node);
	fputc('}', writer->out);
	end_flow(writer, step);
	return 0;
}

static void leave(struct writer *writer, const struct export_step *step)
{
	struct thread *thread = &writer->threads[step->thread];
	const struct region *region = &thread->regions[--thread->depth];
	begin_event(writer, step, "E", step->time_ns);
	put_label(writer, step->node);
	put_arguments(writer->out, region);
	fputc('}', writer->out);
}

static void write_moment(struct writer *writer, const struct export_step *step)
{
	begin_event(writer, step, "i", step->time_ns);
	put_label(writer, step->node);
	fputs(",\"s\":\"t\"", writer->out);
	put_arguments(writer->out, &(struct region){.visit = true, .attributes = *step->attributes});
	fputc('}', writer->out);
}

static void write_access(struct writer *writer, const struct export_step *step)
{
	struct thread *thread = &writer->threads[step->thread];
	struct region *region = thread->depth ? &thread->regions[thread->depth - 1] : NULL;
	bool put = step->event->operand & HEDDLE_TRACE_ACCESS_PUT;
	struct region alone = {.visit = true};
	struct accesses *accesses = region && region->node == step->node ? &region->of[put] : &alone.of[put];
	accesses->count++;
	accesses->bytes += step->event->value;
	accesses->partner = step->event->partner;
	accesses->side = HEDDLE_TRACE_ACCESS_SIDE(step->event->operand);
	if (accesses != &alone.of[put])
		return;
	begin_event(writer, step, "i", step->time_ns);
	put_name(writer, "access", put ? "put" : "get");
	fputs(",\"s\":\"t\"", writer->out);
	put_arguments(writer->out, &alone);
	fputc('}', writer->out);
}

static void write_sample(struct writer *writer, const struct export_step *step)
{
	uint32_t node = step->node == EXPORT_NO_NODE ? 0 : step->node;
	writer->sampled[node] = true;
	begin_event(writer, step, "P", step->time_ns);
	put_name(writer, "sample", label_of(writer, node)->text);
	fprintf(writer->out,
		",\"sf\":\"%" PRIu32 "\",\"weight\":%" PRIu64 ",\"args\":{\"periods\":%" PRIu64
		",\"cpu time in ns\":%" PRIu64 "}}",
		node, step->event->value, step->event->value, step->event->cpu_ns);
}

/* Begins a counter of the thread, whose values viewers draw over time. */
static void begin_counter(struct writer *writer, const struct export_step *step, const char *name)
{
	begin_event(writer, step, "C", step->time_ns);
	put_name(writer, "metric", name);
	fprintf(writer->out, ",\"id\":\"%" PRIu64 "\",\"args\":{\"value\":", writer->threads[step->thread].tid);
}

static void write_amount(struct writer *writer, const struct export_step *step)
{
	uint64_t *sum = &writer->threads[step->thread].sums[step->metric];
	*sum += step->amount;
	begin_counter(writer, step, profile_metric_name((enum heddle_metric)step->metric));
	fprintf(writer->out, "%" PRIu64 "}}", *sum);
}

/* Writes a string argument as an instant event with the argument's name and the string. Returns false for a number. */
static bool write_string(
	struct writer *writer, const struct export_step *step, const char *name, const char *description)
{
	bool further;
	char text[2 * HEDDLE_NAME_LIMIT];
	const char *string = profile_argument_string(description, &further);
	if (!string)
		return false;
	snprintf(text, sizeof(text), "%s: %s", name, further ? "other strings" : string);
	begin_event(writer, step, "i", step->time_ns);
	put_name(writer, "argument", text);
	fputs(",\"s\":\"t\"}", writer->out);
	return true;
}

/* Argument 0 is the size of an access, which the region's arguments have. */
static void write_argument(struct writer *writer, const struct export_step *step)
{
	const struct profile_trace *trace = writer->request->trace;
	const Heddle__Profile__Process *process = trace->files[trace->threads[step->thread].file].process->info;
	char name[HEDDLE_NAME_LIMIT];
	uint32_t text = step->event->text;
	double value = step->event->real;
	if (!step->event->operand || !text || text > process->n_strings)
		return;
	profile_argument_name(name, sizeof(name), process->strings[text - 1], step->event->operand);
	if (write_string(writer, step, name, process->strings[text - 1]))
		return;
	begin_counter(writer, step, name);
	if (value - value == 0)
		fprintf(writer->out, "%.17g}}", value);
	else /* JSON has no infinities and NaNs */
		fprintf(writer->out, "null}}");
}

static void create_task(struct writer *writer, const struct export_step *step)
{
	begin_event(writer, step, "s", step->time_ns);
	put_name(writer, "task", "task");
	fprintf(writer->out, ",\"id\":%" PRIu64 "}", step->task.number);
}

/* Counts messages: sets *count to the number of earlier ones with this key. */
static int count_message(struct profile_trace_table *table, uint64_t first, uint64_t second, uint64_t *count)
{
	*count = (uintptr_t)profile_trace_table_take(table, first, second);
	return profile_trace_table_add(table, first, second, (void *)(uintptr_t)(*count + 1)); // NOLINT
}

/* The nth message received is the nth one sent with the same key: both ends of the arrow have a number made of n. */
static int write_message(struct writer *writer, const struct export_step *step)
{
	const struct profile_trace *trace = writer->request->trace;
	const struct profile_trace_file *file = &trace->files[trace->threads[step->thread].file];
	const struct profile_trace_event *event = step->event;
	bool sent = event->operand == HEDDLE_TRACE_SENT;
	uint64_t count;
	if ((!sent && event->operand != HEDDLE_TRACE_RECEIVED) || !event->group || event->partner < 0)
		return 0;
	const struct heddle_trace_group *group = &file->groups[event->group - 1];
	uint64_t from = sent ? group->all_rank : (uint64_t)event->partner;
	uint64_t to = sent ? (uint64_t)event->partner : group->all_rank;
	uint64_t first = group->identity ^ (uint64_t)(event->tag + 1) * UINT64_C(0x9e3779b97f4a7c15);
	if (count_message(sent ? &writer->sent : &writer->received, first, from << 32 | to, &count) != 0)
		return -ENOMEM;
	begin_event(writer, step, sent ? "s" : "f", step->time_ns);
	put_name(writer, "message", "message");
	fprintf(writer->out,
		",%s\"id\":\"%" PRIu64 ".%" PRIu64 ".%" PRIx64 ".%" PRIu64 "\",\"args\":{\"bytes\":%" PRIu64
		",\"tag\":%" PRId64 "}}",
		sent ? "" : "\"bp\":\"e\",", from, to, first, count, event->value, event->tag);
	return 0;
}

static void write_stretch(struct writer *writer, const struct export_step *step, uint64_t since_ns, const char *name)
{
	uint64_t length = step->time_ns - since_ns;
	begin_event(writer, step, "X", since_ns);
	put_name(writer, "measurement", name);
	fprintf(writer->out, ",\"dur\":%" PRIu64 ".%03" PRIu64 "}", length / 1000, length % 1000);
}

static int write_step(void *context, const struct export_step *step)
{
	struct writer *writer = context;
	if (step->kind != EXPORT_ENTER)
		end_flow(writer, step);
	switch (step->kind) {
	case EXPORT_ENTER:
		return enter(writer, step);
	case EXPORT_LEAVE:
		leave(writer, step);
		break;
	case EXPORT_MOMENT:
		write_moment(writer, step);
		break;
	case EXPORT_SAMPLE:
		write_sample(writer, step);
		break;
	case EXPORT_ACCESS:
		write_access(writer, step);
		break;
	case EXPORT_MESSAGE:
		return write_message(writer, step);
	case EXPORT_AMOUNT:
		write_amount(writer, step);
		break;
	case EXPORT_ARGUMENT:
		write_argument(writer, step);
		break;
	case EXPORT_TASK_CREATE:
		create_task(writer, step);
		break;
	case EXPORT_TASK_SWITCH:
		if (step->task.number && !step->task.started)
			writer->threads[step->thread].flow = step->task.number;
		break;
	case EXPORT_OFF:
		writer->threads[step->thread].off_ns = step->time_ns;
		break;
	case EXPORT_ON:
		write_stretch(writer, step, writer->threads[step->thread].off_ns, "[not measured]");
		break;
	case EXPORT_STALLED:
		write_stretch(writer, step, step->since_ns, "[waiting for the trace to be written]");
		break;
	default:
		break;
	}
	return !ferror(writer->out) ? 0 : errno ? errno : EIO;
}

/* ---- the document ---- */

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Sorts the numbers; returns true if all are different. */
static bool are_unique(uint64_t *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), by_value);
	for (size_t i = 1; i < count; i++)
		if (numbers[i] == numbers[i - 1])
			return false;
	return true;
}

/* Uses the kernel's numbers if they distinguish processes and threads: those of several hosts may be equal. */
static int number_threads(struct writer *writer)
{
	const struct profile_trace *trace = writer->request->trace;
	size_t most = trace->thread_count > trace->file_count ? trace->thread_count : trace->file_count;
	uint64_t *numbers = malloc((most + 1) * sizeof(*numbers));
	if (!numbers)
		return -ENOMEM;
	for (size_t i = 0; i < trace->file_count; i++)
		numbers[i] = trace->files[i].process->info->pid;
	bool pids = are_unique(numbers, trace->file_count);
	for (size_t i = 0; i < trace->thread_count; i++)
		numbers[i] = trace->threads[i].row ? trace->threads[i].row->tid : 0;
	bool tids = are_unique(numbers, trace->thread_count);
	free(numbers);
	for (size_t i = 0; i < trace->thread_count; i++) {
		const struct profile_trace_thread *thread = &trace->threads[i];
		writer->threads[i].pid = pids ? trace->files[thread->file].process->info->pid : thread->file + 1;
		writer->threads[i].tid = tids && thread->row ? thread->row->tid : i + 1;
	}
	return 0;
}

static void write_metadata(struct writer *writer, size_t thread, const char *kind, const char *text)
{
	begin_event(writer, &(struct export_step){.thread = thread}, "M", 0);
	bool labels = strcmp(kind, "process_labels") == 0;
	fprintf(writer->out, ",\"name\":\"%s\",\"args\":{\"%s\":", kind, labels ? "labels" : "name");
	export_json_string(writer->out, text);
	fputs("}}", writer->out);
}

static void write_order(struct writer *writer, size_t thread, const char *kind, size_t order)
{
	begin_event(writer, &(struct export_step){.thread = thread}, "M", 0);
	fprintf(writer->out, ",\"name\":\"%s\",\"args\":{\"sort_index\":%zu}}", kind, order);
}

static void write_names(struct writer *writer)
{
	const struct profile_trace *trace = writer->request->trace;
	char name[512];
	for (size_t i = 0; i < trace->thread_count; i++) {
		uint32_t file = trace->threads[i].file;
		if (i == 0 || trace->threads[i - 1].file != file) {
			export_process_name(writer->request, trace->files[file].process, name, sizeof(name));
			write_metadata(writer, i, "process_name", name);
			write_metadata(writer, i, "process_labels", trace->files[file].process->info->host);
			write_order(writer, i, "process_sort_index", file);
		}
		export_thread_name(writer->request, i, name, sizeof(name));
		write_metadata(writer, i, "thread_name", name);
		write_order(writer, i, "thread_sort_index", i);
	}
}

/* Writes the source positions of regions. */
static void write_sources(const struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	const char *separator = "";
	fputs("\"sources\":[", writer->out);
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		if (label->kind != HEDDLE_NODE_REGION || !*label->file)
			continue;
		fprintf(writer->out, "%s\n{\"name\":", separator);
		export_json_string(writer->out, label->text);
		fputs(",\"file\":", writer->out);
		export_json_string(writer->out, label->file);
		fprintf(writer->out, ",\"line\":%" PRIu32 "}", label->line);
		separator = ",";
	}
	fputc(']', writer->out);
}

/* Writes the frames of samples, and all frames above them. */
static void write_frames(const struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	const char *separator = "";
	for (size_t i = view->node_count; i-- > 1;)
		if (writer->sampled[i])
			writer->sampled[view->parents[i]] = true;
	for (uint32_t i = 0; i < view->node_count; i++) {
		const struct profile_label *label = label_of(writer, i);
		if (!writer->sampled[i])
			continue;
		fprintf(writer->out, "%s\n\"%" PRIu32 "\":{\"category\":", separator, i);
		export_json_string(writer->out, *label->module ? profile_base_name(label->module) : category_of(label));
		fputs(",\"name\":", writer->out);
		export_json_string(writer->out, label->text);
		if (i > 0)
			fprintf(writer->out, ",\"parent\":\"%" PRIu32 "\"", view->parents[i]);
		fputc('}', writer->out);
		separator = ",";
	}
}

static int write_document(struct writer *writer)
{
	const struct export_request *request = writer->request;
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"heddle\",\"program\":", writer->out);
	export_json_string(writer->out, request->view->labels[request->view->label_of[0]].text);
	fputc(',', writer->out);
	write_sources(writer);
	fputs("},\n\"traceEvents\":[", writer->out);
	write_names(writer);
	int error = export_trace_steps(request, write_step, writer);
	fputs("\n],\n\"stackFrames\":{", writer->out);
	write_frames(writer);
	fputs("\n}}\n", writer->out);
	return error;
}

static bool is_compressed(const char *path)
{
	size_t length = path ? strlen(path) : 0;
	return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* Writes to the request's stream, or through a compressing stream to it. */
static int write_out(struct writer *writer)
{
	const struct export_request *request = writer->request;
	bool compressed = is_compressed(request->path);
	writer->out = compressed ? export_gzip_open(request->out) : request->out;
	if (!writer->out)
		return -ENOMEM;
	int error = write_document(writer);
	errno = 0;
	if (compressed && fclose(writer->out) != 0 && !error)
		error = errno ? errno : EIO;
	return error;
}

static int write_chrome(const struct export_request *request)
{
	const struct profile_trace *trace = request->trace;
	struct writer writer = {
		.request = request,
		.threads = calloc(trace->thread_count + 1, sizeof(*writer.threads)),
		.sampled = calloc(request->view->node_count + 1, sizeof(*writer.sampled)),
		.separator = "",
	};
	int error = writer.threads && writer.sampled ? number_threads(&writer) : -ENOMEM;
	if (!error)
		error = write_out(&writer);
	for (size_t i = 0; writer.threads && i < trace->thread_count; i++)
		free(writer.threads[i].regions);
	while (profile_trace_table_drain(&writer.sent) || profile_trace_table_drain(&writer.received))
		continue;
	free(writer.threads);
	free(writer.sampled);
	return error;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.summary = "a trace in Chrome's JSON, for Perfetto, chrome://tracing, speedscope",
	.next = "open it in https://ui.perfetto.dev",
	.needs_threads = true,
	.needs_trace = true,
	.write = write_chrome,
};

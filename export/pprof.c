/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof's profiles: gzip'd Protocol Buffers. A location is a place in code with the functions inlined there; a sample
 * is a path of one thread with the values of all metrics. Messages are written one by one, and texts at the end: memory
 * holds only what samples refer to.
 */
#include "export/costs.h"
#include "export/gzip_stream.h"
#include "export/utf8_text.h"

#include "pprof.pb-c.h"
#include "profile/base/intern.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fields of the message Profile. */
enum field {
	FIELD_SAMPLE_TYPE = 1,
	FIELD_SAMPLE,
	FIELD_MAPPING,
	FIELD_LOCATION,
	FIELD_FUNCTION,
	FIELD_STRING,
};

#define LABEL_LIMIT 8
#define INLINED_LIMIT 256 /* functions of a location; those further out are another location */

/* The location in which a site is the innermost function. */
struct located {
	uint64_t id;    /* number of the location; 0: not written */
	uint32_t above; /* the site that called it */
};

struct writer {
	const struct export_request *request;
	FILE *out;
	struct profile_sites sites;
	struct profile_intern texts, functions, locations;
	struct located *located; /* by site */
	bool *has_mapping;       /* by module */
	uint64_t *path;
	int64_t *values;
	uint8_t *buffer;
	size_t buffer_size;
	bool failed; /* no memory */
};

/* ---- messages ---- */

static void write_number(struct writer *writer, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		fputc((int)(number & 0x7f) | 0x80, writer->out);
	fputc((int)number, writer->out);
}

static void write_bytes(struct writer *writer, enum field field, const void *bytes, size_t size)
{
	write_number(writer, (uint64_t)field << 3 | 2); /* wire type 2: with a length */
	write_number(writer, size);
	fwrite(bytes, 1, size, writer->out);
}

static void write_message(struct writer *writer, enum field field, const void *message)
{
	size_t size = protobuf_c_message_get_packed_size(message);
	if (profile_reserve(&writer->buffer, &writer->buffer_size, size, 1) != 0) {
		writer->failed = true;
		return;
	}
	write_bytes(writer, field, writer->buffer, protobuf_c_message_pack(message, writer->buffer));
}

/* Returns the number of a text. */
static int64_t text(struct writer *writer, const char *bytes)
{
	char *copy = export_utf8_copy(bytes);
	uint32_t number = copy ? profile_intern(&writer->texts, copy) : HEDDLE_INTERN_NONE;
	free(copy);
	if (number != HEDDLE_INTERN_NONE)
		return number;
	writer->failed = true;
	return 0;
}

/* ---- functions, mappings, locations ---- */

static void write_function(struct writer *writer, uint64_t id, const struct profile_label *label, int64_t file)
{
	Heddle__Pprof__Function function = HEDDLE__PPROF__FUNCTION__INIT;
	function.id = id;
	function.name = text(writer, *label->text ? label->text : "[unnamed]");
	function.system_name = function.name;
	function.filename = file;
	if (file == text(writer, label->file))
		function.start_line = label->line;
	write_message(writer, FIELD_FUNCTION, &function);
}

/* A line is in its function's file, so code with lines in several files is several functions with one name. */
static uint64_t function_of(struct writer *writer, const struct profile_site *site)
{
	const struct profile_view *view = writer->request->view;
	const struct profile_label *label = &view->labels[view->label_of[site->node]];
	int64_t key[] = {view->label_of[site->node], text(writer, site->line ? site->file : label->file)};
	size_t known = writer->functions.count;
	uint32_t number = profile_intern_bytes(&writer->functions, key, sizeof(key));
	if (number == HEDDLE_INTERN_NONE)
		writer->failed = true;
	else if (number == known)
		write_function(writer, (uint64_t)number + 1, label, key[1]);
	return (uint64_t)number + 1;
}

static void write_mapping(struct writer *writer, uint32_t number)
{
	const struct profile_code_module *module = &writer->request->measurement->tree.modules[number];
	Heddle__Pprof__Mapping mapping = HEDDLE__PPROF__MAPPING__INIT;
	char *id = malloc(2 * module->build_id_size + 1);
	if (!id) {
		writer->failed = true;
		return;
	}
	for (size_t i = 0; i < module->build_id_size; i++)
		sprintf(id + 2 * i, "%02x", module->build_id[i]);
	id[2 * module->build_id_size] = '\0';
	mapping.id = number;
	mapping.filename = text(writer, module->path);
	mapping.build_id = text(writer, id);
	mapping.has_functions = mapping.has_filenames = true;
	mapping.has_line_numbers = mapping.has_inline_frames = true;
	write_message(writer, FIELD_MAPPING, &mapping);
	writer->has_mapping[number] = true;
	free(id);
}

/* Module 0 means none: addresses in no file. */
static uint64_t mapping_of(struct writer *writer, const struct profile_site *site)
{
	uint32_t number = HEDDLE_PLACE_MODULE(site->place);
	if (number && !writer->has_mapping[number])
		write_mapping(writer, number);
	return number;
}

static void write_location(struct writer *writer, uint64_t id, const struct profile_site *const *group, size_t count)
{
	Heddle__Pprof__Location location = HEDDLE__PPROF__LOCATION__INIT;
	Heddle__Pprof__Line lines[INLINED_LIMIT], *list[INLINED_LIMIT];
	for (size_t i = 0; i < count; i++) {
		heddle__pprof__line__init(&lines[i]);
		lines[i].function_id = function_of(writer, group[i]);
		lines[i].line = group[i]->line;
		list[i] = &lines[i];
	}
	location.id = id;
	location.mapping_id = mapping_of(writer, group[0]);
	location.address = HEDDLE_PLACE_OFFSET(group[0]->place);
	location.line = list;
	location.n_line = count;
	write_message(writer, FIELD_LOCATION, &location);
}

/* Lists the sites that have one place, innermost first. */
static size_t list_group(const struct writer *writer, uint32_t site, const struct profile_site **group)
{
	size_t count = 0;
	for (bool more = true; more && count < INLINED_LIMIT; site = group[count - 1]->parent) {
		group[count] = &writer->sites.items[site];
		more = group[count++]->inlined;
	}
	return count;
}

/* Finds or writes the location of a site, which many paths may share. */
static void place_site(struct writer *writer, uint32_t site)
{
	const struct profile_site *group[INLINED_LIMIT];
	uint64_t key[1 + INLINED_LIMIT];
	size_t count = list_group(writer, site, group);
	key[0] = group[0]->place;
	for (size_t i = 0; i < count; i++)
		key[1 + i] = function_of(writer, group[i]) << 32 | group[i]->line;
	size_t known = writer->locations.count;
	uint32_t number = profile_intern_bytes(&writer->locations, key, (1 + count) * sizeof(*key));
	if (number == HEDDLE_INTERN_NONE)
		writer->failed = true;
	else if (number == known)
		write_location(writer, (uint64_t)number + 1, group, count);
	writer->located[site] = (struct located){(uint64_t)number + 1, group[count - 1]->parent};
}

/* ---- samples ---- */

/* The program itself is not part of a path, unless it is the whole path. */
static size_t list_path(struct writer *writer, uint32_t site)
{
	size_t depth = 0;
	do {
		if (!writer->located[site].id)
			place_site(writer, site);
		writer->path[depth++] = writer->located[site].id;
		site = writer->located[site].above;
	} while (site != 0);
	return depth;
}

struct labels {
	Heddle__Pprof__Label items[LABEL_LIMIT], *list[LABEL_LIMIT];
	size_t count;
};

static Heddle__Pprof__Label *add_label(struct writer *writer, struct labels *labels, const char *key)
{
	Heddle__Pprof__Label *label = &labels->items[labels->count];
	heddle__pprof__label__init(label);
	label->key = text(writer, key);
	labels->list[labels->count++] = label;
	return label;
}

static void add_text_label(struct writer *writer, struct labels *labels, const char *key, const char *value)
{
	if (*value)
		add_label(writer, labels, key)->str = text(writer, value);
}

/* The model is that of the runtime that created the thread, else that of its rank. */
static void make_labels(struct writer *writer, struct labels *labels, const struct export_thread_costs *costs)
{
	const struct profile_thread *thread = costs->thread;
	const struct profile_models *models = &writer->request->measurement->tree.models;
	char name[256], full[300];
	labels->count = 0;
	if (!thread)
		return;
	export_row_name(writer->request, thread, name, sizeof(name));
	snprintf(full, sizeof(full), "%" PRIu64 ".%" PRIu32 " %s", costs->process->info->pid, thread->id, name);
	const char *model = *thread->model ? thread->model : thread->rank_model;
	add_text_label(writer, labels, "thread", full);
	add_text_label(writer, labels, "role", thread->role);
	add_text_label(writer, labels, "model", profile_model_label(profile_models_named(models, model)));
	add_text_label(writer, labels, "host", costs->process->info->host);
	add_label(writer, labels, "process")->num = (int64_t)costs->process->info->pid;
	if (thread->rank)
		add_label(writer, labels, "rank")->num = thread->rank - 1;
}

static int write_thread(void *context, const struct export_thread_costs *costs)
{
	struct writer *writer = context;
	size_t width = writer->request->metric_count;
	struct labels labels;
	make_labels(writer, &labels, costs);
	for (size_t i = 0; i < costs->count && !writer->failed; i++) {
		Heddle__Pprof__Sample sample = HEDDLE__PPROF__SAMPLE__INIT;
		for (size_t m = 0; m < width; m++)
			writer->values[m] = (int64_t)costs->values[costs->sites[i] * width + m];
		sample.n_location_id = list_path(writer, costs->sites[i]);
		sample.location_id = writer->path;
		sample.n_value = width;
		sample.value = writer->values;
		sample.n_label = labels.count;
		sample.label = labels.list;
		write_message(writer, FIELD_SAMPLE, &sample);
	}
	return writer->failed ? -ENOMEM : 0;
}

/* ---- the profile ---- */

static const char *unit_of(enum heddle_metric metric)
{
	const char *unit = profile_metric_unit(metric);
	return strcmp(unit, "ns") == 0 ? "nanoseconds" : unit;
}

static void write_types(struct writer *writer)
{
	for (size_t m = 0; m < writer->request->metric_count; m++) {
		enum heddle_metric metric = writer->request->metrics[m];
		Heddle__Pprof__ValueType type = HEDDLE__PPROF__VALUE_TYPE__INIT;
		type.type = text(writer, profile_metric_name(metric));
		type.unit = text(writer, unit_of(metric));
		write_message(writer, FIELD_SAMPLE_TYPE, &type);
	}
}

/* Sets the span of all processes, and the period of the first process that was sampled by time. */
static void fill_times(Heddle__Pprof__Profile *profile, const struct profile_measurement *measurement)
{
	uint64_t start = UINT64_MAX, end = 0, hz = 0;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const Heddle__Profile__Process *info = measurement->processes[p].info;
		if (measurement->processes[p].error)
			continue;
		start = info->start_unix_ns < start ? info->start_unix_ns : start;
		end = info->start_unix_ns + info->duration_ns > end ? info->start_unix_ns + info->duration_ns : end;
		hz = hz ? hz : info->sample_hz;
	}
	profile->time_nanos = (int64_t)start;
	profile->duration_nanos = (int64_t)(end > start ? end - start : 0);
	profile->period = hz ? (int64_t)(1000000000 / hz) : 0;
}

/* Writes single fields as a message of its own, which readers merge with the other parts. */
static void write_rest(struct writer *writer)
{
	const struct export_request *request = writer->request;
	Heddle__Pprof__Profile profile = HEDDLE__PPROF__PROFILE__INIT;
	Heddle__Pprof__ValueType period = HEDDLE__PPROF__VALUE_TYPE__INIT;
	char comment[64];
	snprintf(comment, sizeof(comment), "written by heddle %s", request->version);
	int64_t comments[] = {text(writer, comment)};
	fill_times(&profile, request->measurement);
	period.type = text(writer, "cpu-time");
	period.unit = text(writer, "nanoseconds");
	profile.period_type = profile.period ? &period : NULL;
	profile.comment = comments;
	profile.n_comment = 1;
	profile.default_sample_type = text(writer, profile_metric_name(request->metrics[0]));
	size_t size = heddle__pprof__profile__get_packed_size(&profile);
	uint8_t *bytes = malloc(size);
	writer->failed = writer->failed || !bytes;
	if (bytes)
		fwrite(bytes, 1, heddle__pprof__profile__pack(&profile, bytes), writer->out);
	free(bytes);
}

static int write_profile(struct writer *writer)
{
	text(writer, ""); /* number 0 */
	write_types(writer);
	int error = export_costs_each(writer->request, &writer->sites, write_thread, writer);
	if (error)
		return error;
	write_rest(writer);
	for (size_t i = 0; i < writer->texts.count; i++)
		write_bytes(writer, FIELD_STRING, writer->texts.texts[i], writer->texts.lengths[i]);
	return writer->failed ? -ENOMEM : 0;
}

static int write_with_sites(struct writer *writer)
{
	const struct export_request *request = writer->request;
	writer->located = calloc(writer->sites.count, sizeof(*writer->located));
	writer->path = malloc(writer->sites.count * sizeof(*writer->path));
	writer->has_mapping = calloc(HEDDLE_MODULE_LIMIT + 1, sizeof(*writer->has_mapping));
	writer->values = malloc(request->metric_count * sizeof(*writer->values));
	if (!writer->located || !writer->path || !writer->has_mapping || !writer->values)
		return -ENOMEM;
	writer->out = export_gzip_open(request->out);
	if (!writer->out)
		return -ENOMEM;
	int error = write_profile(writer);
	errno = 0;
	if (fclose(writer->out) != 0 && !error)
		error = errno ? errno : EIO;
	return error;
}

static int write_pprof(const struct export_request *request)
{
	struct writer writer = {.request = request};
	int error =
		profile_sites_make(&writer.sites, request->view, &request->measurement->tree, request->naming, true);
	if (!error)
		error = write_with_sites(&writer);
	profile_sites_free(&writer.sites);
	profile_intern_free(&writer.texts);
	profile_intern_free(&writer.functions);
	profile_intern_free(&writer.locations);
	free(writer.located);
	free(writer.path);
	free(writer.has_mapping);
	free(writer.values);
	free(writer.buffer);
	return error;
}

const struct export_format export_pprof = {
	.name = "pprof",
	.summary = "gzip'd profile of all metrics by thread, for pprof and go tool pprof",
	.next = "go tool pprof reads it",
	.uses_threads = true,
	.several_metrics = true,
	.write = write_pprof,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the messages with libprotobuf-c, an encoder that shares no code with the one in the measured process. */
#include "tests/profile/profile_text.h"

#include "format/ids.h"
#include "heddle_profile.pb-c.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ROOM 4096

struct maker {
	Heddle__Profile__Process process;
	Heddle__Profile__ModuleList modules;
	Heddle__Profile__Tree tree;
	Heddle__Profile__Thread *threads[ROOM];
	size_t thread_count;
	uint64_t last_place;
	uint32_t last_node;
	uint32_t version;
	int end_sections, end_threads, no_end;
	uint8_t *bytes;
	size_t size;
};

/* ---- text fields by name, through the generated descriptors ---- */

static void append_text(char ***array, size_t *count, const char *text)
{
	if (!*array)
		*array = calloc(ROOM, sizeof(char *));
	(*array)[(*count)++] = strdup(text);
}

static void set_number(void *member, ProtobufCType type, const char *text)
{
	uint64_t number = strtoull(text, NULL, 0);
	if (type == PROTOBUF_C_TYPE_BOOL)
		*(protobuf_c_boolean *)member = number != 0;
	else if (type == PROTOBUF_C_TYPE_UINT32)
		*(uint32_t *)member = (uint32_t)number;
	else if (type == PROTOBUF_C_TYPE_DOUBLE)
		*(double *)member = strtod(text, NULL);
	else
		*(uint64_t *)member = number;
}

/* Hexadecimal digits for at most 64 bytes; "-": none. */
static void set_bytes(ProtobufCBinaryData *bytes, const char *text)
{
	bytes->data = malloc(64);
	for (const char *at = text; at[0] != '-' && at[0] && at[1] && bytes->len < 64; at += 2) {
		unsigned byte;
		sscanf(at, "%2x", &byte);
		bytes->data[bytes->len++] = (uint8_t)byte;
	}
}

static int set_field(ProtobufCMessage *message, const char *name, const char *text)
{
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
	if (!field)
		return -1;
	void *member = (char *)message + field->offset;
	size_t *count = (size_t *)(void *)((char *)message + field->quantifier_offset);
	if (field->label == PROTOBUF_C_LABEL_REPEATED && field->type == PROTOBUF_C_TYPE_STRING)
		append_text(member, count, text);
	else if (field->type == PROTOBUF_C_TYPE_STRING)
		*(char **)member = strdup(text);
	else if (field->type == PROTOBUF_C_TYPE_BYTES)
		set_bytes(member, text);
	else
		set_number(member, field->type, text);
	return 0;
}

/* ---- one function a line ---- */

static int on_event(struct maker *maker, const char *rest)
{
	Heddle__Profile__EventKind *kind = malloc(sizeof(*kind));
	char model[64], name[64], label[64];
	heddle__profile__event_kind__init(kind);
	if (sscanf(rest, "%u %63s %u %63s %63[^\n]", &kind->id, model, &kind->category, name, label) != 5)
		return -1;
	kind->model = strdup(model);
	kind->name = strdup(name);
	kind->label = strdup(label);
	if (!maker->process.events)
		maker->process.events = calloc(ROOM, sizeof(kind));
	maker->process.events[maker->process.n_events++] = kind;
	return 0;
}

static int on_module(struct maker *maker, const char *rest)
{
	Heddle__Profile__Module *module = malloc(sizeof(*module));
	char path[512], id[128];
	heddle__profile__module__init(module);
	if (sscanf(rest, "%u %u %127s %511[^\n]", &module->id, &module->role, id, path) != 4)
		return -1;
	module->path = strdup(path);
	set_bytes(&module->build_id, id);
	if (!maker->modules.modules)
		maker->modules.modules = calloc(ROOM, sizeof(module));
	maker->modules.modules[maker->modules.n_modules++] = module;
	return 0;
}

static int kind_number(const char *name)
{
#define X(number, id, text)         \
	if (strcmp(name, #id) == 0) \
		return number;
	HEDDLE_NODE_KINDS(X)
#undef X
	return atoi(name);
}

static int on_model(struct maker *maker, const char *rest)
{
	Heddle__Profile__Model *model = malloc(sizeof(*model));
	char name[64];
	heddle__profile__model__init(model);
	if (sscanf(rest, "%u %63s", &model->id, name) != 2)
		return -1;
	model->name = strdup(name);
	if (!maker->process.models)
		maker->process.models = calloc(ROOM, sizeof(model));
	maker->process.models[maker->process.n_models++] = model;
	return 0;
}

static uint32_t code_kind(const char *name)
{
#define X(number, id, text)         \
	if (strcmp(name, #id) == 0) \
		return number;
	HEDDLE_NAMED_CODE(X)
#undef X
	return 0;
}

static int on_model_code(struct maker *maker, const char *rest)
{
	Heddle__Profile__Model *model = maker->process.models[maker->process.n_models - 1];
	Heddle__Profile__CodeName *code = malloc(sizeof(*code));
	char kind[32], pattern[128], shown[64];
	heddle__profile__code_name__init(code);
	if (sscanf(rest, "%31s %127s %63s", kind, pattern, shown) != 3)
		return -1;
	code->kind = code_kind(kind);
	code->pattern = strdup(pattern);
	code->shown = strdup(strcmp(shown, "-") == 0 ? "" : shown);
	if (!model->code)
		model->code = calloc(ROOM, sizeof(code));
	model->code[model->n_code++] = code;
	return 0;
}

static int on_sampled_by(struct maker *maker, const char *rest)
{
	Heddle__Profile__SampleSource *source = malloc(sizeof(*source));
	char name[64];
	heddle__profile__sample_source__init(source);
	if (sscanf(rest, "%" SCNu64 " %" SCNu64 " %63[^\n]", &source->signals, &source->cpu_ns, name) != 3)
		return -1;
	source->name = strdup(name);
	if (!maker->process.sample_sources)
		maker->process.sample_sources = calloc(ROOM, sizeof(source));
	maker->process.sample_sources[maker->process.n_sample_sources++] = source;
	return 0;
}

static int on_node(struct maker *maker, const char *rest)
{
	Heddle__Profile__Tree *tree = &maker->tree;
	unsigned parent, event;
	unsigned long long module, offset;
	char kind[32];
	if (sscanf(rest, "%u %31s %u %llu %llx", &parent, kind, &event, &module, &offset) != 5)
		return -1;
	if (!tree->parent) {
		tree->parent = calloc(ROOM, sizeof(*tree->parent));
		tree->kind = calloc(ROOM, sizeof(*tree->kind));
		tree->event = calloc(ROOM, sizeof(*tree->event));
		tree->place = calloc(ROOM, sizeof(*tree->place));
	}
	uint64_t place = HEDDLE_PLACE(module, offset);
	tree->parent[tree->n_parent] = (uint32_t)tree->n_parent - parent;
	tree->kind[tree->n_kind++] = (uint32_t)kind_number(kind);
	tree->event[tree->n_event++] = event;
	tree->place[tree->n_place++] = (int64_t)(place - maker->last_place);
	tree->n_parent++;
	maker->last_place = place;
	return 0;
}

static int on_thread(struct maker *maker, const char *rest)
{
	Heddle__Profile__Thread *thread = malloc(sizeof(*thread));
	char role[64];
	heddle__profile__thread__init(thread);
	if (sscanf(rest, "%u %d %63[^\n]", &thread->id, &thread->number, role) != 3)
		return -1;
	thread->role = strdup(role);
	thread->tid = 1000 + thread->id;
	thread->threads = 1;
	thread->columns = calloc(HEDDLE_METRIC_COUNT + 1, sizeof(*thread->columns));
	maker->threads[maker->thread_count++] = thread;
	return 0;
}

/* A region whose event reported a file and line. */
static int on_source(struct maker *maker, const char *rest)
{
	char line[64];
	unsigned parent, event, file, number;
	if (sscanf(rest, "%u %u %u %u", &parent, &event, &file, &number) != 4)
		return -1;
	unsigned long long place = (unsigned long long)file << HEDDLE_SOURCE_LINE_BITS | number;
	snprintf(line, sizeof(line), "%u REGION %u %u %llx", parent, event, HEDDLE_PLACE_SOURCE, place);
	return on_node(maker, line);
}

static int on_distribution(struct maker *maker, const char *rest)
{
	Heddle__Profile__Thread *thread = maker->threads[maker->thread_count - 1];
	Heddle__Profile__Distribution *one = malloc(sizeof(*one));
	int used = 0;
	heddle__profile__distribution__init(one);
	if (sscanf(rest, "%u %u %u %" SCNu64 " %lf %lf %lf %n", &one->node, &one->argument, &one->text, &one->count,
		    &one->minimum, &one->maximum, &one->sum, &used) != 7)
		return -1;
	one->buckets = calloc(ROOM, sizeof(*one->buckets));
	for (char *at = (char *)rest + used, *end; *at && one->n_buckets < ROOM; at = end) {
		one->buckets[one->n_buckets] = strtoull(at, &end, 0);
		if (end == at)
			return -1;
		one->n_buckets++;
	}
	if (!thread->distributions)
		thread->distributions = calloc(ROOM, sizeof(one));
	thread->distributions[thread->n_distributions++] = one;
	return 0;
}

static int on_exchange(struct maker *maker, const char *rest)
{
	Heddle__Profile__Thread *thread = maker->threads[maker->thread_count - 1];
	Heddle__Profile__Exchanges *all = thread->exchanges;
	uint64_t row[7];
	if (!all) {
		all = thread->exchanges = malloc(sizeof(*all));
		heddle__profile__exchanges__init(all);
	}
#define COLUMN(name)                                                    \
	{                                                               \
		(void **)&all->name, &all->n_##name, sizeof(*all->name) \
	}
	const struct {
		void **values;
		size_t *count, size;
	} columns[] = {COLUMN(communicator), COLUMN(partner), COLUMN(kind), COLUMN(bucket), COLUMN(messages),
		COLUMN(bytes), COLUMN(time_ns)};
#undef COLUMN
	if (sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &row[0],
		    &row[1], &row[2], &row[3], &row[4], &row[5], &row[6]) != 7)
		return -1;
	for (size_t i = 0; i < 7; i++) {
		if (!*columns[i].values)
			*columns[i].values = calloc(ROOM, columns[i].size);
		if (columns[i].size == sizeof(uint32_t))
			((uint32_t *)*columns[i].values)[(*columns[i].count)++] = (uint32_t)row[i];
		else
			((uint64_t *)*columns[i].values)[(*columns[i].count)++] = row[i];
	}
	return 0;
}

static int metric_number(const char *name)
{
#define X(number, id, text, ...)     \
	if (strcmp(name, text) == 0) \
		return number;
	HEDDLE_METRICS(X)
#undef X
	return atoi(name);
}

static Heddle__Profile__Column *column_of(struct maker *maker, uint32_t metric)
{
	Heddle__Profile__Thread *thread = maker->threads[maker->thread_count - 1];
	for (size_t c = 0; c < thread->n_columns; c++)
		if (thread->columns[c]->metric == metric)
			return thread->columns[c];
	Heddle__Profile__Column *column = malloc(sizeof(*column));
	heddle__profile__column__init(column);
	column->metric = metric;
	column->node = calloc(ROOM, sizeof(*column->node));
	column->value = calloc(ROOM, sizeof(*column->value));
	maker->last_node = 0;
	return thread->columns[thread->n_columns++] = column;
}

static int on_value(struct maker *maker, const char *rest)
{
	char metric[32];
	unsigned node;
	unsigned long long value;
	if (maker->thread_count == 0 || sscanf(rest, "%31s %u %llu", metric, &node, &value) != 3)
		return -1;
	uint32_t number = (uint32_t)metric_number(metric);
	Heddle__Profile__Column *column = column_of(maker, number);
	uint32_t before = 0;
	for (size_t i = 0; i < column->n_node; i++)
		before += column->node[i];
	column->node[column->n_node++] = node - before;
	column->value[column->n_value++] = value;
	if (number == HEDDLE_METRIC_SAMPLES) {
		maker->threads[maker->thread_count - 1]->samples += value;
		maker->process.samples_taken += value;
	}
	if (number == HEDDLE_METRIC_CPU_TIME)
		maker->threads[maker->thread_count - 1]->cpu_ns += value;
	return 0;
}

static int on_heddle(struct maker *maker, const char *rest)
{
	uint64_t value = strtoull(rest, NULL, 0);
	maker->threads[maker->thread_count - 1]->samples_in_heddle = value;
	maker->threads[maker->thread_count - 1]->samples += value;
	maker->process.samples_taken += value;
	return 0;
}

static int on_raw(struct maker *maker, const char *word, const char *rest)
{
	uint32_t value = (uint32_t)strtoul(rest, NULL, 0);
	if (strcmp(word, "raw-parent") == 0) {
		maker->tree.parent[maker->tree.n_parent - 1] = value;
		return 0;
	}
	Heddle__Profile__Thread *thread = maker->threads[maker->thread_count - 1];
	Heddle__Profile__Column *column = thread->columns[thread->n_columns - 1];
	if (strcmp(word, "raw-node") == 0)
		column->node[column->n_node++] = value;
	else
		column->value[column->n_value++] = value;
	return 0;
}

static int on_field(ProtobufCMessage *message, const char *rest)
{
	char field[64];
	int used;
	if (sscanf(rest, "%63s %n", field, &used) != 1)
		return -1;
	return set_field(message, field, rest + used);
}

static int on_counter(struct maker *maker, const char *name)
{
	Heddle__Profile__Counter *counter = malloc(sizeof(*counter));
	heddle__profile__counter__init(counter);
	if (!maker->process.counters)
		maker->process.counters = calloc(ROOM, sizeof(counter));
	counter->metric = HEDDLE_COUNTER_FIRST + (uint32_t)maker->process.n_counters;
	counter->name = strdup(name);
	counter->unit = strdup("count");
	maker->process.counters[maker->process.n_counters++] = counter;
	return 0;
}

static int on_line(struct maker *maker, const char *word, const char *rest)
{
	if (strcmp(word, "process") == 0)
		return on_field(&maker->process.base, rest);
	if (strcmp(word, "argument") == 0)
		append_text(&maker->process.arguments, &maker->process.n_arguments, rest);
	else if (strcmp(word, "phase") == 0 || strcmp(word, "string") == 0)
		append_text(&maker->process.strings, &maker->process.n_strings, rest);
	else if (strcmp(word, "event") == 0)
		return on_event(maker, rest);
	else if (strcmp(word, "module") == 0)
		return on_module(maker, rest);
	else if (strcmp(word, "model") == 0)
		return on_model(maker, rest);
	else if (strcmp(word, "model-field") == 0)
		return on_field(&maker->process.models[maker->process.n_models - 1]->base, rest);
	else if (strcmp(word, "model-code") == 0)
		return on_model_code(maker, rest);
	else if (strcmp(word, "module-field") == 0)
		return on_field(&maker->modules.modules[maker->modules.n_modules - 1]->base, rest);
	else if (strcmp(word, "counter") == 0)
		return on_counter(maker, rest);
	else if (strcmp(word, "sampled-by") == 0)
		return on_sampled_by(maker, rest);
	else if (strcmp(word, "node") == 0)
		return on_node(maker, rest);
	else if (strcmp(word, "source") == 0)
		return on_source(maker, rest);
	else if (strcmp(word, "role") == 0)
		maker->process.events[maker->process.n_events - 1]->role = (uint32_t)strtoul(rest, NULL, 10);
	else if (strcmp(word, "generated") == 0)
		maker->process.events[maker->process.n_events - 1]->generated = 1;
	else if (strcmp(word, "thread-field") == 0)
		return on_field(&maker->threads[maker->thread_count - 1]->base, rest);
	else if (strcmp(word, "distribution") == 0)
		return on_distribution(maker, rest);
	else if (strcmp(word, "exchange") == 0)
		return on_exchange(maker, rest);
	else if (strcmp(word, "thread") == 0)
		return on_thread(maker, rest);
	else if (strcmp(word, "value") == 0)
		return on_value(maker, rest);
	else if (strcmp(word, "heddle") == 0)
		return on_heddle(maker, rest);
	else if (strncmp(word, "raw-", 4) == 0)
		return on_raw(maker, word, rest);
	else if (strcmp(word, "version") == 0)
		maker->version = (uint32_t)strtoul(rest, NULL, 0);
	else if (strcmp(word, "no-end") == 0)
		maker->no_end = 1;
	else if (strcmp(word, "end") == 0)
		return sscanf(rest, "%d %d", &maker->end_sections, &maker->end_threads) == 2 ? 0 : -1;
	else
		return -1;
	return 0;
}

/* ---- the file ---- */

static void put_bytes(struct maker *maker, const void *bytes, size_t size)
{
	maker->bytes = realloc(maker->bytes, maker->size + size + 1);
	if (size)
		memcpy(maker->bytes + maker->size, bytes, size);
	maker->size += size;
}

static void put_section(struct maker *maker, uint32_t type, const ProtobufCMessage *message)
{
	size_t size = protobuf_c_message_get_packed_size(message);
	uint8_t *payload = malloc(size + 1);
	protobuf_c_message_pack(message, payload);
	struct heddle_section_header header = {type, (uint32_t)crc32(crc32(0, NULL, 0), payload, (uInt)size), size};
	put_bytes(maker, &header, sizeof(header));
	put_bytes(maker, payload, size);
	free(payload);
}

static void put_file(struct maker *maker)
{
	struct heddle_file_header header = {HEDDLE_FILE_MAGIC, maker->version, 0};
	Heddle__Profile__End end = HEDDLE__PROFILE__END__INIT;
	put_bytes(maker, &header, sizeof(header));
	put_section(maker, HEDDLE_SECTION_PROCESS, &maker->process.base);
	put_section(maker, HEDDLE_SECTION_MODULES, &maker->modules.base);
	put_section(maker, HEDDLE_SECTION_TREE, &maker->tree.base);
	for (size_t t = 0; t < maker->thread_count; t++)
		put_section(maker, HEDDLE_SECTION_THREAD, &maker->threads[t]->base);
	end.sections = maker->end_sections >= 0 ? (uint32_t)maker->end_sections : 3 + (uint32_t)maker->thread_count;
	end.threads = maker->end_threads >= 0 ? (uint32_t)maker->end_threads : (uint32_t)maker->thread_count;
	if (!maker->no_end)
		put_section(maker, HEDDLE_SECTION_END, &end.base);
}

static int read_lines(struct maker *maker, const char *text)
{
	char line[1024], word[32];
	for (int used; *text; text += used + (text[used] == '\n')) {
		used = (int)strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", used, text);
		int start = 0;
		if (line[0] == '#' || sscanf(line, "%31s %n", word, &start) != 1)
			continue;
		if (on_line(maker, word, line + start) != 0) {
			fprintf(stderr, "not understood: %s\n", line);
			return -1;
		}
	}
	return 0;
}

/* Frees everything that the descriptors know. */
static void free_maker(struct maker *maker)
{
	ProtobufCMessage *parts[] = {&maker->process.base, &maker->modules.base, &maker->tree.base};
	for (size_t i = 0; i < 3; i++) {
		size_t size = parts[i]->descriptor->sizeof_message;
		ProtobufCMessage *copy = malloc(size);
		memcpy(copy, parts[i], size);
		protobuf_c_message_free_unpacked(copy, NULL);
	}
	for (size_t t = 0; t < maker->thread_count; t++)
		protobuf_c_message_free_unpacked(&maker->threads[t]->base, NULL);
	free(maker);
}

uint8_t *profile_from_text(const char *text, size_t *size)
{
	struct maker *maker = calloc(1, sizeof(*maker));
	heddle__profile__process__init(&maker->process);
	heddle__profile__module_list__init(&maker->modules);
	heddle__profile__tree__init(&maker->tree);
	maker->version = HEDDLE_FILE_VERSION;
	maker->end_sections = maker->end_threads = -1;
	if (read_lines(maker, text) == 0)
		put_file(maker);
	uint8_t *bytes = maker->bytes;
	*size = maker->size;
	free_maker(maker);
	return bytes;
}

int write_profile_from_text(const char *text, const char *path)
{
	size_t size;
	uint8_t *bytes = profile_from_text(text, &size);
	FILE *file = bytes ? fopen(path, "wb") : NULL;
	int result = file && fwrite(bytes, 1, size, file) == size ? 0 : -1;
	if (file && fclose(file) != 0)
		result = -1;
	free(bytes);
	return result;
}

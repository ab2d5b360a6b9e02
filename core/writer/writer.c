/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers (a fatal signal writes the profile): system calls and mapped memory only. Sections are
 * encoded in memory one by one and written to a temporary file, which is renamed when it is complete.
 */
#include "core/writer/writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/base/string_table.h"
#include "core/counters/counting.h"
#include "core/host/host_signal.h"
#include "core/modules/model.h"
#include "core/modules/module.h"
#include "core/modules/module_provisional.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"
#include "core/threads/frontend.h"
#include "core/tree/event.h"
#include "core/tree/tree.h"
#include "core/writer/encode.h"
#include "core/writer/file_name.h"
#include "core/writer/writer_threads.h"
#include "format/ids.h"
#include "format/profile_fields.h"

#define FIELD(message, field) HEDDLE_FIELD_##message##_##field

/* Numbers of nodes and strings when writing starts: threads may add more. A node refers only to older strings. */
struct extent {
	uint32_t nodes, strings;
};

static int write_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	while (size) {
		ssize_t n = write(fd, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static int write_section(int fd, enum heddle_section type, struct heddle_buffer *payload)
{
	if (payload->failed)
		return -ENOMEM;
	struct heddle_section_header header = {
		.type = type, .crc32 = heddle__crc32(payload->data, payload->size), .length = payload->size};
	int error = write_all(fd, &header, sizeof(header));
	return error ? error : write_all(fd, payload->data, payload->size);
}

static void put_text(struct heddle_buffer *out, uint32_t field, const char *text)
{
	if (text)
		heddle__put_string(out, field, text);
}

static void put_code(struct heddle_buffer *model, struct heddle_buffer *part, const struct heddle_code_name *code)
{
	for (; code && code->kind; code++) {
		heddle__buffer_clear(part);
		heddle__put_uint(part, FIELD(CodeName, kind), code->kind);
		put_text(part, FIELD(CodeName, pattern), code->pattern);
		put_text(part, FIELD(CodeName, shown), code->shown);
		heddle__put_block(model, FIELD(Model, code), part);
	}
}

static void put_models(struct heddle_buffer *out, struct heddle_buffer *part)
{
	struct heddle_buffer whole = {0};
	for (unsigned int number = 1; number <= heddle__models(); number++) {
		const struct heddle_model *model = heddle__model(number);
		heddle__buffer_clear(&whole);
		heddle__put_uint(&whole, FIELD(Model, id), number);
		put_text(&whole, FIELD(Model, name), model->name);
		put_text(&whole, FIELD(Model, label), model->label);
		put_text(&whole, FIELD(Model, state), model->state);
		put_text(&whole, FIELD(Model, rank), model->rank);
		put_text(&whole, FIELD(Model, ranks), model->ranks);
		heddle__put_uint(&whole, FIELD(Model, blocks), model->blocks);
		put_text(&whole, FIELD(Model, section), model->section);
		put_text(&whole, FIELD(Model, generated), model->generated);
		put_code(&whole, part, model->code);
		heddle__put_block(out, FIELD(Process, models), &whole);
	}
	heddle__buffer_free(&whole);
}

/* Marks the kinds of events that occur in the tree's nodes. */
static void find_used_events(uint8_t used[HEDDLE_EVENT_LIMIT / 8], uint32_t nodes)
{
	memset(used, 0, HEDDLE_EVENT_LIMIT / 8);
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t event = HEDDLE_META_EVENT(heddle__tree_node(i)->meta);
		if (event < HEDDLE_EVENT_LIMIT)
			used[event / 8] |= (uint8_t)(1u << event % 8);
	}
}

static void put_events(struct heddle_buffer *out, struct heddle_buffer *part, uint32_t nodes)
{
	uint8_t used[HEDDLE_EVENT_LIMIT / 8];
	find_used_events(used, nodes);
	for (unsigned int i = 1; i <= heddle__event_kinds(); i++) {
		const struct heddle_event *event = heddle__event_by_id(i);
		if (heddle__event_is_sparse(i) && !(used[i / 8] & 1u << i % 8))
			continue;
		heddle__buffer_clear(part);
		heddle__put_uint(part, FIELD(EventKind, id), event->id);
		heddle__put_string(part, FIELD(EventKind, model), event->model);
		heddle__put_string(part, FIELD(EventKind, name), event->name);
		heddle__put_uint(part, FIELD(EventKind, category), event->category);
		heddle__put_string(part, FIELD(EventKind, label), event->label);
		heddle__put_uint(part, FIELD(EventKind, generated), event->generated);
		heddle__put_uint(part, FIELD(EventKind, role), event->role);
		heddle__put_block(out, FIELD(Process, events), part);
	}
}

static void put_arguments(struct heddle_buffer *out)
{
	const struct heddle_process *process = &heddle__process;
	for (uint32_t at = 0; at < process->arguments_size;) {
		size_t length = strnlen(process->arguments + at, process->arguments_size - at);
		heddle__put_bytes(out, FIELD(Process, arguments), process->arguments + at, length);
		at += (uint32_t)length + 1;
	}
}

static void put_memory(struct heddle_buffer *out)
{
	const struct heddle_process *process = &heddle__process;
	if (!process->memory_measured)
		return;
	int64_t in_use = process->memory_in_use;
	uint64_t peak_ns = process->memory_peak_ns;
	heddle__put_uint(out, FIELD(Process, memory_measured), true);
	heddle__put_uint(out, FIELD(Process, memory_peak), (uint64_t)process->memory_peak);
	heddle__put_uint(
		out, FIELD(Process, memory_peak_ns), peak_ns > process->start_ns ? peak_ns - process->start_ns : 0);
	heddle__put_uint(out, FIELD(Process, memory_in_use), in_use > 0 ? (uint64_t)in_use : 0);
}

static void put_counters(struct heddle_buffer *out, struct heddle_buffer *part)
{
	for (unsigned int i = 0; i < heddle__counters(); i++) {
		const struct heddle_counter *counter = heddle__counter(i);
		heddle__buffer_clear(part);
		heddle__put_uint(part, FIELD(Counter, metric), HEDDLE_COUNTER_FIRST + i);
		heddle__put_string(part, FIELD(Counter, name), counter->name);
		heddle__put_string(part, FIELD(Counter, unit), counter->unit);
		heddle__put_string(part, FIELD(Counter, source), heddle__counter_source(counter));
		heddle__put_string(part, FIELD(Counter, meaning), counter->meaning);
		heddle__put_block(out, FIELD(Process, counters), part);
	}
}

static void put_sample_sources(struct heddle_buffer *out, struct heddle_buffer *part)
{
	for (unsigned int i = 0; i < HEDDLE_SAMPLE_SOURCES; i++) {
		const struct heddle_sample_source *source = &heddle__process.sample_sources[i];
		if (!source->name || !source->signals)
			continue;
		heddle__buffer_clear(part);
		heddle__put_string(part, FIELD(SampleSource, name), source->name);
		heddle__put_uint(part, FIELD(SampleSource, signals), source->signals);
		heddle__put_uint(part, FIELD(SampleSource, cpu_ns), source->cpu_ns);
		heddle__put_uint(part, FIELD(SampleSource, kernel), source->kernel);
		heddle__put_block(out, FIELD(Process, sample_sources), part);
	}
}

static void put_rank(struct heddle_buffer *out)
{
	uint32_t rank = atomic_load(&heddle__process.rank);
	heddle__put_uint(out, FIELD(Process, rank), rank);
	heddle__put_uint(out, FIELD(Process, ranks), rank ? atomic_load(&heddle__process.ranks) : 0);
}

static void put_process(
	struct heddle_buffer *out, struct heddle_buffer *part, const char *ended_by, const struct extent *extent)
{
	const struct heddle_process *process = &heddle__process;
	uint64_t cpu_ns = process->frozen_cpu_ns, before = process->start_cpu_ns;
	heddle__put_string(out, FIELD(Process, program), process->program);
	put_arguments(out);
	heddle__put_string(out, FIELD(Process, host), process->host);
	heddle__put_uint(out, FIELD(Process, pid), (uint64_t)getpid());
	heddle__put_uint(out, FIELD(Process, parent_pid), (uint64_t)getppid());
	heddle__put_uint(out, FIELD(Process, start_unix_ns), process->start_unix_ns);
	heddle__put_uint(
		out, FIELD(Process, duration_ns), heddle__clock_ns(CLOCK_MONOTONIC) - heddle__process.start_ns);
	heddle__put_uint(out, FIELD(Process, cpu_ns), cpu_ns > before ? cpu_ns - before : 0);
	heddle__put_string(out, FIELD(Process, ended_by), ended_by);
	heddle__put_string(out, FIELD(Process, heddle_version), HEDDLE_VERSION);
	heddle__put_string(out, FIELD(Process, sample_source), process->sample_source);
	heddle__put_string(out, FIELD(Process, sample_clock), process->sample_clock);
	heddle__put_uint(out, FIELD(Process, sample_hz), process->sample_hz);
	heddle__put_string(out, FIELD(Process, unwinder), process->unwinder);
	heddle__put_string(out, FIELD(Process, runtime), process->runtime);
	for (unsigned int i = 0; heddle__note_text(i); i++)
		heddle__put_string(out, FIELD(Process, note), heddle__note_text(i));
	put_models(out, part);
	put_events(out, part, extent->nodes);
	for (uint32_t i = 0; i < extent->strings; i++)
		heddle__put_bytes(out, FIELD(Process, strings), heddle__string(i), strlen(heddle__string(i)));
	heddle__put_uint(out, FIELD(Process, samples_taken), heddle__samples_taken());
	heddle__put_uint(out, FIELD(Process, samples_paused), process->samples_paused);
	heddle__put_uint(out, FIELD(Process, nodes_dropped), heddle__tree_dropped());
	heddle__put_uint(out, FIELD(Process, memory_bytes), heddle__memory_mapped());
	heddle__put_string(out, FIELD(Process, machine), process->machine);
	heddle__put_string(out, FIELD(Process, start_directory), process->directory);
	put_memory(out);
	put_counters(out, part);
	put_sample_sources(out, part);
	heddle__put_uint(out, FIELD(Process, samples_late), process->samples_late);
	heddle__put_uint(out, FIELD(Process, cpu_before_ns), process->before_cpu_ns);
	heddle__put_uint(out, FIELD(Process, cpu_clock_ns), heddle__clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	heddle__put_uint(out, FIELD(Process, threads_alive), heddle__threads_alive());
	put_rank(out);
	heddle__put_bytes(out, FIELD(Process, processors), process->processors, process->processors_size);
}

static void put_module(struct heddle_buffer *out, struct heddle_buffer *part, const struct heddle_module *module)
{
	if (!module)
		return;
	uint8_t role = module->role;
	bool runtime = heddle__is_runtime(role);
	heddle__buffer_clear(part);
	heddle__put_uint(part, FIELD(Module, id), module->id);
	heddle__put_string(part, FIELD(Module, path), module->path);
	heddle__put_uint(part, FIELD(Module, load_bias), module->base);
	heddle__put_uint(part, FIELD(Module, low), module->low);
	heddle__put_uint(part, FIELD(Module, high), module->high);
	if (module->build_id_size)
		heddle__put_bytes(part, FIELD(Module, build_id), module->build_id, module->build_id_size);
	heddle__put_uint(part, FIELD(Module, unloaded), module->unloaded);
	heddle__put_uint(part, FIELD(Module, role), runtime ? HEDDLE_MODULE_STORED_RUNTIME : role);
	heddle__put_uint(part, FIELD(Module, model), runtime ? role - HEDDLE_MODULE_RUNTIME : 0);
	heddle__put_block(out, FIELD(ModuleList, modules), part);
}

static void put_modules(struct heddle_buffer *out, struct heddle_buffer *part)
{
	uint32_t count = heddle__modules_count();
	for (uint32_t id = 1; id <= count; id++)
		put_module(out, part, heddle__module_by_id(id));
	for (uint32_t i = 0; i < heddle__provisional_count(); i++)
		put_module(out, part, heddle__provisional_module(i));
}

static void put_tree(struct heddle_buffer *out, struct heddle_buffer *part, uint32_t count)
{
	uint64_t before = 0;
	heddle__buffer_clear(part);
	for (uint32_t i = 0; i < count; i++)
		heddle__put_varint(part, i - heddle__tree_node(i)->parent);
	heddle__put_block(out, FIELD(Tree, parent), part);
	heddle__buffer_clear(part);
	for (uint32_t i = 0; i < count; i++)
		heddle__put_varint(part, HEDDLE_META_KIND(heddle__tree_node(i)->meta));
	heddle__put_block(out, FIELD(Tree, kind), part);
	heddle__buffer_clear(part);
	for (uint32_t i = 0; i < count; i++)
		heddle__put_varint(part, HEDDLE_META_EVENT(heddle__tree_node(i)->meta));
	heddle__put_block(out, FIELD(Tree, event), part);
	heddle__buffer_clear(part);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t place = heddle__tree_node(i)->place;
		heddle__put_varint(part, heddle__zigzag((int64_t)(place - before)));
		before = place;
	}
	heddle__put_block(out, FIELD(Tree, place), part);
}

/* Lets front ends add the values that they have for the thread to its slots. */
static void announce(struct heddle_thread *thread)
{
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->before_read)
			heddle__frontends[i]->before_read(thread);
	}
}

/* Returns threads in the order of their creation, in which readers show them; the list has the reverse order. */
static struct heddle_thread **threads_by_age(size_t *count)
{
	struct heddle_thread *newest = heddle__threads();
	*count = 0;
	for (struct heddle_thread *thread = newest; thread; thread = thread->next)
		*count += 1;
	struct heddle_thread **threads = heddle__map((*count + 1) * sizeof(struct heddle_thread *));
	size_t at = *count;
	for (struct heddle_thread *thread = newest; threads && thread; thread = thread->next)
		threads[--at] = thread;
	return threads;
}

static int write_threads(
	int fd, struct heddle_buffer *out, uint64_t now, const struct extent *extent, uint32_t *written)
{
	size_t count;
	struct heddle_thread **threads = threads_by_age(&count);
	int error = threads ? 0 : -ENOMEM;
	struct heddle_thread_columns columns = {.nodes_written = extent->nodes, .strings_written = extent->strings};
	for (size_t i = 0; i < count && !error; i++) {
		if (!threads[i]->uses)
			continue;
		announce(threads[i]);
		heddle__buffer_clear(out);
		heddle__put_thread(out, &columns, threads[i], now);
		error = write_section(fd, HEDDLE_SECTION_THREAD, out);
		++*written;
	}
	if (threads)
		heddle__unmap(threads, (count + 1) * sizeof(struct heddle_thread *));
	heddle__free_columns(&columns);
	return error;
}

static int write_sections(int fd, const char *ended_by, uint64_t now)
{
	static const struct heddle_file_header header = {HEDDLE_FILE_MAGIC, HEDDLE_FILE_VERSION, 0};
	struct heddle_buffer out = {0}, part = {0};
	uint32_t threads = 0;
	int error = write_all(fd, &header, sizeof(header));
	heddle__prepare_extra_nodes();
	struct extent extent = {.nodes = heddle__tree_count()};
	extent.strings = heddle__string_count();
	put_process(&out, &part, ended_by, &extent);
	error = error ? error : write_section(fd, HEDDLE_SECTION_PROCESS, &out);
	heddle__buffer_clear(&out);
	put_modules(&out, &part);
	error = error ? error : write_section(fd, HEDDLE_SECTION_MODULES, &out);
	heddle__buffer_clear(&out);
	put_tree(&out, &part, extent.nodes);
	error = error ? error : write_section(fd, HEDDLE_SECTION_TREE, &out);
	error = error ? error : write_threads(fd, &out, now, &extent, &threads);
	heddle__buffer_clear(&out);
	heddle__put_uint(&out, FIELD(End, sections), threads + 3);
	heddle__put_uint(&out, FIELD(End, threads), threads);
	error = error ? error : write_section(fd, HEDDLE_SECTION_END, &out);
	heddle__buffer_free(&out);
	heddle__buffer_free(&part);
	return error;
}

static int write_aside(int directory, const char *ended_by, uint64_t now)
{
	char aside[HEDDLE_ASIDE_SIZE];
	int fd = heddle__file_create_aside(directory, aside);
	if (fd < 0)
		return fd;
	int error = write_sections(fd, ended_by, now);
	if (close(fd) && !error)
		error = -errno;
	if (!error)
		error = heddle__file_publish(directory, aside);
	if (error)
		heddle__file_remove_aside(directory, aside);
	return error;
}

static int write_file(const char *ended_by, uint64_t now)
{
	int directory = heddle__output_open();
	if (directory < 0)
		return directory;
	int error = write_aside(directory, ended_by, now);
	close(directory);
	return error;
}

int heddle__write_profile(const char *ended_by, uint64_t now)
{
	struct heddle_signal_guard guard;
	heddle__guard_signals(&guard);
	int error = write_file(ended_by, now);
	heddle__release_signals(&guard);
	return error;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the chunks of a trace file. Nothing in it is trusted. Chunks of events are only listed: their checksums are
 * verified when they are decoded, so that opening a trace does not read all of it.
 */
#include "profile/trace/trace_file.h"

#include "profile/base/errors.h"
#include "profile/base/intern.h"

#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- bytes ---- */

int profile_trace_read(int fd, void *bytes, size_t size, uint64_t offset)
{
	for (size_t got = 0; got < size;) {
		ssize_t n = pread(fd, (char *)bytes + got, size - got, (off_t)(offset + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -HEDDLE_TRUNCATED;
		got += (size_t)n;
	}
	return 0;
}

static void swap_header(struct heddle_trace_chunk *header)
{
	header->magic = le32toh(header->magic);
	header->version = le16toh(header->version);
	header->kind = le16toh(header->kind);
	header->thread = le32toh(header->thread);
	header->length = le32toh(header->length);
	header->first = le64toh(header->first);
	header->last = le64toh(header->last);
	header->count = le64toh(header->count);
	header->paused = le64toh(header->paused);
	header->sum = le64toh(header->sum);
	header->order = le32toh(header->order);
}

/* Records the first damage that was found. Returns -ENOMEM if there is no memory for it. */
__attribute__((format(printf, 2, 3))) static int note_damage(struct profile_trace_file *file, const char *format, ...)
{
	va_list arguments;
	if (file->damage)
		return 0;
	va_start(arguments, format);
	int length = vasprintf(&file->damage, format, arguments);
	va_end(arguments);
	if (length < 0)
		file->damage = NULL;
	return length < 0 ? -ENOMEM : 0;
}

/* ---- the kinds of chunks ---- */

/* A chunk that is being read. `bytes` has its contents, unless they are events. */
struct part {
	struct profile_trace_file *file;
	struct profile_trace_index *index;
	struct heddle_trace_chunk header;
	uint64_t offset; /* of what follows the chunk's header */
	const uint8_t *bytes;
	const char *wrong; /* reason why it can't be used; NULL: none */
};

static int refuse(struct part *part, const char *wrong)
{
	part->wrong = wrong;
	return -HEDDLE_INCONSISTENT;
}

static int take_info(struct part *part)
{
	struct heddle_trace_info info;
	uint64_t words[sizeof(info) / sizeof(uint64_t)] = {0};
	if (part->header.length < offsetof(struct heddle_trace_info, from_ns))
		return refuse(part, "its description is too short");
	memcpy(words, part->bytes, part->header.length < sizeof(words) ? part->header.length : sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		words[i] = le64toh(words[i]);
	memcpy(&info, words, sizeof(info));
	if (info.ns_per_tick == 0)
		return refuse(part, "its clock has no rate");
	part->file->info = info;
	return 0;
}

/* Returns the number of elements of that size; SIZE_MAX: it is not the header's. */
static size_t elements(const struct part *part, size_t size)
{
	size_t count = part->header.length / size;
	return part->header.count == count && part->header.length % size == 0 ? count : SIZE_MAX;
}

/* Nodes that were already read may be repeated. */
static int take_tree(struct part *part)
{
	struct profile_trace_file *file = part->file;
	struct heddle_trace_node node;
	size_t count = elements(part, sizeof(node));
	uint64_t first = part->header.first;
	if (count == SIZE_MAX || first > file->node_count || first + count > UINT32_MAX / 2)
		return refuse(part, "its call paths are incomplete");
	if (first + count <= file->node_count)
		return 0;
	if (profile_reserve(&file->parents, &part->index->node_capacity, first + count, sizeof(*file->parents)) != 0)
		return -ENOMEM;
	for (size_t i = file->node_count - first; i < count; i++) {
		memcpy(&node, part->bytes + i * sizeof(node), sizeof(node));
		uint32_t parent = le32toh(node.parent);
		if (parent >= first + i && first + i != 0)
			return refuse(part, "a call path has no beginning");
		file->parents[file->node_count++] = parent;
	}
	return 0;
}

static int take_events(struct part *part)
{
	const struct heddle_trace_chunk *header = &part->header;
	struct profile_trace_index *index = part->index;
	if (header->last < header->first || header->count > header->length)
		return refuse(part, "a chunk of events is inconsistent");
	if (profile_reserve(&index->chunks, &index->chunk_capacity, index->chunk_count + 1, sizeof(*index->chunks)) !=
		0)
		return -ENOMEM;
	index->chunks[index->chunk_count++] = (struct profile_trace_found){
		header->thread, {part->offset, header->length, header->order, header->first, header->last,
					header->count, header->paused, header->sum}};
	return 0;
}

static int take_rest(struct part *part)
{
	struct heddle_trace_value value;
	struct profile_trace_index *index = part->index;
	size_t count = elements(part, sizeof(value));
	if (count == SIZE_MAX)
		return refuse(part, "a table of values is incomplete");
	if (profile_reserve(&index->rest, &index->rest_capacity, index->rest_count + count, sizeof(*index->rest)) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		memcpy(&value, part->bytes + i * sizeof(value), sizeof(value));
		index->rest[index->rest_count++] = (struct profile_trace_found_rest){
			part->header.thread, {le32toh(value.node), le32toh(value.metric), le64toh(value.value)}};
	}
	return 0;
}

static int take_offsets(struct part *part)
{
	struct heddle_trace_offset offset;
	struct profile_trace_file *file = part->file;
	size_t count = elements(part, sizeof(offset));
	if (count == SIZE_MAX)
		return refuse(part, "a table of clock offsets is incomplete");
	if (profile_reserve(
		    &file->offsets, &part->index->offset_capacity, file->offset_count + count, sizeof(offset)) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		memcpy(&offset, part->bytes + i * sizeof(offset), sizeof(offset));
		file->offsets[file->offset_count++] = (struct heddle_trace_offset){
			le64toh(offset.at_ns),
			(int64_t)le64toh((uint64_t)offset.offset_ns),
			le64toh(offset.error_ns),
		};
	}
	return 0;
}

/* A file has at least one group for each number up to the highest, so no number exceeds what fits into its size. */
static int take_group(struct profile_trace_file *file, size_t *capacity, const struct heddle_trace_group *group)
{
	uint32_t number = le32toh(group->number);
	if (number == 0 || number > file->size / sizeof(*group))
		return note_damage(file, "a group of ranks is ignored: its number is %" PRIu32, number);
	if (profile_reserve(&file->groups, capacity, number, sizeof(*group)) != 0)
		return -ENOMEM;
	while (file->group_count < number)
		file->groups[file->group_count++] = (struct heddle_trace_group){0};
	file->groups[number - 1] = (struct heddle_trace_group){
		le64toh(group->identity), number, le32toh(group->name), le32toh(group->rank), le32toh(group->all_rank)};
	return 0;
}

static int take_groups(struct part *part)
{
	struct heddle_trace_group group;
	size_t count = elements(part, sizeof(group));
	int error = 0;
	if (count == SIZE_MAX)
		return refuse(part, "a table of groups is incomplete");
	for (size_t i = 0; i < count && !error; i++) {
		memcpy(&group, part->bytes + i * sizeof(group), sizeof(group));
		error = take_group(part->file, &part->index->group_capacity, &group);
	}
	return error;
}

/* Skips unknown kinds, which only add information. */
static int take_contents(struct part *part)
{
	switch (part->header.kind) {
	case HEDDLE_TRACE_INFO:
		return take_info(part);
	case HEDDLE_TRACE_TREE:
		return take_tree(part);
	case HEDDLE_TRACE_REST:
		return take_rest(part);
	case HEDDLE_TRACE_OFFSET:
		return take_offsets(part);
	case HEDDLE_TRACE_GROUP:
		return take_groups(part);
	default:
		return 0;
	}
}

static int take_chunk(struct part *part)
{
	if (part->header.kind == HEDDLE_TRACE_EVENTS)
		return take_events(part);
	uint8_t *bytes = malloc((size_t)part->header.length + 1);
	int error = bytes ? profile_trace_read(part->file->fd, bytes, part->header.length, part->offset) : -ENOMEM;
	part->bytes = bytes;
	if (!error && heddle_trace_sum(bytes, part->header.length) != part->header.sum)
		error = refuse(part, "wrong checksum");
	if (!error)
		error = take_contents(part);
	free(bytes);
	return error;
}

/* ---- the file ---- */

static const char *header_fault(const struct heddle_trace_chunk *header, uint64_t room)
{
	if (header->magic != HEDDLE_TRACE_MAGIC)
		return "no chunk begins there";
	if (header->version > HEDDLE_TRACE_VERSION)
		return "written by a newer Heddle";
	if (header->version < HEDDLE_TRACE_VERSION)
		return "written by an older Heddle";
	if (header->length > room)
		return "it ends within a chunk";
	return NULL;
}

/* Reads the chunk at *at, and moves *at to the next one. */
static int read_chunk(struct part *part, uint64_t *at)
{
	uint64_t room = part->file->size - *at;
	if (room < sizeof(part->header))
		return refuse(part, "it ends within a chunk");
	int error = profile_trace_read(part->file->fd, &part->header, sizeof(part->header), *at);
	if (error)
		return error;
	swap_header(&part->header);
	part->wrong = header_fault(&part->header, room - sizeof(part->header));
	if (part->wrong)
		return -HEDDLE_INCONSISTENT;
	part->offset = *at + sizeof(part->header);
	error = take_chunk(part);
	if (!error)
		*at = part->offset + part->header.length;
	return error;
}

static int read_chunks(struct profile_trace_file *file, struct profile_trace_index *index)
{
	int error = 0;
	for (uint64_t at = 0; !error && at < file->size;) {
		struct part part = {.file = file, .index = index};
		error = read_chunk(&part, &at);
		if (error == -HEDDLE_TRUNCATED)
			part.wrong = "it is shorter than before";
		if (part.wrong)
			return note_damage(file, "not read from byte %" PRIu64 " of %" PRIu64 " on: %s", at, file->size,
				part.wrong);
	}
	return error;
}

static int by_time(const void *one, const void *other)
{
	const struct heddle_trace_offset *a = one, *b = other;
	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

static int by_thread(const void *one, const void *other)
{
	const struct profile_trace_found *a = one, *b = other;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->chunk.order != b->chunk.order)
		return a->chunk.order < b->chunk.order ? -1 : 1;
	return (a->chunk.offset > b->chunk.offset) - (a->chunk.offset < b->chunk.offset);
}

static int rest_by_thread(const void *one, const void *other)
{
	const struct profile_trace_found_rest *a = one, *b = other;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static void sort(struct profile_trace_file *file, struct profile_trace_index *index)
{
	if (index->chunk_count)
		qsort(index->chunks, index->chunk_count, sizeof(*index->chunks), by_thread);
	if (index->rest_count)
		qsort(index->rest, index->rest_count, sizeof(*index->rest), rest_by_thread);
	if (file->offset_count)
		qsort(file->offsets, file->offset_count, sizeof(*file->offsets), by_time);
}

/* Drops values of unknown nodes, and all events if there is no clock rate. */
static int check(struct profile_trace_file *file, struct profile_trace_index *index)
{
	size_t kept = 0;
	int error = 0;
	for (size_t i = 0; i < index->rest_count; i++)
		if (index->rest[i].value.node < file->node_count)
			index->rest[kept++] = index->rest[i];
	if (kept != index->rest_count)
		error = note_damage(file, "%zu values of unknown call paths", index->rest_count - kept);
	index->rest_count = kept;
	if (!error && file->info.ns_per_tick == 0) {
		index->chunk_count = 0;
		error = note_damage(file, "it has no clock rate");
	}
	return error;
}

/* Each process needs a descriptor, perhaps more than a shell allows by default: then raises the limit. */
static int open_anyway(const char *path)
{
	struct rlimit limit;
	int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK, fd = open(path, flags);
	if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return fd;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
		errno = EMFILE;
		return -1;
	}
	return open(path, flags);
}

int profile_trace_file_open(struct profile_trace_file *file, struct profile_trace_index *index)
{
	struct stat status;
	file->fd = open_anyway(file->path);
	if (file->fd < 0 || fstat(file->fd, &status) != 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -HEDDLE_FOREIGN;
	file->size = (uint64_t)status.st_size;
	int error = read_chunks(file, index);
	if (!error)
		error = check(file, index);
	sort(file, index);
	return error;
}

void profile_trace_file_close(struct profile_trace_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file->parents);
	free(file->own_map);
	free(file->offsets);
	free(file->groups);
	free(file->damage);
	*file = (struct profile_trace_file){.fd = -1};
}

void profile_trace_index_free(struct profile_trace_index *index)
{
	free(index->chunks);
	free(index->rest);
	*index = (struct profile_trace_index){0};
}

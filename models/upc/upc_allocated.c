/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes descriptions of shared variables and memory from events, for upc_objects.h. */
#include "models/upc/upc_allocated.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/string_table.h"
#include "core/tree/tree.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_effect.h"
#include "models/upc/upc_objects.h"
#include "models/upc/upc_vocabulary.h"

#define LARGEST_ELEMENT 4096u /* bytes; members of larger elements are not distinguished */

/* ---- descriptions: number of a string plus 1; 0: no memory ---- */

static const char *text_or_nothing(const char *text)
{
	return text ? text : "";
}

static uint32_t describe_static(const struct heddle_upc_notice *notice, const struct heddle_upc_arguments *arguments)
{
	char text[1000];
	size_t element = arguments->elements;
	snprintf(text, sizeof(text), "%s\t\t%d\t%zu\t%zu\t%s\t%s", text_or_nothing(arguments->function), notice->line,
		element, element ? arguments->size / element : 0, text_or_nothing(arguments->type_name),
		text_or_nothing(notice->file));
	return heddle__string_number(text) + 1;
}

uint32_t heddle__upc_describe_memory(const struct heddle_upc_memory *memory)
{
	char text[1000], tag[16] = "", call[16] = "";
	if (memory->tag)
		snprintf(tag, sizeof(tag), "\t%08" PRIx32, memory->tag);
	if (memory->calls > 1)
		snprintf(call, sizeof(call), "%s\t%d/%d", *tag ? "" : "\t", memory->call, memory->calls);
	snprintf(text, sizeof(text), "\t%s\t%d\t0\t0\t\t%s%s%s", memory->function, memory->line,
		text_or_nothing(memory->file), tag, call);
	return heddle__string_number(text) + 1;
}

static bool is_static(const struct heddle_upc_kind *kind)
{
	return kind == &heddle__upc_kinds[HEDDLE_UPC_HUPC_STATIC_SHARED] ||
	       kind == &heddle__upc_kinds[HEDDLE_UPC_BUPC_STATIC_SHARED];
}

/* Turns "GASP_UPC_ALL_ALLOC" into "upc_all_alloc". */
static void name_function(char *name, size_t size, const struct heddle_upc_kind *kind)
{
	const char *from = strstr(kind->event->name, "UPC_");
	size_t at = 0;
	for (; from && from[at] && at + 1 < size; at++)
		name[at] = (char)(from[at] >= 'A' && from[at] <= 'Z' ? from[at] | 0x20 : from[at]);
	name[at] = '\0';
}

static uint32_t describe(const struct heddle_upc_notice *notice, const struct heddle_upc_arguments *arguments)
{
	char function[32];
	if (is_static(notice->kind))
		return describe_static(notice, arguments);
	name_function(function, sizeof(function), notice->kind);
	const struct heddle_upc_memory memory = {.function = function, .file = notice->file, .line = notice->line};
	return heddle__upc_describe_memory(&memory);
}

/*
 * Returns a hash of the path's frames, as docs/format.md defines it: equal in each process of a program and in the
 * reader. 0: none.
 */
static uint32_t tag_of(uint32_t node)
{
	uint64_t hash = 0;
	for (uint32_t at = node; at; at = heddle__tree_node(at)->parent) {
		const struct heddle_node *it = heddle__tree_node(at);
		if (HEDDLE_META_KIND(it->meta) == HEDDLE_NODE_FRAME)
			hash = heddle__path_tag_step(hash, it->place);
	}
	return heddle__path_tag(hash);
}

/* Returns how many bytes each thread has of `blocks` blocks of `size` bytes. */
static uint64_t bytes_of_thread(const struct heddle_upc_arguments *arguments)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	int answer = bridge && bridge->threads ? bridge->threads() : 1;
	uint64_t threads = answer > 1 ? (uint64_t)answer : 1;
	return (arguments->blocks + threads - 1) / threads * arguments->size;
}

static void allocated(const struct heddle_upc_notice *notice, const struct heddle_upc_arguments *arguments)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	const void *pointer = arguments->destination;
	bool alone = notice->kind->effect == HEDDLE_UPC_EFFECT_SHARED;
	struct heddle_upc_object object = {.low = bridge->addrfield(pointer), .owner = HEDDLE_UPC_ALL_THREADS};
	if (!object.low)
		return; /* a null pointer */
	if (alone)
		object.owner = (uint32_t)bridge->threadof(pointer);
	object.high = object.low + (alone ? arguments->size : bytes_of_thread(arguments));
	object.description = describe(notice, arguments);
	if (is_static(notice->kind) && arguments->elements <= LARGEST_ELEMENT && arguments->elements > 1)
		object.members = heddle__alloc(arguments->elements * sizeof(*object.members));
	object.element = object.members ? (uint32_t)arguments->elements : 0;
	object.now = &heddle__upc_objects_generation;
	object.version = heddle__upc_objects_generation;
	if (object.description)
		heddle__upc_object_add(&object);
}

/* ---- events ---- */

/* True if the runtime knows the memory exactly; it is then queried when the memory is accessed. */
static bool is_known_there(const struct heddle_upc_kind *kind)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	return bridge && bridge->memory_of && !is_static(kind);
}

/* True if the bridge can interpret the pointer-to-shared. */
static bool is_understood(const void *pointer)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	return bridge && bridge->threadof && bridge->addrfield && pointer;
}

/* At Start: memory is released, or will be allocated by the code at node `path` (0: its frames are unknown). */
static void will_change(struct heddle_upc_notice *notice, uint32_t path)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	bool frees = notice->kind->effect == HEDDLE_UPC_EFFECT_FREE;
	struct heddle_upc_arguments arguments = {0};
	heddle__upc_decode(notice->kind, false, &notice->list, &arguments);
	if (is_known_there(notice->kind)) {
		if (!frees && bridge->tag_allocation)
			bridge->tag_allocation(tag_of(path));
	} else if (frees && is_understood(arguments.destination)) {
		heddle__upc_object_remove(
			(uint32_t)bridge->threadof(arguments.destination), bridge->addrfield(arguments.destination));
	}
}

/* At End or Atomic: memory was allocated, or a static variable exists. */
static void has_changed(struct heddle_upc_notice *notice, struct heddle_upc_arguments *arguments)
{
	const struct heddle_upc_kind *kind = notice->kind;
	heddle__upc_decode(kind, true, &notice->list, arguments);
	if (kind == &heddle__upc_kinds[HEDDLE_UPC_HUPC_STATIC_SHARED])
		heddle__upc_decode_static(&notice->list, arguments);
	else if (kind == &heddle__upc_kinds[HEDDLE_UPC_BUPC_STATIC_SHARED])
		heddle__upc_decode_static_of_berkeley(&notice->list, arguments);
	bool allocates = kind->effect != HEDDLE_UPC_EFFECT_FREE && !is_known_there(kind);
	if (allocates && is_understood(arguments->destination))
		allocated(notice, arguments);
}

void heddle__upc_object_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_location at;
	heddle__upc_locate(thread, notice, &at);
	will_change(notice, at.found ? at.found->node : 0);
	heddle__upc_begin_at(thread, notice, &at, 0);
}

void heddle__upc_object_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments = {0};
	has_changed(notice, &arguments);
	struct heddle_slot *slot = heddle__region_pop(thread, notice->kind->event);
	if (slot)
		heddle__upc_measure_memory(notice->kind, slot, &arguments);
}

void heddle__upc_object_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments = {0};
	has_changed(notice, &arguments);
	struct heddle_slot *slot = heddle__upc_count(thread, notice);
	if (slot)
		heddle__upc_measure_memory(notice->kind, slot, &arguments);
}

void heddle__upc_object_follow(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments = {0};
	(void)thread;
	if (notice->type == GASP_START)
		will_change(notice, 0);
	else
		has_changed(notice, &arguments);
}

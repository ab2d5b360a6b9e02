/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the descriptions of objects, splits them into parts, and makes names distinct. */
#include "profile/view/object.h"

#include "profile/base/base_name.h"
#include "profile/base/errors.h"
#include "profile/names/allocation_path.h"
#include "profile/names/code_file.h"
#include "profile/names/member_name.h"
#include "profile/view/source_text.h"
#include "profile/view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 9    /* of a description: the last are the offset of a member, or a path's tag and a call's number */
#define SOURCES 64 /* that are read at most */
#define STEPS 8    /* callers of an allocating function that are checked */

static int collect(struct profile_objects *objects, const struct profile_measurement *measurement)
{
	const struct profile_call_tree *tree = &measurement->tree;
	for (size_t i = 1; i < tree->node_count; i++)
		if (tree->nodes[i].kind == HEDDLE_NODE_OBJECT &&
			profile_intern(&objects->keys, tree->strings[tree->nodes[i].place]) == HEDDLE_INTERN_NONE)
			return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t t = 0; t < process->thread_count; t++) {
			const struct profile_partners *partners = &process->threads[t].partners;
			for (size_t i = 0; i < partners->count; i++)
				if (*partners->rows[i].variable &&
					profile_intern(&objects->keys, partners->rows[i].variable) ==
						HEDDLE_INTERN_NONE)
					return -ENOMEM;
		}
	}
	return 0;
}

/* Splits a description; missing parts are empty. */
static int take_apart(struct profile_objects *objects, struct profile_object *object, const char *description)
{
	const char *parts[PARTS];
	char copy[1024];
	char *rest = copy;
	snprintf(copy, sizeof(copy), "%s", description);
	for (int i = 0; i < PARTS; i++) {
		char *part = rest ? strsep(&rest, "\t") : NULL;
		parts[i] = profile_intern_text(&objects->texts, part ? part : "");
		if (!parts[i])
			return -ENOMEM;
	}
	*object = (struct profile_object){
		.description = description,
		.name = parts[0],
		.function = parts[1],
		.line = (uint32_t)strtoul(parts[2], NULL, 10),
		.element_size = strtoull(parts[3], NULL, 10),
		.block = strtoull(parts[4], NULL, 10),
		.type = parts[5],
		.file = parts[6],
		.whole = parts[0],
		.is_member = *parts[7] != '\0' && *parts[1] == '\0',
		.offset = strtoull(parts[7], NULL, 10),
		.path = *parts[1] ? (uint32_t)strtoul(parts[7], NULL, 16) : 0,
	};
	const char *slash = *parts[1] ? strchr(parts[8], '/') : NULL;
	object->call = slash ? (uint32_t)strtoul(parts[8], NULL, 10) : 0;
	object->calls = slash ? (uint32_t)strtoul(slash + 1, NULL, 10) : 0;
	return 0;
}

/* What is read to name objects, each file once. */
struct naming {
	struct profile_objects *objects;
	const struct profile_measurement *measurement;
	const char *files[SOURCES];
	char *sources[SOURCES]; /* NULL: not found */
	size_t source_count;
	bool looked; /* searched for the program's file */
	struct profile_code_file program;
	bool paths_made;
	struct profile_allocation_paths paths;
};

static const char *source_of(struct naming *naming, const char *file)
{
	for (size_t i = 0; i < naming->source_count; i++)
		if (strcmp(naming->files[i], file) == 0)
			return naming->sources[i];
	if (naming->source_count == SOURCES)
		return NULL;
	naming->files[naming->source_count] = file;
	char *source = profile_source_read(naming->measurement, file, HEDDLE_SOURCE_SEARCHED);
	if (source)
		profile_object_blank(source);
	naming->sources[naming->source_count] = source;
	return naming->sources[naming->source_count++];
}

static enum profile_object_use use_of(
	struct naming *naming, const char *file, const struct profile_object_call *call, char *name, size_t size)
{
	const char *source = *file && call->line ? source_of(naming, file) : NULL;
	return source ? profile_object_use(source, call, name, size) : PROFILE_OBJECT_UNKNOWN;
}

/* Finds how the caller at step `at` uses the result of the function at the step before. */
static enum profile_object_use use_by_caller(
	struct naming *naming, const struct profile_allocation_step *steps, size_t at, char *name, size_t size)
{
	struct profile_object_call call = {.function = steps[at - 1].function, .line = steps[at].line};
	if (!call.function)
		return PROFILE_OBJECT_UNKNOWN;
	call.call = profile_allocation_call(&naming->paths, steps, at, &call.calls);
	return use_of(naming, steps[at].file, &call, name, size);
}

/* For a function that allocates for its callers: finds what they assign its result to. */
static bool is_assigned_by_caller(struct naming *naming, const struct profile_object *object, char *name, size_t size)
{
	struct profile_allocation_step steps[STEPS];
	enum profile_object_use use = PROFILE_OBJECT_RETURNED;
	if (!object->path)
		return false;
	if (!naming->paths_made && profile_allocation_paths_make(&naming->paths, &naming->measurement->tree) != 0)
		return false;
	naming->paths_made = true;
	size_t count = profile_allocation_steps(&naming->paths, object->path, steps, STEPS);
	/* After a tail call, the allocating function has no step. Inlined code may have lost its line. */
	if (count && steps[0].line && steps[0].line != object->line)
		return false;
	for (size_t i = 1; i < count && use == PROFILE_OBJECT_RETURNED; i++)
		use = use_by_caller(naming, steps, i, name, size);
	return use == PROFILE_OBJECT_ASSIGNED;
}

/* Writes "upc_all_alloc@cc.upc:117", or "upc_all_alloc@cc.upc:117#2". */
static void name_by_place(const struct profile_object *object, char *name, size_t size)
{
	char number[16] = "";
	if (object->calls > 1)
		snprintf(number, sizeof(number), "#%" PRIu32, object->call);
	snprintf(name, size, "%s@%s:%u%s", object->function, *object->file ? profile_base_name(object->file) : "?",
		object->line, number);
}

/* Models may not report the line of an allocation: then it is taken from the path. */
static void locate(struct naming *naming, struct profile_object *object)
{
	struct profile_allocation_step steps[STEPS];
	if (object->line || !object->path)
		return;
	if (!naming->paths_made && profile_allocation_paths_make(&naming->paths, &naming->measurement->tree) != 0)
		return;
	naming->paths_made = true;
	if (!profile_allocation_steps(&naming->paths, object->path, steps, STEPS))
		return;
	const char *file = profile_intern_text(&naming->objects->texts, steps[0].file);
	object->file = file ? file : "";
	object->line = steps[0].line;
}

static int name_dynamic(struct naming *naming, struct profile_object *object)
{
	char name[256];
	if (!object->function || !*object->function)
		return 0;
	locate(naming, object);
	const struct profile_object_call call = {object->function, object->line, object->call, object->calls};
	enum profile_object_use use = use_of(naming, object->file, &call, name, sizeof(name));
	bool assigned = use == PROFILE_OBJECT_ASSIGNED ||
			(use == PROFILE_OBJECT_RETURNED && is_assigned_by_caller(naming, object, name, sizeof(name)));
	if (!assigned)
		name_by_place(object, name, sizeof(name));
	object->name = profile_intern_text(&naming->objects->texts, name);
	return object->name ? 0 : -ENOMEM;
}

/* Writes "strips.now"; without debug information the name of the whole variable. */
static int name_member(struct naming *naming, struct profile_object *object)
{
	char member[200], name[500];
	if (!naming->looked) {
		const struct profile_call_tree *tree = &naming->measurement->tree;
		for (size_t m = 0; m < tree->module_count && !naming->looked; m++) {
			naming->looked = tree->modules[m].role == HEDDLE_CODE_EXECUTABLE;
			if (naming->looked)
				profile_code_file_open(&naming->program, &tree->modules[m]);
		}
	}
	if (profile_member_name(
		    &naming->program, object->type, object->element_size, object->offset, member, sizeof(member)))
		snprintf(name, sizeof(name), "%.250s.%s", object->whole, member);
	else
		snprintf(name, sizeof(name), "%s", object->whole);
	object->name = profile_intern_text(&naming->objects->texts, name);
	return object->name ? 0 : -ENOMEM;
}

static int name_each(struct naming *naming)
{
	int error = 0;
	for (size_t i = 0; !error && i < naming->objects->count; i++) {
		struct profile_object *object = &naming->objects->items[i];
		error = object->is_member ? name_member(naming, object) : name_dynamic(naming, object);
	}
	return error;
}

static int name_all(struct profile_objects *objects, const struct profile_measurement *measurement)
{
	struct naming *naming = calloc(1, sizeof(*naming));
	if (!naming)
		return -ENOMEM;
	naming->objects = objects;
	naming->measurement = measurement;
	int error = name_each(naming);
	for (size_t i = 0; i < naming->source_count; i++)
		free(naming->sources[i]);
	if (naming->looked)
		profile_code_file_close(&naming->program);
	if (naming->paths_made)
		profile_allocation_paths_free(&naming->paths);
	free(naming);
	return error;
}

static bool is_same_place(const struct profile_object *a, const struct profile_object *b)
{
	return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* True if another variable has the same name; members of one array may share a name. */
static bool has_namesake(const struct profile_objects *objects, size_t index)
{
	const struct profile_object *object = &objects->items[index];
	for (size_t i = 0; i < objects->count; i++)
		if (strcmp(objects->items[i].name, object->name) == 0 && !is_same_place(&objects->items[i], object))
			return true;
	return false;
}

/* Names memory "*wide" if a shared pointer with its name, `wide`, points to it. */
static int dereference(struct profile_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++) {
		struct profile_object *object = &objects->items[i];
		bool pointed = false;
		char name[300];
		for (size_t k = 0; *object->function && k < objects->count; k++)
			pointed |= !*objects->items[k].function && strcmp(objects->items[k].name, object->name) == 0;
		if (!pointed)
			continue;
		snprintf(name, sizeof(name), "*%.280s", object->name);
		object->name = profile_intern_text(&objects->texts, name);
		if (!object->name)
			return -ENOMEM;
	}
	return 0;
}

/* Adds file and line to names that several objects have. */
static int distinguish(struct profile_objects *objects)
{
	bool *marks = calloc(objects->count + 1, sizeof(*marks));
	int error = marks ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < objects->count; i++)
		marks[i] = !strchr(objects->items[i].name, '@') && has_namesake(objects, i);
	for (size_t i = 0; !error && i < objects->count; i++) {
		struct profile_object *object = &objects->items[i];
		char name[512];
		if (!marks[i])
			continue;
		snprintf(name, sizeof(name), "%.300s@%.150s:%u", object->name,
			*object->file ? profile_base_name(object->file) : "?", object->line);
		object->name = profile_intern_text(&objects->texts, name);
		error = object->name ? 0 : -ENOMEM;
	}
	free(marks);
	return error;
}

int profile_objects_make(struct profile_objects *objects, const struct profile_measurement *measurement)
{
	*objects = (struct profile_objects){0};
	int error = collect(objects, measurement);
	objects->items = calloc(objects->keys.count + 1, sizeof(*objects->items));
	error = error || objects->items ? error : -ENOMEM;
	for (; !error && objects->count < objects->keys.count; objects->count++)
		error = take_apart(objects, &objects->items[objects->count], objects->keys.texts[objects->count]);
	if (!error)
		error = name_all(objects, measurement);
	if (!error)
		error = dereference(objects);
	if (!error)
		error = distinguish(objects);
	if (error)
		profile_objects_free(objects);
	return error;
}

void profile_objects_free(struct profile_objects *objects)
{
	free(objects->items);
	profile_intern_free(&objects->keys);
	profile_intern_free(&objects->texts);
	*objects = (struct profile_objects){0};
}

const struct profile_object *profile_object_find(const struct profile_objects *objects, const char *description)
{
	uint32_t number = profile_intern_find(&objects->keys, description, strlen(description));
	return number < objects->count ? &objects->items[number] : NULL;
}

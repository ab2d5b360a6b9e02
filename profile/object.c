/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects descriptions, takes them apart, and makes names distinct. */
#include "profile/object.h"

#include "profile/code_file.h"
#include "profile/errors.h"
#include "profile/member_name.h"
#include "profile/source_text.h"
#include "profile/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 8 /* of a description, with the offset of a member */

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

/* Takes a description apart; parts that are missing are empty. */
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
		.is_member = *parts[7] != '\0',
		.offset = strtoull(parts[7], NULL, 10),
	};
	return 0;
}

/* Sources that were read, by the index of the object that needed them first. */
struct naming {
	struct profile_objects *objects;
	const struct profile_measurement *measurement;
	char **sources;
	bool looked; /* for the program's file */
	struct profile_code_file program;
};

static const char *source_of(struct naming *naming, size_t index)
{
	const struct profile_object *items = naming->objects->items;
	for (size_t i = 0; i < index; i++)
		if (naming->sources[i] && strcmp(items[i].file, items[index].file) == 0)
			return naming->sources[i];
	naming->sources[index] = profile_source_read(naming->measurement, items[index].file, NULL);
	return naming->sources[index];
}

static int name_dynamic(struct naming *naming, size_t index)
{
	struct profile_object *object = &naming->objects->items[index];
	char name[256];
	if (!*object->function)
		return 0;
	const char *source = *object->file && object->line ? source_of(naming, index) : NULL;
	if (!source || !profile_object_assigned(source, object->line, object->function, name, sizeof(name)))
		snprintf(name, sizeof(name), "%s@%s:%u", object->function,
			*object->file ? profile_base_name(object->file) : "?", object->line);
	object->name = profile_intern_text(&naming->objects->texts, name);
	return object->name ? 0 : -ENOMEM;
}

/* "strips.now"; without debug information the whole variable's name. */
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

static int name_all(struct profile_objects *objects, const struct profile_measurement *measurement)
{
	struct naming naming = {
		.objects = objects, .measurement = measurement, .sources = calloc(objects->count + 1, sizeof(char *))};
	int error = naming.sources ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < objects->count; i++)
		error = objects->items[i].is_member ? name_member(&naming, &objects->items[i])
						    : name_dynamic(&naming, i);
	for (size_t i = 0; naming.sources && i < objects->count; i++)
		free(naming.sources[i]);
	free(naming.sources);
	if (naming.looked)
		profile_code_file_close(&naming.program);
	return error;
}

static bool is_same_place(const struct profile_object *a, const struct profile_object *b)
{
	return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* Whether another variable has that name; members of one array have one name, too. */
static bool has_namesake(const struct profile_objects *objects, size_t index)
{
	const struct profile_object *object = &objects->items[index];
	for (size_t i = 0; i < objects->count; i++)
		if (strcmp(objects->items[i].name, object->name) == 0 && !is_same_place(&objects->items[i], object))
			return true;
	return false;
}

/* Memory that a shared pointer points to, which has the pointer's name: "*wide" for that of `wide`. */
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the named tree: each node of the tree by places becomes zero, one or several nodes of the view. */
#include "profile/view/view.h"

#include "profile/base/base_name.h"
#include "profile/base/errors.h"
#include "profile/base/printable.h"
#include "profile/view/object.h"
#include "profile/view/view_files.h"
#include "profile/view/view_fold.h"
#include "profile/view/view_nodes.h"
#include "profile/view/view_openers.h"
#include "profile/view/view_recursion.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct build {
	struct profile_view *view;
	const struct profile_call_tree *tree;
	const struct profile_naming *naming;
	const struct profile_view_options *options;
	uint8_t *folds;
	struct profile_phase_openers phase_openers;
	bool *is_inner;                      /* has nodes below, other than OBJECTs */
	bool *has_objects;                   /* has OBJECTs below */
	bool *event_holds_code;              /* by event kind: one of its nodes has nodes below, or time from samples */
	uint32_t *inline_from;               /* by region: the first spot of its frame that is inside it */
	uint32_t *labels;                    /* by spot of a place: number of its label + 1; 0: not made yet */
	size_t *first_label;                 /* by place: index in `labels` */
	bool has_events[HEDDLE_MODEL_LIMIT]; /* by model: the tree has events of it */
	struct profile_objects objects;
};

/* ---- names of states ---- */

const char *profile_state_label(enum heddle_state state)
{
	static const char *const labels[] = {
#define X(number, name, label) [number] = label,
		HEDDLE_STATES(X)
#undef X
	};
	return labels[state];
}

/* ---- labels ---- */

__attribute__((format(printf, 2, 3))) static const char *put_text(struct profile_view *view, const char *format, ...)
{
	char *text;
	va_list arguments;
	va_start(arguments, format);
	int length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return NULL;
	profile_make_printable(text);
	const char *kept = profile_intern_text(&view->texts, text);
	free(text);
	return kept;
}

/* Returns the label's number, added when new; HEDDLE_INTERN_NONE: no memory. `identity` distinguishes equal texts. */
static uint32_t put_label(struct profile_view *view, struct profile_label label, const char *identity)
{
	char *key;
	if (!label.text || !label.file || !label.module)
		return HEDDLE_INTERN_NONE;
	int length = asprintf(&key, "%u%c%s%c%s%c%s%c%u%c%s", label.kind, 0, label.text, 0, identity, 0, label.file, 0,
		label.line, 0, label.module);
	if (length < 0)
		return HEDDLE_INTERN_NONE;
	uint32_t number = profile_intern_bytes(&view->label_keys, key, (size_t)length);
	free(key);
	if (number == HEDDLE_INTERN_NONE ||
		profile_reserve(&view->labels, &view->label_capacity, (size_t)number + 1, sizeof(label)) != 0)
		return HEDDLE_INTERN_NONE;
	if (number >= view->label_count) {
		view->labels[number] = label;
		view->label_count = (size_t)number + 1;
	}
	return number;
}

static uint32_t frame_label(struct build *build, const struct profile_spot *spot, const char *name, uint8_t kind)
{
	const struct profile_function *function = spot->function;
	bool line = build->options->lines && spot->line != 0;
	struct profile_label label = {
		.text = line ? put_text(build->view, "%s %s:%u", name, profile_base_name(spot->file), spot->line)
			     : put_text(build->view, "%s", name),
		.file = profile_intern_text(&build->view->texts, line ? spot->file : function->file),
		.line = line ? spot->line : function->line,
		.module = profile_intern_text(&build->view->texts, function->module),
		.kind = kind,
	};
	return put_label(build->view, label, line ? "" : function->linkage);
}

static uint32_t region_label(
	struct build *build, const struct profile_node *node, const struct profile_place_name *name)
{
	struct profile_view *view = build->view;
	const char *event = build->tree->events[node->event].label;
	const struct profile_spot *spot = name ? &name->spots[name->count - 1] : NULL;
	struct profile_label label = {.file = "", .module = "", .kind = HEDDLE_NODE_REGION};
	if (!*event)
		event = build->tree->events[node->event].name;
	if (!spot) {
		label.text = put_text(view, "%s", event);
		return put_label(view, label, "");
	}
	label.module = profile_intern_text(&view->texts, spot->function->module);
	label.file = profile_intern_text(&view->texts, spot->file);
	label.line = spot->line;
	if (spot->line)
		label.text = put_text(view, "%s @%s:%u", event, profile_base_name(spot->file), spot->line);
	else if (spot->function->known)
		label.text = put_text(view, "%s @%s+0x%x", event, spot->function->name, name->from_start);
	else if (name->from_start) /* the function has no name: the address is more useful than its start */
		label.text = put_text(view, "%s @%s+0x%" PRIx64, event, profile_base_name(spot->function->module),
			HEDDLE_PLACE_OFFSET(name->place));
	else
		label.text = put_text(view, "%s @%s", event, spot->function->name);
	return put_label(view, label, "");
}

/*
 * A runtime may pass the name of a moment, such as "_FINAL_BARRIER", without a line, instead of a file name. Returns it
 * in words ("final barrier"), else NULL. No source file has such a name.
 */
static const char *moment_of(const char *file, uint32_t line, char *text, size_t size)
{
	size_t length = strspn(file, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	if (line || file[0] != '_' || length < 2 || file[length] || length > size)
		return NULL;
	for (size_t i = 1; i <= length; i++)
		text[i - 1] = (char)(file[i] == '_' ? ' ' : tolower((unsigned char)file[i]));
	return text;
}

/* Makes the label of a region whose event has a source position; `variable` is that of an access, or NULL. */
static uint32_t source_label(struct build *build, const struct profile_node *node, const char *variable)
{
	struct profile_view *view = build->view;
	const struct profile_event_kind *event = &build->tree->events[node->event];
	char whole[400];
	const char *name = *event->label ? event->label : event->name;
	if (variable) {
		snprintf(whole, sizeof(whole), "%.80s %.300s", name, variable);
		name = whole;
	}
	const char *file = build->tree->strings[HEDDLE_SOURCE_FILE(node->place)];
	char text[64];
	const char *moment = moment_of(file, HEDDLE_SOURCE_LINE(node->place), text, sizeof(text));
	file = moment ? "" : file;
	struct profile_label label = {.file = profile_intern_text(&view->texts, file), .module = ""};
	label.kind = HEDDLE_NODE_REGION;
	if (*file)
		label.line = HEDDLE_SOURCE_LINE(node->place);
	if (moment)
		label.text = put_text(view, "%s (%s)", name, moment);
	else if (label.line)
		label.text = put_text(view, "%s @%s:%u", name, profile_base_name(file), label.line);
	else
		label.text = put_text(view, *file ? "%s @%s" : "%s", name, profile_base_name(file));
	return put_label(view, label, "");
}

static uint32_t state_label(struct build *build, const struct profile_node *node)
{
	const char *whose = profile_model_of_node(build->tree, node)->state;
	struct profile_label label = {
		.text = put_text(build->view, "[%s%s%s]", whose, *whose ? " " : "", profile_state_label(node->event)),
		.file = "",
		.module = "",
		.kind = HEDDLE_NODE_STATE,
	};
	return put_label(build->view, label, "");
}

static uint32_t phase_label(struct build *build, const struct profile_node *node)
{
	struct profile_label label = {
		.text = put_text(build->view, "phase %s", build->tree->strings[node->place]),
		.file = "",
		.module = "",
		.kind = HEDDLE_NODE_PHASE,
	};
	return put_label(build->view, label, "");
}

/* Returns a function's name or signature as its events report it; a compiler may have renamed the program's main. */
static const char *event_name(const struct build *build, const struct profile_node *node)
{
	const char *name = build->tree->strings[node->place];
	const struct profile_models *models = &build->tree->models;
	for (size_t i = 1; i < models->count; i++)
		if (build->has_events[i] && profile_model_match(&models->items[i], HEDDLE_NAMED_MAIN, name))
			return "main";
	return name;
}

static uint32_t function_label(struct build *build, const struct profile_node *node)
{
	struct profile_label label = {
		.text = put_text(build->view, "%s", event_name(build, node)),
		.file = "",
		.module = "",
		.kind = HEDDLE_NODE_FUNCTION,
	};
	return put_label(build->view, label, "");
}

/* ---- nodes ---- */

/* Returns the name of an outlined body's owner, the nearest user function above. `lines` shows its lines under it. */
static const char *owner_name(const struct build *build, uint32_t node, const char *own)
{
	const struct profile_call_tree *tree = build->tree;
	for (uint32_t at = tree->nodes[node].parent; at != 0; at = tree->nodes[at].parent) {
		const struct profile_place_name *name = build->naming->of_node[at];
		if (tree->nodes[at].kind != HEDDLE_NODE_FRAME || !name)
			continue;
		for (uint32_t s = name->count; s-- > 0;)
			if (!profile_folds_spot(&tree->nodes[at], build->folds[at], name, s))
				return name->spots[s].function->name;
	}
	return own;
}

/* Many nodes share a place, so the label of each of its spots is cached. */
static uint32_t spot_label(struct build *build, const struct profile_place_name *name, uint32_t spot, uint8_t kind)
{
	uint32_t *kept = &build->labels[build->first_label[name - build->naming->places] + spot];
	if (*kept && build->view->labels[*kept - 1].kind == kind)
		return *kept - 1;
	uint32_t label = frame_label(build, &name->spots[spot], name->spots[spot].function->name, kind);
	*kept = label + 1; /* HEDDLE_INTERN_NONE becomes 0 */
	return label;
}

/*
 * Returns how many spots of a frame are shown. Events report a function by its entry, which means that function,
 * whatever was inlined there. A sample may have the same instruction; its path ends there and has no visits.
 */
static uint32_t spots_shown(const struct build *build, uint32_t node, const struct profile_place_name *name)
{
	const uint64_t *visits = build->tree->values[HEDDLE_METRIC_VISITS];
	bool by_event = build->is_inner[node] || (visits && visits[node]);
	return by_event && name->from_start == 0 && name->spots[0].function->known ? 1 : name->count;
}

/*
 * Finds the line of a frame's samples: that of its innermost function, shown or not. An outlined body is folded into
 * its region, but its lines are the program's own. All formats take lines of costs from here, or show each function's.
 */
static struct profile_code find_code(const struct build *build, uint32_t frame)
{
	const struct profile_place_name *name = build->naming->of_node[frame];
	if (!name || build->folds[frame] == HEDDLE_FOLD_NODE)
		return (struct profile_code){0};
	uint32_t spot = build->folds[frame] == HEDDLE_FOLD_INLINED ? 0 : spots_shown(build, frame, name) - 1;
	while (spot > 0 && name->spots[spot].function->only_reports)
		spot--;
	if (name->spots[spot].function->only_reports)
		return (struct profile_code){0};
	return (struct profile_code){.frame = frame, .spot = spot};
}

/* True if the line of an outlined body is shown although its function is folded. */
static bool shows_body(const struct build *build, uint32_t node, uint32_t spot)
{
	struct profile_code code = find_code(build, node);
	return build->options->lines && build->folds[node] == HEDDLE_FOLD_OUTLINED && code.frame && code.spot == spot &&
	       profile_spot_has_line(&build->naming->of_node[node]->spots[spot]);
}

/* Adds the nodes of a frame from spot `first` on. */
static int add_spots(struct build *build, uint32_t node, uint32_t first, uint32_t *at)
{
	const struct profile_node *from = &build->tree->nodes[node];
	const struct profile_place_name *name = build->naming->of_node[node];
	uint8_t kind = from->kind == HEDDLE_NODE_RUNTIME_FRAME ? HEDDLE_NODE_RUNTIME_FRAME : HEDDLE_NODE_FRAME;
	uint32_t count = name ? spots_shown(build, node, name) : 0;
	int error = 0;
	for (uint32_t s = first; !error && s < count; s++) {
		const struct profile_spot *spot = &name->spots[s];
		if (!profile_folds_spot(from, build->folds[node], name, s))
			error = profile_view_descend(build->view, at, spot_label(build, name, s, kind));
		else if (shows_body(build, node, s))
			error = profile_view_descend(build->view, at,
				frame_label(build, spot, owner_name(build, node, spot->function->name), kind));
	}
	return error;
}

/* Returns the number of nodes made from the spots of a frame, from `first` on. */
static uint32_t spots_below(const struct build *build, uint32_t node, uint32_t first)
{
	const struct profile_place_name *name = build->naming->of_node[node];
	uint32_t end = spots_shown(build, node, name), count = 0;
	for (uint32_t s = first; s < end; s++)
		count += !profile_folds_spot(&build->tree->nodes[node], build->folds[node], name, s) ||
			 shows_body(build, node, s);
	return count;
}

/* True for a phase, and for a block of a kind in which code was observed. */
static bool holds_code(const struct build *build, const struct profile_node *node)
{
	if (node->kind == HEDDLE_NODE_PHASE)
		return true;
	return profile_is_block(build->tree, node) && build->event_holds_code[node->event];
}

/*
 * Adds a region, without the runtime's frames, between the function that opened it and the functions inlined there:
 * below that function, or below a region of the same frame that was added before, whose inlined functions then move
 * below the new one. With `lines`, lines of the function that run in the region are below it, too.
 */
static int add_opened_region(struct build *build, uint32_t node, const struct profile_opener *opener, uint32_t label)
{
	struct profile_view *view = build->view;
	uint32_t at = view->inside[opener->region ? opener->region : opener->frame];
	uint32_t first = opener->spot + !(build->options->lines && holds_code(build, &build->tree->nodes[node]));
	if (opener->region && build->inline_from[opener->region] > first)
		first = build->inline_from[opener->region];
	for (uint32_t up = spots_below(build, opener->frame, first); up > 0; up--)
		at = view->parents[at];
	int error = profile_view_descend(view, &at, label);
	view->of_node[node] = at;
	build->inline_from[node] = first;
	if (!error)
		error = add_spots(build, opener->frame, first, &at);
	if (holds_code(build, &build->tree->nodes[node]))
		view->code[node] = find_code(build, opener->frame);
	view->inside[node] = at;
	return error;
}

/* Adds a source region, a phase, or a block. */
static int add_event_region(struct build *build, uint32_t node, const struct profile_opener *opener, uint32_t label)
{
	struct profile_view *view = build->view;
	if (opener->frame && !build->options->runtime_frames)
		return add_opened_region(build, node, opener, label);
	view->of_node[node] = view->inside[build->tree->nodes[node].parent];
	int error = profile_view_descend(view, &view->of_node[node], label);
	view->inside[node] = view->of_node[node];
	return error;
}

/* True if nothing is left for the region of an access, because its variables have all values. */
static bool is_shown_by_objects(const struct build *build, uint32_t node)
{
	if (!build->has_objects[node] || build->is_inner[node])
		return false;
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		if (build->tree->values[m] && build->tree->values[m][node])
			return false;
	return true;
}

static int add_source_region(struct build *build, uint32_t node)
{
	const struct profile_opener opener = profile_find_opener(build->tree, build->naming, node);
	if (is_shown_by_objects(build, node)) {
		build->view->of_node[node] = build->view->of_node[build->tree->nodes[node].parent];
		build->view->inside[node] = build->view->inside[build->tree->nodes[node].parent];
		return 0;
	}
	return add_event_region(build, node, &opener, source_label(build, &build->tree->nodes[node], NULL));
}

static int add_phase(struct build *build, uint32_t node)
{
	const struct profile_opener opener =
		profile_find_phase_opener(&build->phase_openers, build->tree, build->naming, node);
	return add_event_region(build, node, &opener, phase_label(build, &build->tree->nodes[node]));
}

static int add_block(struct build *build, uint32_t node)
{
	const struct profile_opener opener = profile_find_block_opener(build->tree, build->naming, node);
	return add_event_region(
		build, node, &opener, region_label(build, &build->tree->nodes[node], build->naming->of_node[node]));
}

/* True if `signature` is that of function `name`: "solve" or "int solve(int)" for "solve". */
static bool names_function(const char *signature, const char *name)
{
	size_t length = strlen(name);
	const char *end = strchr(signature, '(');
	const char *at = end ? end : signature + strlen(signature);
	if ((size_t)(at - signature) < length || strncmp(at - length, name, length) != 0)
		return false;
	return (size_t)(at - signature) == length || strchr(" *&:", at[-(ptrdiff_t)length - 1]);
}

#define WRAPPERS 2 /* frames that may be between a function and the event that reports it */

/* Adds a function that an event reports by name. Below its own frame, it is that frame. */
static int add_function(struct build *build, const struct profile_node *from, uint32_t *at)
{
	const struct profile_view *view = build->view;
	const char *signature = event_name(build, from);
	uint32_t up = *at;
	for (int i = 0; i <= WRAPPERS && up; i++, up = view->parents[up]) {
		const struct profile_label *label = &view->labels[view->label_of[up]];
		if (label->kind != HEDDLE_NODE_FRAME)
			break;
		if (names_function(signature, label->text)) {
			*at = up;
			return 0;
		}
	}
	return profile_view_descend(build->view, at, function_label(build, from));
}

/* Adds the accesses of a region to one variable, "upc get label @cc.upc:56", instead of the region or beside it. */
static int add_object(struct build *build, uint32_t node)
{
	uint32_t region = build->tree->nodes[node].parent;
	const struct profile_node *of = &build->tree->nodes[region];
	const struct profile_object *object =
		profile_object_find(&build->objects, build->tree->strings[build->tree->nodes[node].place]);
	const char *name = object ? object->name : "[unknown]";
	if (of->kind != HEDDLE_NODE_REGION || !profile_place_is_source(of)) {
		build->view->of_node[node] = build->view->of_node[region];
		build->view->inside[node] = build->view->inside[region];
		return 0;
	}
	const struct profile_opener opener = profile_find_opener(build->tree, build->naming, region);
	return add_event_region(build, node, &opener, source_label(build, of, name));
}

static int add_node(struct build *build, uint32_t node)
{
	const struct profile_node *from = &build->tree->nodes[node];
	uint32_t at = build->view->inside[from->parent];
	int error = 0;
	switch (from->kind) {
	case HEDDLE_NODE_REGION:
		if (profile_place_is_source(from))
			return add_source_region(build, node);
		if (profile_is_block(build->tree, from))
			return add_block(build, node);
		error = profile_view_descend(build->view, &at, region_label(build, from, build->naming->of_node[node]));
		break;
	case HEDDLE_NODE_STATE:
		error = profile_view_descend(build->view, &at, state_label(build, from));
		break;
	case HEDDLE_NODE_PHASE:
		return add_phase(build, node);
	case HEDDLE_NODE_OBJECT:
		return add_object(build, node);
	case HEDDLE_NODE_FUNCTION:
		error = build->folds[node] == HEDDLE_FOLD_NODE ? 0 : add_function(build, from, &at);
		break;
	default:
		error = add_spots(build, node, 0, &at);
		build->view->code[node] = find_code(build, node);
	}
	build->view->of_node[node] = at;
	build->view->inside[node] = at;
	return error;
}

static int add_root(struct build *build, const struct profile_measurement *measurement)
{
	const char *program = NULL;
	bool several = false;
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (measurement->processes[p].error)
			continue;
		several = several || (program && strcmp(program, measurement->processes[p].info->program) != 0);
		program = measurement->processes[p].info->program;
	}
	struct profile_label label = {.file = "", .module = "", .kind = HEDDLE_NODE_ROOT};
	label.text = put_text(
		build->view, "%s", several || !program || !*program ? "(all programs)" : profile_base_name(program));
	uint32_t number = put_label(build->view, label, "");
	return number == HEDDLE_INTERN_NONE ? -ENOMEM : profile_view_append_node(build->view, 0, number);
}

/* ---- values ---- */

static int add_values(struct build *build)
{
	struct profile_view *view = build->view;
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		const uint64_t *from = build->tree->values[m];
		if (!from)
			continue;
		view->values[m] = calloc(view->node_count, sizeof(uint64_t));
		if (!view->values[m])
			return -ENOMEM;
		for (size_t i = 0; i < build->tree->node_count; i++)
			view->values[m][profile_view_holder(view, (uint32_t)i, (enum heddle_metric)m)] += from[i];
	}
	return 0;
}

static int add_distributions(struct build *build)
{
	struct profile_distributions *sums = &build->view->distributions;
	const struct profile_distributions *from = &build->tree->distributions;
	int error = 0;
	for (size_t i = 0; !error && i < from->count; i++) {
		struct profile_distribution one = from->items[i];
		one.node = build->view->of_node[one.node];
		error = profile_distributions_add(sums, &one);
	}
	profile_distributions_sort(sums);
	return error;
}

uint64_t *profile_view_inclusive(const struct profile_view *view, enum heddle_metric metric)
{
	uint64_t *sums = malloc(view->node_count * sizeof(*sums));
	if (!sums || !view->values[metric]) {
		free(sums);
		return NULL;
	}
	memcpy(sums, view->values[metric], view->node_count * sizeof(*sums));
	for (size_t i = view->node_count; i-- > 1;)
		sums[view->parents[i]] += sums[i];
	return sums;
}

uint64_t profile_view_fingerprint(const struct profile_view *view)
{
	uint64_t hash = profile_hash_mix(view->node_count, view->label_count);
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		hash = profile_hash_mix(hash, profile_hash_bytes(label->text, strlen(label->text)));
		hash = profile_hash_mix(hash, (uint64_t)label->kind << 32 | label->line);
	}
	for (size_t i = 1; i < view->node_count; i++)
		hash = profile_hash_mix(hash, (uint64_t)view->parents[i] << 32 | view->label_of[i]);
	return hash;
}

/* ---- the view ---- */

static void mark_events(struct build *build)
{
	const struct profile_call_tree *tree = build->tree;
	const uint64_t *samples = tree->values[HEDDLE_METRIC_SAMPLES];
	for (size_t i = 0; i < tree->event_count; i++)
		build->has_events[tree->events[i].number] = true;
	for (size_t i = 1; i < tree->node_count; i++) {
		if (tree->nodes[i].kind == HEDDLE_NODE_REGION && (build->is_inner[i] || (samples && samples[i])))
			build->event_holds_code[tree->nodes[i].event] = true;
	}
}

static int make_tables(struct build *build)
{
	const struct profile_naming *naming = build->naming;
	size_t spots = 0;
	build->folds = calloc(build->tree->node_count + 1, 1);
	build->is_inner = calloc(build->tree->node_count + 1, sizeof(*build->is_inner));
	build->inline_from = malloc((build->tree->node_count + 1) * sizeof(*build->inline_from));
	if (build->inline_from)
		memset(build->inline_from, 0xff, (build->tree->node_count + 1) * sizeof(*build->inline_from));
	build->first_label = calloc(naming->place_count + 1, sizeof(*build->first_label));
	for (size_t p = 0; build->first_label && p < naming->place_count; p++) {
		build->first_label[p] = spots;
		spots += naming->places[p].count;
	}
	build->labels = calloc(spots + 1, sizeof(*build->labels));
	build->event_holds_code = calloc(build->tree->event_count + 1, sizeof(*build->event_holds_code));
	build->has_objects = calloc(build->tree->node_count + 1, sizeof(*build->has_objects));
	for (size_t i = 1; build->is_inner && build->has_objects && i < build->tree->node_count; i++) {
		bool object = build->tree->nodes[i].kind == HEDDLE_NODE_OBJECT;
		(object ? build->has_objects : build->is_inner)[build->tree->nodes[i].parent] = true;
	}
	if (!build->folds || !build->has_objects || !build->is_inner || !build->event_holds_code ||
		!build->inline_from || !build->first_label || !build->labels)
		return -ENOMEM;
	mark_events(build);
	int error = profile_phase_openers_make(&build->phase_openers, build->tree, naming);
	if (error || build->options->runtime_frames)
		return error;
	return profile_view_folds(build->tree, naming, build->folds);
}

int profile_view_make(struct profile_view *view, const struct profile_measurement *measurement,
	const struct profile_naming *naming, const struct profile_view_options *options)
{
	struct build build = {.view = view, .tree = &measurement->tree, .naming = naming, .options = options};
	*view = (struct profile_view){.of_node = calloc(measurement->tree.node_count + 1, sizeof(*view->of_node)),
		.inside = calloc(measurement->tree.node_count + 1, sizeof(*view->inside)),
		.code = calloc(measurement->tree.node_count + 1, sizeof(*view->code))};
	int error = view->of_node && view->inside && view->code ? make_tables(&build) : -ENOMEM;
	if (!error)
		error = profile_objects_make(&build.objects, measurement);
	if (!error)
		error = add_root(&build, measurement);
	for (uint32_t i = 1; !error && i < build.tree->node_count; i++)
		error = add_node(&build, i);
	if (!error)
		error = add_values(&build);
	if (!error)
		error = add_distributions(&build);
	if (!error)
		error = profile_view_complete_files(view);
	if (!error && options->fold_recursion)
		error = profile_view_fold_recursion(view, measurement->tree.node_count);
	free(build.folds);
	free(build.is_inner);
	free(build.has_objects);
	free(build.event_holds_code);
	free(build.inline_from);
	free(build.labels);
	free(build.first_label);
	profile_phase_openers_free(&build.phase_openers);
	profile_objects_free(&build.objects);
	if (error)
		profile_view_free(view);
	return error;
}

void profile_view_free(struct profile_view *view)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		free(view->values[m]);
	profile_distributions_free(&view->distributions);
	free(view->labels);
	free(view->parents);
	free(view->label_of);
	free(view->of_node);
	free(view->inside);
	free(view->shown);
	free(view->code);
	profile_index_free(&view->index);
	profile_intern_free(&view->texts);
	profile_intern_free(&view->label_keys);
	*view = (struct profile_view){0};
}

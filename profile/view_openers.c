/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/view_openers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The frame above a region, and the innermost other region between them. */
static struct heddle_opener frame_above(
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t region)
{
	struct heddle_opener opener = {0};
	for (uint32_t at = tree->nodes[region].parent; at != 0; at = tree->nodes[at].parent) {
		uint8_t kind = tree->nodes[at].kind;
		if (kind == HEDDLE_NODE_STATE)
			break;
		if (kind == HEDDLE_NODE_FRAME || kind == HEDDLE_NODE_OUTLINED_FRAME) {
			opener.frame = naming->of_node[at] ? at : 0;
			break;
		}
		if (kind != HEDDLE_NODE_RUNTIME_FRAME && !opener.region)
			opener.region = at;
	}
	return opener;
}

/* Heddle's own functions, compiled into the one that called them, aside. */
static uint32_t count_spots(const struct heddle_place_name *name)
{
	uint32_t count = name->count;
	while (count > 1 && name->spots[count - 1].function->of_heddle)
		count--;
	return count;
}

static bool begins_with(const struct heddle_place_name *name, const struct heddle_spot *spots, uint32_t count)
{
	if (name->count < count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (name->spots[i].function != spots[i].function)
			return false;
	return true;
}

/* How many of the frame's functions, from the outermost on, a known opener of that phase is; 0: none. */
static uint32_t longest(
	const struct heddle_phase_openers *openers, uint64_t phase, const struct heddle_place_name *name)
{
	uint32_t best = 0;
	for (size_t i = 0; i < openers->count; i++) {
		const struct heddle_phase_opener *opener = &openers->items[i];
		if (opener->phase == phase && opener->count > best && begins_with(name, opener->spots, opener->count))
			best = opener->count;
	}
	return best;
}

static int add(struct heddle_phase_openers *openers, uint64_t phase, const struct heddle_place_name *name)
{
	uint32_t count = count_spots(name);
	if (longest(openers, phase, name) == count)
		return 0;
	void *larger = realloc(openers->items, (openers->count + 1) * sizeof(*openers->items));
	if (!larger)
		return -ENOMEM;
	openers->items = larger;
	openers->items[openers->count++] =
		(struct heddle_phase_opener){.phase = phase, .spots = name->spots, .count = count};
	return 0;
}

int heddle__phase_openers_make(
	struct heddle_phase_openers *openers, const struct heddle_call_tree *tree, const struct heddle_naming *naming)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	int error = 0;
	*openers = (struct heddle_phase_openers){0};
	for (uint32_t i = 1; visits && !error && i < tree->node_count; i++) {
		if (tree->nodes[i].kind != HEDDLE_NODE_PHASE || !visits[i])
			continue;
		uint32_t frame = frame_above(tree, naming, i).frame;
		if (frame)
			error = add(openers, tree->nodes[i].place, naming->of_node[frame]);
	}
	return error;
}

void heddle__phase_openers_free(struct heddle_phase_openers *openers)
{
	free(openers->items);
}

struct heddle_opener heddle__find_phase_opener(const struct heddle_phase_openers *openers,
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t phase)
{
	struct heddle_opener opener = frame_above(tree, naming, phase);
	uint32_t count = opener.frame ? longest(openers, tree->nodes[phase].place, naming->of_node[opener.frame]) : 0;
	if (!count)
		return (struct heddle_opener){0};
	opener.spot = count - 1;
	return opener;
}

bool heddle__is_block(const struct heddle_call_tree *tree, const struct heddle_node *node)
{
	if (node->kind != HEDDLE_NODE_REGION || heddle__place_is_source(node))
		return false;
	const struct heddle_event_kind *event = &tree->events[node->event];
	return (event->category == HEDDLE_CATEGORY_OTHER || event->category == HEDDLE_CATEGORY_WORKSHARE) &&
	       strcmp(event->model, "openmp") == 0;
}

struct heddle_opener heddle__find_block_opener(
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t block)
{
	struct heddle_opener opener = frame_above(tree, naming, block);
	const struct heddle_place_name *frame = opener.frame ? naming->of_node[opener.frame] : NULL;
	const struct heddle_place_name *place = naming->of_node[block];
	uint32_t common = 0;
	while (frame && place && common < frame->count && common < place->count &&
		frame->spots[common].function == place->spots[common].function)
		common++;
	if (!common)
		return (struct heddle_opener){0};
	opener.spot = common - 1;
	return opener;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches upwards from a region's node to the nearest frame. Finds only a region's opener; view.c places it. */
#include "profile/view/view_openers.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Finds the frame above a region, and the innermost other region between them. */
static struct profile_opener frame_above(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t region)
{
	struct profile_opener opener = {0};
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

/* Returns the number of spots without Heddle's own functions that are inlined into their callers. */
static uint32_t count_spots(const struct profile_place_name *name)
{
	uint32_t count = name->count;
	while (count > 1 && name->spots[count - 1].function->only_reports)
		count--;
	return count;
}

static bool begins_with(const struct profile_place_name *name, const struct profile_spot *spots, uint32_t count)
{
	if (name->count < count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (name->spots[i].function != spots[i].function)
			return false;
	return true;
}

/* Returns the largest number of outermost functions of the frame that are a known opener of the phase; 0: none. */
static uint32_t longest(
	const struct profile_phase_openers *openers, uint64_t phase, const struct profile_place_name *name)
{
	uint32_t best = 0;
	for (size_t i = 0; i < openers->count; i++) {
		const struct profile_phase_opener *opener = &openers->items[i];
		if (opener->phase == phase && opener->count > best && begins_with(name, opener->spots, opener->count))
			best = opener->count;
	}
	return best;
}

static int add_opener(struct profile_phase_openers *openers, uint64_t phase, const struct profile_place_name *name)
{
	uint32_t count = count_spots(name);
	if (longest(openers, phase, name) == count)
		return 0;
	int error = profile_reserve(&openers->items, &openers->capacity, openers->count + 1, sizeof(*openers->items));
	if (error)
		return error;
	openers->items[openers->count++] =
		(struct profile_phase_opener){.phase = phase, .spots = name->spots, .count = count};
	return 0;
}

static uint32_t common_spots(const struct profile_place_name *name, const struct profile_phase_opener *opener)
{
	uint32_t common = 0;
	while (common < opener->count && begins_with(name, opener->spots, common + 1))
		common++;
	return common;
}

/*
 * Handles code of the frame, in a phase, that no known opener can have opened: one opener is a function that opened the
 * phase for its caller (such as a constructor) and has returned. Cuts it to the functions that both share.
 */
static void shorten(struct profile_phase_openers *openers, uint64_t phase, const struct profile_place_name *name)
{
	struct profile_phase_opener *best = NULL;
	uint32_t most = 0;
	if (longest(openers, phase, name))
		return;
	for (size_t i = 0; i < openers->count; i++) {
		uint32_t common = openers->items[i].phase == phase ? common_spots(name, &openers->items[i]) : 0;
		if (common > most) {
			most = common;
			best = &openers->items[i];
		}
	}
	if (best)
		best->count = most;
}

/* Shortens the openers of all phases in which code was observed. */
static void shorten_all(struct profile_phase_openers *openers, const struct profile_call_tree *tree,
	const struct profile_naming *naming, const uint64_t *visits)
{
	for (uint32_t i = 1; i < tree->node_count; i++) {
		if (tree->nodes[i].kind != HEDDLE_NODE_PHASE || visits[i])
			continue;
		uint32_t frame = frame_above(tree, naming, i).frame;
		if (frame)
			shorten(openers, tree->nodes[i].place, naming->of_node[frame]);
	}
}

int profile_phase_openers_make(struct profile_phase_openers *openers, const struct profile_call_tree *tree,
	const struct profile_naming *naming)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	int error = 0;
	*openers = (struct profile_phase_openers){0};
	for (uint32_t i = 1; visits && !error && i < tree->node_count; i++) {
		if (tree->nodes[i].kind != HEDDLE_NODE_PHASE || !visits[i])
			continue;
		uint32_t frame = frame_above(tree, naming, i).frame;
		if (frame)
			error = add_opener(openers, tree->nodes[i].place, naming->of_node[frame]);
	}
	if (visits && !error)
		shorten_all(openers, tree, naming, visits);
	return error;
}

void profile_phase_openers_free(struct profile_phase_openers *openers)
{
	free(openers->items);
}

struct profile_opener profile_find_phase_opener(const struct profile_phase_openers *openers,
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t phase)
{
	struct profile_opener opener = frame_above(tree, naming, phase);
	uint32_t count = opener.frame ? longest(openers, tree->nodes[phase].place, naming->of_node[opener.frame]) : 0;
	if (!count)
		return (struct profile_opener){0};
	opener.spot = count - 1;
	return opener;
}

bool profile_is_block(const struct profile_call_tree *tree, const struct profile_node *node)
{
	if (node->kind != HEDDLE_NODE_REGION || profile_place_is_source(node))
		return false;
	const struct profile_event_kind *event = &tree->events[node->event];
	return (event->category == HEDDLE_CATEGORY_OTHER || event->category == HEDDLE_CATEGORY_WORKSHARE) &&
	       profile_model_of_node(tree, node)->blocks;
}

struct profile_opener profile_find_block_opener(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t block)
{
	struct profile_opener opener = frame_above(tree, naming, block);
	const struct profile_place_name *frame = opener.frame ? naming->of_node[opener.frame] : NULL;
	const struct profile_place_name *place = naming->of_node[block];
	uint32_t common = 0;
	while (frame && place && common < frame->count && common < place->count &&
		frame->spots[common].function == place->spots[common].function)
		common++;
	if (!common)
		return (struct profile_opener){0};
	opener.spot = common - 1;
	return opener;
}

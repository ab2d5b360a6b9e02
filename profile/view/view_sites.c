/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the measurement's tree again, alongside the view that was made from it. */
#include "profile/view/view_sites.h"

#include "profile/view/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct build {
	struct profile_sites *sites;
	const struct profile_view *view;
	const struct profile_call_tree *tree;
	const struct profile_naming *naming;
	uint32_t *depths; /* of the view's nodes */
	uint32_t *path;   /* nodes of the view that are to be added, innermost first */
	bool places;
};

/* ---- sites ---- */

static bool is_equal(const struct profile_site *a, const struct profile_site *b)
{
	return a->parent == b->parent && a->node == b->node && a->line == b->line && a->place == b->place &&
	       a->inlined == b->inlined && strcmp(a->file, b->file) == 0;
}

static uint64_t hash_site(const struct profile_site *site)
{
	uint64_t line = (uint64_t)site->line << 32 | site->node;
	return profile_hash_mix(profile_hash_pair(site->parent, line), site->place);
}

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct profile_sites *sites = owner;
	return hash_site(&sites->items[number]);
}

static bool is_site(const void *owner, uint32_t number, const void *wanted)
{
	const struct profile_sites *sites = owner;
	return is_equal(&sites->items[number], wanted);
}

static const struct profile_index_kind kind = {hash_of, is_site, 1024};

static int append(struct profile_sites *sites, const struct profile_site *site)
{
	int error = profile_reserve(&sites->items, &sites->capacity, sites->count + 1, sizeof(*site));
	if (!error)
		sites->items[sites->count++] = *site;
	return error;
}

/* Finds or adds a site, and sets *at to it. */
static int find_or_add_site(struct build *build, struct profile_site site, uint32_t *at)
{
	struct profile_sites *sites = build->sites;
	if (!build->places) {
		site.place = 0;
		site.inlined = false;
	}
	uint32_t *bucket = profile_index_bucket(&sites->index, &kind, sites, &site, hash_site(&site));
	if (!bucket)
		return -ENOMEM;
	if (!*bucket) {
		int error = append(sites, &site);
		if (error)
			return error;
		profile_index_put(&sites->index, bucket, (uint32_t)sites->count - 1);
	}
	*at = *bucket - 1;
	return 0;
}

/* ---- lines ---- */

/* If the view shows lines instead of functions, a label has the line of its spot. */
static bool is_label_of(const struct profile_label *label, const struct profile_spot *spot)
{
	if (strcmp(label->text, spot->function->name) == 0)
		return true;
	return spot->line && label->line == spot->line && strcmp(label->file, spot->file) == 0;
}

static bool is_frame(const struct profile_label *label)
{
	return label->kind == HEDDLE_NODE_FRAME || label->kind == HEDDLE_NODE_RUNTIME_FRAME;
}

/* Returns the first spot, from *next on, that the label was made from. Spots of a frame become nodes in their order. */
static const struct profile_spot *next_spot(
	const struct profile_place_name *name, const struct profile_label *label, uint32_t *next)
{
	for (uint32_t s = *next; name && s < name->count; s++) {
		if (is_frame(label) && is_label_of(label, &name->spots[s])) {
			*next = s + 1;
			return &name->spots[s];
		}
	}
	return NULL;
}

/* Functions that were inlined into a region were below its caller before: they keep the site that they had there. */
static const struct profile_site *find_moved(const struct build *build, uint32_t from, uint32_t base, uint32_t label)
{
	for (uint32_t at = from; at != base && at != 0; at = build->sites->items[at].parent)
		if (build->view->label_of[build->sites->items[at].node] == label)
			return &build->sites->items[at];
	return NULL;
}

/* Places a node that is not a frame of this node at the source position in its label, if it has one. */
static void place_other(const struct build *build, struct profile_site *site, uint32_t from, uint32_t base)
{
	uint32_t number = build->view->label_of[site->node];
	const struct profile_label *label = &build->view->labels[number];
	const struct profile_site *moved = is_frame(label) ? find_moved(build, from, base, number) : NULL;
	if (moved) {
		site->file = moved->file;
		site->line = moved->line;
		site->place = moved->place;
		site->inlined = moved->inlined && build->sites->items[site->parent].place == moved->place;
	} else if (label->kind == HEDDLE_NODE_REGION && label->line) {
		site->file = label->file;
		site->line = label->line;
	}
}

/* ---- nodes ---- */

/* Lists the nodes of the view from `target` up to one on the path of site *base, and moves *base up to that site. */
static size_t list_path(const struct build *build, uint32_t target, uint32_t *base)
{
	const struct profile_site *sites = build->sites->items;
	const uint32_t *depths = build->depths, *parents = build->view->parents;
	size_t count = 0;
	while (depths[sites[*base].node] > depths[target])
		*base = sites[*base].parent;
	while (sites[*base].node != target) {
		if (depths[sites[*base].node] == depths[target])
			*base = sites[*base].parent;
		build->path[count++] = target;
		target = parents[target];
	}
	return count;
}

/* Moves *at to a sibling at another line (or at none: profile_spot_has_line) if the code's line is not the site's. */
static int move_to(struct build *build, struct profile_code code, uint32_t *at)
{
	struct profile_site site = build->sites->items[*at];
	const struct profile_place_name *name = build->naming->of_node[code.frame];
	const struct profile_spot *spot = code.frame && name ? &name->spots[code.spot] : NULL;
	if (*at == 0 || !spot || !profile_spot_has_line(spot) ||
		(site.line == spot->line && strcmp(site.file, spot->file) == 0))
		return 0;
	site.file = spot->line ? spot->file : "";
	site.line = spot->line;
	site.place = build->tree->nodes[code.frame].place;
	site.inlined = false;
	return find_or_add_site(build, site, at);
}

/* Adds the sites of the path from site `from` to `target`, a node of the view that `node` belongs to. */
static int add_path(struct build *build, uint32_t node, uint32_t from, uint32_t target, uint32_t *result)
{
	const struct profile_place_name *name = build->naming->of_node[node];
	uint32_t base = from, next = 0;
	size_t count = list_path(build, target, &base);
	const uint32_t common = base;
	bool inlined = false;
	int error = 0;
	while (!error && count-- > 0) {
		struct profile_site site = {.node = build->path[count], .file = ""};
		const struct profile_label *label = &build->view->labels[build->view->label_of[site.node]];
		uint32_t first = next;
		const struct profile_spot *spot = next_spot(name, label, &next);
		if (spot && next - 1 > first && spot[-1].function->outlined) {
			error = move_to(build, (struct profile_code){.frame = node, .spot = next - 2}, &base);
			inlined = base != 0;
		}
		site.parent = base;
		if (spot) {
			site.file = spot->line ? spot->file : "";
			site.line = spot->line;
			site.place = build->tree->nodes[node].place;
			site.inlined = inlined;
		} else {
			place_other(build, &site, from, common);
		}
		inlined = spot;
		if (!error)
			error = find_or_add_site(build, site, &base);
	}
	*result = base;
	return error;
}

static int add_node(struct build *build, uint32_t node)
{
	struct profile_sites *sites = build->sites;
	const struct profile_view *view = build->view;
	uint32_t parent = sites->inside[build->tree->nodes[node].parent], at;
	int error = add_path(build, node, parent, view->of_node[node], &at);
	sites->of_node[node] = at;
	if (!error && view->inside[node] != view->of_node[node])
		error = add_path(build, node, parent, view->inside[node], &at);
	if (!error)
		error = move_to(build, view->code[node], &at);
	if (view->code[node].frame == node) /* not a region, to which events belong */
		sites->of_node[node] = at;
	sites->inside[node] = at;
	return error;
}

static int add_nodes(struct build *build)
{
	int error = append(build->sites, &(struct profile_site){.file = ""});
	for (uint32_t i = 1; !error && i < build->tree->node_count; i++)
		error = add_node(build, i);
	return error;
}

int profile_sites_make(struct profile_sites *sites, const struct profile_view *view,
	const struct profile_call_tree *tree, const struct profile_naming *naming, bool places)
{
	struct build build = {.sites = sites,
		.view = view,
		.tree = tree,
		.naming = naming,
		.depths = profile_view_depths(view),
		.path = malloc((view->node_count + 1) * sizeof(*build.path)),
		.places = places};
	*sites = (struct profile_sites){.of_node = calloc(tree->node_count + 1, sizeof(*sites->of_node)),
		.inside = calloc(tree->node_count + 1, sizeof(*sites->inside))};
	int error = build.depths && build.path && sites->of_node && sites->inside ? add_nodes(&build) : -ENOMEM;
	free(build.depths);
	free(build.path);
	if (error)
		profile_sites_free(sites);
	return error;
}

/* Walks a view with the same parents. */
uint32_t *profile_sites_depth_first(const struct profile_sites *sites)
{
	struct profile_view tree = {
		.parents = malloc(sites->count * sizeof(*tree.parents)), .node_count = sites->count};
	struct profile_view_children children = {0};
	uint32_t *order = NULL;
	for (size_t i = 0; tree.parents && i < sites->count; i++)
		tree.parents[i] = sites->items[i].parent;
	if (tree.parents && profile_view_children_make(&children, &tree, NULL) == 0)
		order = profile_view_depth_first(&tree, &children);
	profile_view_children_free(&children);
	free(tree.parents);
	return order;
}

void profile_sites_free(struct profile_sites *sites)
{
	free(sites->items);
	free(sites->of_node);
	free(sites->inside);
	profile_index_free(&sites->index);
	*sites = (struct profile_sites){0};
}

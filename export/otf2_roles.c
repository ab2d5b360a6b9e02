/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the OTF2 role and paradigm of regions, by label of the view. */
#include "export/otf2_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *model;
	OTF2_Paradigm paradigm;
} paradigms[] = {
	{"openmp", OTF2_PARADIGM_OPENMP},
	{"upc", OTF2_PARADIGM_UPC},
	{"mpi", OTF2_PARADIGM_MPI},
	{"shmem", OTF2_PARADIGM_SHMEM},
};

OTF2_Paradigm export_otf2_paradigm_of(const char *model)
{
	for (size_t i = 0; i < sizeof(paradigms) / sizeof(*paradigms); i++)
		if (strcmp(paradigms[i].model, model) == 0)
			return paradigms[i].paradigm;
	return OTF2_PARADIGM_USER;
}

/* OTF2's roles are finer than Heddle's categories: some are found by the event's name in reports. */
static OTF2_RegionRole named_role(const char *label)
{
	static const struct {
		const char *word;
		OTF2_RegionRole role;
	} roles[] = {
		{"implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER},
		{"critical", OTF2_REGION_ROLE_CRITICAL},
		{"ordered", OTF2_REGION_ROLE_ORDERED},
		{"atomic", OTF2_REGION_ROLE_ATOMIC},
		{"sections", OTF2_REGION_ROLE_SECTIONS},
		{"single", OTF2_REGION_ROLE_SINGLE},
		{"workshare", OTF2_REGION_ROLE_WORKSHARE},
		{"masked", OTF2_REGION_ROLE_MASTER},
		{"flush", OTF2_REGION_ROLE_FLUSH},
		{"free", OTF2_REGION_ROLE_DEALLOCATE},
		{"realloc", OTF2_REGION_ROLE_REALLOCATE},
		{"broadcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
		{"scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
		{"gather all", OTF2_REGION_ROLE_COLL_ALL2ALL},
		{"exchange", OTF2_REGION_ROLE_COLL_ALL2ALL},
		{"gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
	};
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strstr(label, roles[i].word))
			return roles[i].role;
	return OTF2_REGION_ROLE_UNKNOWN;
}

/* Returns the role of a call that exchanges messages: that of a collective depends on its senders and receivers. */
static OTF2_RegionRole exchange_role(const struct profile_event_kind *event)
{
	if (event->category == HEDDLE_CATEGORY_COMMUNICATION)
		return OTF2_REGION_ROLE_POINT2POINT;
	return event->role == HEDDLE_EVENT_MUTUAL      ? OTF2_REGION_ROLE_COLL_ALL2ALL
	       : event->role == HEDDLE_EVENT_FROM_ROOT ? OTF2_REGION_ROLE_COLL_ONE2ALL
	       : event->role == HEDDLE_EVENT_TO_ROOT   ? OTF2_REGION_ROLE_COLL_ALL2ONE
						       : OTF2_REGION_ROLE_COLL_OTHER;
}

static OTF2_RegionRole role_of(const struct profile_event_kind *event)
{
	static const OTF2_RegionRole roles[HEDDLE_CATEGORY_COUNT] = {
		[HEDDLE_CATEGORY_OTHER] = OTF2_REGION_ROLE_CODE,
		[HEDDLE_CATEGORY_PARALLEL] = OTF2_REGION_ROLE_PARALLEL,
		[HEDDLE_CATEGORY_TASK] = OTF2_REGION_ROLE_TASK,
		[HEDDLE_CATEGORY_WORKSHARE] = OTF2_REGION_ROLE_LOOP,
		[HEDDLE_CATEGORY_BARRIER] = OTF2_REGION_ROLE_BARRIER,
		[HEDDLE_CATEGORY_LOCK] = OTF2_REGION_ROLE_WRAPPER,
		[HEDDLE_CATEGORY_TASK_SYNC] = OTF2_REGION_ROLE_TASK_WAIT,
		[HEDDLE_CATEGORY_PHASE] = OTF2_REGION_ROLE_CODE,
		[HEDDLE_CATEGORY_COMMUNICATION] = OTF2_REGION_ROLE_RMA,
		[HEDDLE_CATEGORY_FENCE] = OTF2_REGION_ROLE_FLUSH,
		[HEDDLE_CATEGORY_COLLECTIVE] = OTF2_REGION_ROLE_COLL_OTHER,
		[HEDDLE_CATEGORY_ALLOCATION] = OTF2_REGION_ROLE_ALLOCATE,
		[HEDDLE_CATEGORY_FUNCTION] = OTF2_REGION_ROLE_FUNCTION,
		[HEDDLE_CATEGORY_EXIT] = OTF2_REGION_ROLE_BARRIER,
	};
	bool exchanges = export_otf2_paradigm_of(event->model) == OTF2_PARADIGM_MPI;
	if (exchanges &&
		(event->category == HEDDLE_CATEGORY_COMMUNICATION || event->category == HEDDLE_CATEGORY_COLLECTIVE))
		return exchange_role(event);
	OTF2_RegionRole named = exchanges ? OTF2_REGION_ROLE_UNKNOWN : named_role(event->label);
	if (named != OTF2_REGION_ROLE_UNKNOWN && event->category != HEDDLE_CATEGORY_PARALLEL)
		return named;
	return event->category < HEDDLE_CATEGORY_COUNT ? roles[event->category] : OTF2_REGION_ROLE_UNKNOWN;
}

static void set_by_kind(struct export_otf2 *otf2, size_t label, uint8_t kind)
{
	otf2->roles[label] = kind == HEDDLE_NODE_PHASE   ? OTF2_REGION_ROLE_CODE
			     : kind == HEDDLE_NODE_STATE ? OTF2_REGION_ROLE_ARTIFICIAL
							 : OTF2_REGION_ROLE_FUNCTION;
	otf2->paradigms[label] = kind == HEDDLE_NODE_PHASE   ? OTF2_PARADIGM_USER
				 : kind == HEDDLE_NODE_STATE ? OTF2_PARADIGM_MEASUREMENT_SYSTEM
							     : OTF2_PARADIGM_COMPILER;
}

static void set_by_events(struct export_otf2 *otf2)
{
	const struct profile_view *view = otf2->request->view;
	const struct profile_call_tree *tree = &otf2->request->measurement->tree;
	for (size_t i = 0; i < tree->node_count; i++) {
		uint32_t label = view->label_of[view->of_node[i]];
		const struct profile_node *region = profile_region_of(tree, &tree->nodes[i]);
		const struct profile_event_kind *event = &tree->events[region->event];
		if (region->kind != HEDDLE_NODE_REGION || view->labels[label].kind != HEDDLE_NODE_REGION)
			continue;
		otf2->roles[label] = role_of(event);
		otf2->paradigms[label] = export_otf2_paradigm_of(event->model);
		otf2->calls[label] = export_otf2_call_of(event);
		otf2->waits[label] = event->category == HEDDLE_CATEGORY_LOCK;
	}
}

int export_otf2_find_roles(struct export_otf2 *otf2)
{
	const struct profile_view *view = otf2->request->view;
	otf2->roles = calloc(view->label_count + 1, sizeof(*otf2->roles));
	otf2->paradigms = calloc(view->label_count + 1, sizeof(*otf2->paradigms));
	otf2->waits = calloc(view->label_count + 1, sizeof(*otf2->waits));
	otf2->calls = calloc(view->label_count + 1, sizeof(*otf2->calls));
	if (!otf2->calls || !otf2->roles || !otf2->paradigms || !otf2->waits)
		return -ENOMEM;
	for (size_t i = 0; i < view->label_count; i++)
		set_by_kind(otf2, i, view->labels[i].kind);
	set_by_events(otf2);
	return 0;
}

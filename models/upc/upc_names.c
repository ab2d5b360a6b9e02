/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of event kinds, and look-up by name. */
#include "models/upc/upc_names.h"

#include <stddef.h>
#include <string.h>

#include "core/base/selection.h"

/* The role of an event, if its category does not imply it: at most one term of the sum is not 0. */
#define IF(key, name, role) ((key) == HEDDLE_UPC_##name ? HEDDLE_EVENT_##role : 0)
#define ROLE(key)                                                                                                    \
	(IF(key, NOTIFY, NOTIFY) + IF(key, WAIT, AWAIT) + IF(key, LOCK_ATTEMPT, ATTEMPT) + IF(key, UNLOCK, UNLOCK) + \
		IF(key, GET, MOVES) + IF(key, PUT, MOVES) + IF(key, MEMGET, MOVES) + IF(key, MEMPUT, MOVES) +        \
		IF(key, GLOBAL_ALLOC, SHARES) + IF(key, ALL_ALLOC, SHARES) + IF(key, ALLOC, SHARES) +                \
		IF(key, FREE, SHARES) + IF(key, GLOBAL_LOCK_ALLOC, SHARES) + IF(key, ALL_LOCK_ALLOC, SHARES) +       \
		IF(key, LOCK_FREE, SHARES) + IF(key, CACHE_HIT, HIT) + IF(key, CACHE_MISS, MISS))

struct heddle_event heddle__upc_events[HEDDLE_UPC_KIND_COUNT] = {
#define X(key, name_, label_, category_, effect, arguments, more, gnu, berkeley) \
	[HEDDLE_UPC_##key] = {                                                   \
		"upc", name_, label_, HEDDLE_CATEGORY_##category_, 0, true, false, 0, ROLE(HEDDLE_UPC_##key)},
	HEDDLE_UPC_EVENTS(X)
#undef X
};

struct heddle_upc_kind heddle__upc_kinds[HEDDLE_UPC_KIND_COUNT] = {
#define X(key, name, label, category, effect_, arguments_, more_, gnu, berkeley) \
	[HEDDLE_UPC_##key] = {.event = &heddle__upc_events[HEDDLE_UPC_##key],    \
		.arguments = arguments_,                                         \
		.more = more_,                                                   \
		.effect = HEDDLE_UPC_EFFECT_##effect_},
	HEDDLE_UPC_EVENTS(X)
#undef X
};

/* Spellings of GASP 1.3. */
static const struct {
	const char *name;
	enum heddle_upc_key key;
} aliases[] = {
	{"GASP_COLLECTIVE_EXIT", HEDDLE_UPC_COLLECTIVE_EXIT},
	{"GASP_NONCOLLECTIVE_EXIT", HEDDLE_UPC_NONCOLLECTIVE_EXIT},
};
#define ALIASES (sizeof(aliases) / sizeof(aliases[0]))

bool heddle__upc_follows_handles;

void heddle__upc_select(bool wanted)
{
	for (size_t i = 0; i < ALIASES; i++) {
		struct heddle_event *event = &heddle__upc_events[aliases[i].key];
		enum heddle_selection named = heddle__selection_of(aliases[i].name);
		if (heddle__selection_of(event->name) == HEDDLE_NOT_NAMED)
			event->selected = heddle__is_selected(named);
	}
	for (size_t i = 0; i < HEDDLE_UPC_KIND_COUNT; i++) {
		heddle__upc_events[i].selected &= wanted;
		heddle__upc_follows_handles |= heddle__upc_events[i].selected && *heddle__upc_kinds[i].more == 'h';
	}
}

const struct heddle_upc_kind *heddle__upc_kind_named(const char *name)
{
	for (size_t i = 0; i < ALIASES; i++) {
		if (strcmp(aliases[i].name, name) == 0)
			return &heddle__upc_kinds[aliases[i].key];
	}
	for (size_t i = 0; i < HEDDLE_UPC_KIND_COUNT; i++) {
		if (strcmp(heddle__upc_events[i].name, name) == 0)
			return &heddle__upc_kinds[i];
	}
	return NULL;
}

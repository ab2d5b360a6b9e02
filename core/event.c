/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-ups run in signal handlers; registration happens once, before the first thread. */
#include "core/event.h"

#include <errno.h>
#include <stddef.h>

static const struct heddle_event *kinds[HEDDLE_EVENT_LIMIT];
static unsigned int count;

int heddle__events_register(struct heddle_event *events, unsigned int number)
{
	if (count + number >= HEDDLE_EVENT_LIMIT)
		return -ENOSPC;
	for (unsigned int i = 0; i < number; i++) {
		events[i].id = (uint16_t)++count;
		kinds[count] = &events[i];
	}
	return 0;
}

unsigned int heddle__event_kinds(void)
{
	return count;
}

const struct heddle_event *heddle__event_by_id(unsigned int id)
{
	return id && id <= count ? kinds[id] : NULL;
}

enum heddle_state heddle__category_state(unsigned int category)
{
	static const uint8_t states[] = {
#define X(number, name, state) [number] = HEDDLE_STATE_##state,
		HEDDLE_CATEGORIES(X)
#undef X
	};
	return category < HEDDLE_CATEGORY_COUNT ? (enum heddle_state)states[category] : HEDDLE_STATE_WORK;
}

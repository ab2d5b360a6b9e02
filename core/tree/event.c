/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-ups run in signal handlers; registration does not. */
#include "core/tree/event.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/selection.h"

enum { HELD_LOCK = 1, ALWAYS_ENDS = 2, SPARSE = 4 };

static const struct heddle_event *kinds[HEDDLE_EVENT_LIMIT];
static _Atomic unsigned int count;
static uint8_t traits[HEDDLE_EVENT_LIMIT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for adding */

static void add_event(struct heddle_event *event)
{
	unsigned int id = atomic_load_explicit(&count, memory_order_relaxed) + 1;
	event->id = (uint16_t)id;
	event->selected = heddle__selects(event->name);
	event->state = (uint8_t)heddle__category_state(event->category);
	kinds[id] = event;
	atomic_store_explicit(&count, id, memory_order_release);
}

int heddle__events_register(struct heddle_event *events, unsigned int number)
{
	int error = 0;
	pthread_mutex_lock(&lock);
	if (heddle__event_kinds() + number >= HEDDLE_EVENT_LIMIT)
		error = -ENOSPC;
	for (unsigned int i = 0; i < number && !error; i++)
		add_event(&events[i]);
	pthread_mutex_unlock(&lock);
	return error;
}

static const struct heddle_event *find_event(const char *model, const char *name)
{
	for (unsigned int i = 1; i <= heddle__event_kinds(); i++) {
		if (strcmp(kinds[i]->model, model) == 0 && strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	}
	return NULL;
}

static const char *keep(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = heddle__alloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}

const struct heddle_event *heddle__event_add(const char *model, const char *name, const char *label, bool generated)
{
	pthread_mutex_lock(&lock);
	const struct heddle_event *found = find_event(model, name);
	struct heddle_event *event = NULL;
	if (!found && heddle__event_kinds() + 1 < HEDDLE_EVENT_LIMIT)
		event = heddle__alloc(sizeof(*event));
	if (event) {
		*event = (struct heddle_event){
			.model = keep(model), .name = keep(name), .label = keep(label), .generated = generated};
		if (event->model && event->name && event->label) {
			add_event(event);
			found = event;
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

void heddle__event_means_held_lock(const struct heddle_event *event)
{
	traits[event->id] |= HELD_LOCK;
}

void heddle__event_always_ends(const struct heddle_event *event)
{
	traits[event->id] |= ALWAYS_ENDS;
}

void heddle__event_means_sparse(const struct heddle_event *event)
{
	traits[event->id] |= SPARSE;
}

static bool has(unsigned int id, unsigned int trait)
{
	return id < HEDDLE_EVENT_LIMIT && traits[id] & trait;
}

bool heddle__event_is_held_lock(unsigned int id)
{
	return has(id, HELD_LOCK);
}

bool heddle__event_is_sure_to_end(unsigned int id)
{
	return has(id, HELD_LOCK | ALWAYS_ENDS);
}

bool heddle__event_is_sparse(unsigned int id)
{
	return has(id, SPARSE);
}

unsigned int heddle__event_kinds(void)
{
	return atomic_load_explicit(&count, memory_order_acquire);
}

const struct heddle_event *heddle__event_by_id(unsigned int id)
{
	return id && id <= heddle__event_kinds() ? kinds[id] : NULL;
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

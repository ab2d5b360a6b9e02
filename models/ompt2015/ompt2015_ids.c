/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record stays in its number's list until the process ends, and is free while its number is 0. So a list only grows
 * at its head, and walking it, even in a signal handler, needs no synchronization.
 */
#include "models/ompt2015/ompt2015_ids.h"

#include <stddef.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

#define LISTS (1u << 14)
#define BEING_TAKEN UINT64_MAX

typedef struct heddle_ompt_named *_Atomic list_head;

static list_head *_Atomic tables[HEDDLE_OMPT_NAMES];

static list_head *table_of(enum heddle_ompt_names names)
{
	list_head *table = atomic_load(&tables[names]), *fresh;
	if (table)
		return table;
	fresh = heddle__map(LISTS * sizeof(*fresh));
	if (!fresh || atomic_compare_exchange_strong(&tables[names], &table, fresh))
		return fresh;
	heddle__unmap(fresh, LISTS * sizeof(*fresh));
	return table;
}

static list_head *list_of(list_head *table, uint64_t id)
{
	return &table[heddle__hash(id) >> 50];
}
_Static_assert(LISTS == 1u << (64 - 50), "the hash's upper bits choose a list");

static struct heddle_ompt_named *find_named(list_head *list, uint64_t id)
{
	struct heddle_ompt_named *named = atomic_load_explicit(list, memory_order_acquire);
	while (named && atomic_load_explicit(&named->id, memory_order_acquire) != id)
		named = named->next;
	return named;
}

/* Returns a free record of the list, or a new one, reserved for the caller. */
static struct heddle_ompt_named *take_free(list_head *list)
{
	struct heddle_ompt_named *named = atomic_load_explicit(list, memory_order_acquire);
	for (; named; named = named->next) {
		uint64_t nothing = 0;
		if (!atomic_load_explicit(&named->id, memory_order_relaxed) &&
			atomic_compare_exchange_strong(&named->id, &nothing, BEING_TAKEN))
			return named;
	}
	named = heddle__alloc(sizeof(*named));
	if (!named)
		return NULL;
	atomic_store(&named->id, BEING_TAKEN);
	named->next = atomic_load(list);
	while (!atomic_compare_exchange_weak(list, &named->next, named))
		;
	return named;
}

struct heddle_ompt_named *heddle__ompt_name_take(enum heddle_ompt_names names, uint64_t id)
{
	list_head *table = id && id != BEING_TAKEN ? table_of(names) : NULL;
	if (!table)
		return NULL;
	list_head *list = list_of(table, id);
	struct heddle_ompt_named *named = find_named(list, id);
	if (named)
		return named;
	named = take_free(list);
	if (!named)
		return NULL;
	named->data.value = 0;
	atomic_store_explicit(&named->id, id, memory_order_release);
	return named;
}

struct heddle_ompt_named *heddle__ompt_name_find(enum heddle_ompt_names names, uint64_t id)
{
	list_head *table = id && id != BEING_TAKEN ? atomic_load(&tables[names]) : NULL;
	return table ? find_named(list_of(table, id), id) : NULL;
}

void heddle__ompt_name_drop(struct heddle_ompt_named *named)
{
	if (named)
		atomic_store_explicit(&named->id, 0, memory_order_release);
}

void heddle__ompt_names_forget(void)
{
	for (unsigned int names = 0; names < HEDDLE_OMPT_NAMES; names++) {
		list_head *table = atomic_load(&tables[names]);
		for (unsigned int i = 0; table && i < LISTS; i++) {
			for (struct heddle_ompt_named *named = atomic_load(&table[i]); named; named = named->next)
				atomic_store(&named->id, 0);
		}
	}
}

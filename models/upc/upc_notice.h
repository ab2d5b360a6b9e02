/* SPDX-License-Identifier: BSD-3-Clause */
/* One event as a GASP client reported it, and the region or visit that it becomes. Decides nothing by kind. */
#ifndef HEDDLE_MODELS_UPC_NOTICE_H
#define HEDDLE_MODELS_UPC_NOTICE_H

#include <stdarg.h>

#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "heddle/gasp.h"
#include "models/upc/upc_names.h"

struct heddle_upc_notice {
	struct _gasp_context_S *context;
	const struct heddle_upc_kind *kind; /* not set for a user event */
	const char *file;
	int line;
	gasp_evttype_t type;                      /* START, END or ATOMIC */
	struct heddle_call call;                  /* the client's call of Heddle's function */
	const struct heddle_frame_record *record; /* of that function */
	va_list list;
};

/* The stack address at which the event's region begins, above all frames that the client calls next. */
static inline uintptr_t heddle__upc_stack_of(const struct heddle_upc_notice *notice)
{
	return notice->call.sp;
}

/* Context of all: owner thread, inside. */

/* While sampling: the client's call path, and the stack address where the region begins. */
struct heddle_upc_location {
	uintptr_t cfa;
	const struct heddle_captured *found; /* NULL without sampling, and while control is off */
	struct heddle_captured room;         /* storage for `found` */
};

void heddle__upc_locate(
	struct heddle_thread *thread, const struct heddle_upc_notice *notice, struct heddle_upc_location *at);

/*
 * Open the event's region, or count it as an event without duration, at that location. Both return the slot in which
 * the visit is counted; NULL: nothing is counted now. `object` is the number of a description plus 1: the visit, and
 * all values of the event, belong to that shared variable; 0: to none.
 */
struct heddle_slot *heddle__upc_begin_at(struct heddle_thread *thread, const struct heddle_upc_notice *notice,
	const struct heddle_upc_location *at, uint32_t object);
struct heddle_slot *heddle__upc_count_at(struct heddle_thread *thread, const struct heddle_upc_notice *notice,
	const struct heddle_upc_location *at, uint32_t object);

/* Like heddle__upc_begin_at and heddle__upc_count_at, at the client's code, without an object. */
struct heddle_slot *heddle__upc_locate_and_begin(struct heddle_thread *thread, const struct heddle_upc_notice *notice);
struct heddle_slot *heddle__upc_count(struct heddle_thread *thread, const struct heddle_upc_notice *notice);

static inline struct heddle_slot *heddle__upc_begin(
	struct heddle_thread *thread, const struct heddle_upc_notice *notice)
{
	if (heddle__capture)
		return heddle__upc_locate_and_begin(thread, notice);
	return heddle__source_region_begin(
		thread, notice->kind->event, notice->file, notice->line, heddle__upc_stack_of(notice));
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creates user events, and measures them as phases with argument values. An erroneous nesting is reported, not fatal.
 */
#include "models/upc/upc_user.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/string_table.h"
#include "core/process/process.h"
#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "core/tree/tree.h"

#define REPORTS 64u /* different erroneous ends that are reported */

/* ---- creating ---- */

static void describe(struct heddle_upc_user_event *event, const char *name, const char *description)
{
	const char *problem;
	if (!description)
		return;
	uint32_t text = heddle__string_number(description);
	if (text != UINT32_MAX)
		event->text = text + 1;
	int count = heddle__upc_parse_description(description, event->classes, &problem);
	if (count < 0)
		heddle__warn(
			"the description of user event \"%.60s\" %s; its arguments are not measured", name, problem);
	event->count = count < 0 ? 0 : (uint8_t)count;
}

static struct heddle_upc_user_event *add(struct _gasp_context_S *context)
{
	unsigned int index = context->user_count;
	if (index >= HEDDLE_UPC_USER_BLOCK * HEDDLE_UPC_USER_BLOCKS)
		return NULL;
	struct heddle_upc_user_event **block = &context->user_events[index / HEDDLE_UPC_USER_BLOCK];
	if (!*block)
		*block = heddle__map(HEDDLE_UPC_USER_BLOCK * sizeof(**block));
	return *block ? &(*block)[index % HEDDLE_UPC_USER_BLOCK] : NULL;
}

/* Section 5.3: "shall issue a fatal error". */
static _Noreturn void exhausted(const struct _gasp_context_S *context, const char *name)
{
	heddle__warn(
		"user event \"%.60s\": all %u numbers of this thread are used; the profile is written and the program "
		"ends, as GASP 1.5 section 5.3 demands",
		name, context->user_last - context->user_first + 1);
	heddle__write_now("user events exhausted");
	exit(EXIT_FAILURE);
}

unsigned int heddle__upc_user_create(struct _gasp_context_S *context, const char *name, const char *description)
{
	name = name && *name ? name : "user event";
	if (context->user_count > context->user_last - context->user_first)
		exhausted(context, name);
	struct heddle_upc_user_event *event = add(context);
	if (!event)
		exhausted(context, name);
	event->name = heddle__string_number(name);
	describe(event, name, description);
	unsigned int count = atomic_fetch_add_explicit(&context->user_count, 1, memory_order_release);
	if (!count)
		heddle__upc_creates(context);
	return context->user_first + count;
}

/* ---- happening ---- */

static void take_value(
	struct heddle_slot *slot, const struct heddle_upc_user_event *event, unsigned int i, double value)
{
	heddle__distribute(slot, i + 1, event->text, value);
}

/* NOLINTBEGIN(bugprone-branch-clone): the types of va_arg differ */
static void take_arguments(struct heddle_slot *slot, const struct heddle_upc_user_event *event, va_list *list)
{
	for (unsigned int i = 0; i < event->count; i++) {
		switch (event->classes[i]) {
		case HEDDLE_UPC_CLASS_INT:
			take_value(slot, event, i, va_arg(*list, int));
			break;
		case HEDDLE_UPC_CLASS_UNSIGNED:
			take_value(slot, event, i, va_arg(*list, unsigned int));
			break;
		case HEDDLE_UPC_CLASS_LONG:
			take_value(slot, event, i, (double)va_arg(*list, long));
			break;
		case HEDDLE_UPC_CLASS_UNSIGNED_LONG:
			take_value(slot, event, i, (double)va_arg(*list, unsigned long));
			break;
		case HEDDLE_UPC_CLASS_DOUBLE:
			take_value(slot, event, i, va_arg(*list, double));
			break;
		case HEDDLE_UPC_CLASS_LONG_DOUBLE:
			take_value(slot, event, i, (double)va_arg(*list, long double));
			break;
		case HEDDLE_UPC_CLASS_SKIP_INT:
			(void)va_arg(*list, int);
			break;
		default:
			(void)va_arg(*list, void *);
		}
	}
}
/* NOLINTEND(bugprone-branch-clone) */

/* Whether an erroneous end of that name at that line was not reported before. */
static bool is_news(uint32_t name, const char *file, int line)
{
	static _Atomic uint64_t told[REPORTS];
	uint32_t where = file ? heddle__string_number(file) : 0;
	uint64_t key = ((uint64_t)name << 40 ^ (uint64_t)where << 20 ^ (uint64_t)(unsigned int)line) + 1;
	for (unsigned int i = 0; i < REPORTS; i++) {
		uint64_t there = 0;
		if (atomic_compare_exchange_strong(&told[i], &there, key))
			return true;
		if (there == key)
			return false;
	}
	return false;
}

static void complain(const struct heddle_upc_user_event *event, uint32_t open, const char *file, int line)
{
	if (!is_news(event->name, file, line))
		return;
	if (open == UINT32_MAX)
		heddle__warn("%s:%d: user event \"%.60s\" ends, but has not been started; ignored", file ? file : "?",
			line, heddle__string(event->name));
	else
		heddle__warn(
			"%s:%d: user event \"%.60s\" ends before \"%.60s\", which was started within it; measuring "
			"goes on",
			file ? file : "?", line, heddle__string(event->name), heddle__string(open));
}

static void user_end(
	struct heddle_thread *thread, const struct heddle_upc_user_event *event, const char *file, int line)
{
	uint32_t open = UINT32_MAX;
	if (heddle__user_event_end(thread, event->name, &open) != HEDDLE_ENDED)
		complain(event, open, file, line);
}

/* Both return the slot in which the event is counted; NULL: it is not. */
static struct heddle_slot *user_begin(struct heddle_thread *thread, const struct heddle_upc_user_notice *notice)
{
	if (notice->opener)
		return heddle__phase_begin_below(thread, notice->event->name, notice->cfa, notice->opener);
	return heddle__phase_begin(thread, notice->event->name, notice->cfa);
}

static struct heddle_slot *user_happen(struct heddle_thread *thread, const struct heddle_upc_user_notice *notice)
{
	if (!heddle__is_counting(thread))
		return NULL;
	uint32_t parent = notice->opener ? notice->opener->node : heddle__current_node(thread);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, notice->event->name);
	heddle__visit(thread, slot);
	return slot;
}

void heddle__upc_user_notify(
	struct heddle_thread *thread, const struct heddle_upc_user_notice *notice, va_list *arguments)
{
	const struct heddle_upc_user_event *event = notice->event;
	if (notice->type == GASP_END) {
		user_end(thread, event, notice->file, notice->line);
		return;
	}
	struct heddle_slot *slot =
		notice->type == GASP_START ? user_begin(thread, notice) : user_happen(thread, notice);
	if (!slot)
		return;
	if (event->count)
		take_arguments(slot, event, arguments);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creates user events, and measures them as phases with argument values. An erroneous nesting is reported, not fatal.
 */
#define __UPC_PUPC_INST__ 1
#include "models/upc/upc_user.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/peek.h"
#include "core/base/string_table.h"
#include "core/process/process.h"
#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "core/tree/tree.h"
#include "heddle/pupc.h"

#define REPORTS 64u      /* different erroneous ends that are reported */
#define TEXTS 16u        /* different texts of one argument at one node that are distinguished, for each thread */
#define SKIPPED SIZE_MAX /* size of a text whose pointer is not followed */
#define TEXT_LIMIT 1000  /* bytes of a string in the table */

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

static struct heddle_upc_user_event *add_user_event(struct _gasp_context_S *context)
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
	struct heddle_upc_user_event *event = add_user_event(context);
	if (!event)
		exhausted(context, name);
	event->name = heddle__string_number(name);
	describe(event, name, description);
	unsigned int count = atomic_fetch_add_explicit(&context->user_count, 1, memory_order_release);
	if (!count)
		heddle__upc_creates(context);
	return context->user_first + count;
}

/* ---- notification ---- */

/* Where the values of an event's arguments are added. */
struct taker {
	struct heddle_slot *slot;
	const struct heddle_upc_user_event *event;
	uint32_t first;                   /* number of the first argument in distributions */
	int cut;                          /* the last argument if it may be the precision of the next */
	struct heddle_distribution *last; /* the one that the last value was added to; NULL: none */
};

static inline void take_value(struct taker *taker, unsigned int i, double value)
{
	uint32_t argument = taker->first + i, text = taker->event->text;
	taker->last = heddle__slot_distribution(taker->slot, taker->last, argument, text);
	if (taker->last)
		heddle__distribution_add(taker->last, value);
	heddle__record_value(taker->slot, argument, text, value);
}

/* Copies a string of at most `most` bytes, where printf would find it. Its memory may not be readable. */
static void copy_text(char *text, const char *from, size_t most)
{
	size_t found = from ? heddle__peek_some((uintptr_t)from, text, most) : 0;
	if (!found && most) {
		stpcpy(text, from ? "(not readable)" : "(null)");
		return;
	}
	text[found] = '\0';
	for (size_t i = 0; text[i]; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			text[i] = '?';
	bool whole = most < HEDDLE_UPC_TEXT_BYTES || strlen(text) < HEDDLE_UPC_TEXT_BYTES;
	size_t end = HEDDLE_UPC_TEXT_BYTES;
	while (!whole && end > HEDDLE_UPC_TEXT_BYTES - 4 && ((unsigned char)text[end - 1] & 0xc0) == 0x80)
		end--; /* do not cut within a character */
	if (!whole)
		stpcpy(text + end - ((unsigned char)text[end - 1] >= 0xc0), "...");
}

/* Returns the number of a text of that argument plus 1, as in distributions; 0: no memory. */
static uint32_t number_of_text(const struct heddle_slot *slot, uint32_t argument, const char *text)
{
	uint32_t known = 0;
	for (const struct heddle_distribution *of = slot->distributions; of; of = of->next) {
		if (of->argument != argument || !of->text)
			continue;
		if (strcmp(heddle__string(of->text - 1), text) == 0)
			return of->text;
		known++;
	}
	uint32_t number = known < TEXTS ? heddle__string_number(text) : UINT32_MAX;
	return number == UINT32_MAX ? 0 : number + 1;
}

/* Counts a string: its distribution's text is the description and the string (docs/format.md). */
static void take_text(const struct taker *taker, unsigned int i, const char *from, size_t most)
{
	char text[TEXT_LIMIT + 1];
	const char *description = taker->event->text ? heddle__string(taker->event->text - 1) : "";
	size_t length = strlen(description);
	if (!length || length + HEDDLE_UPC_TEXT_BYTES + 4 + HEDDLE_TEXT_MARK_BYTES > TEXT_LIMIT)
		return;
	copy_text(stpcpy(stpcpy(text, description), HEDDLE_TEXT_BEGINS), from, most);
	uint32_t number = number_of_text(taker->slot, taker->first + i, text);
	if (!number) {
		stpcpy(text + length, HEDDLE_TEXT_IS_ANOTHER);
		number = heddle__string_number(text) + 1;
	}
	if (number)
		heddle__distribute(taker->slot, taker->first + i, number, 0);
}

static size_t cut_to(int most)
{
	return most >= 0 && most < HEDDLE_UPC_TEXT_BYTES ? (size_t)most : HEDDLE_UPC_TEXT_BYTES;
}

/* Reads a number; returns false if it is behind the last argument that was passed. */
#define TAKE_NUMBER(type, last)                      \
	do {                                         \
		type value = va_arg(*list, type);    \
		if (value == (type)(last))           \
			return false;                \
		take_value(taker, i, (double)value); \
	} while (0)

/* Returns false if the string was not passed. */
static bool take_string(struct taker *taker, unsigned int i, size_t most, va_list *list)
{
	const char *from = va_arg(*list, const char *);
	if ((uintptr_t)from == HEDDLE__PUPC_LAST_WORD)
		return false;
	if (most != SKIPPED)
		take_text(taker, i, from, most);
	return true;
}

/* Reads one argument. Returns false if it was not passed (pupc.h marks the end); then neither were later ones. */
static bool take_argument(struct taker *taker, unsigned int i, va_list *list)
{
	uint8_t class = taker->event->classes[i];
	switch (class) {
	case HEDDLE_UPC_CLASS_INT:
		TAKE_NUMBER(int, HEDDLE__PUPC_LAST_WORD);
		return true;
	case HEDDLE_UPC_CLASS_UNSIGNED:
		TAKE_NUMBER(unsigned int, HEDDLE__PUPC_LAST_WORD);
		return true;
	case HEDDLE_UPC_CLASS_LONG:
		TAKE_NUMBER(long, HEDDLE__PUPC_LAST_WORD);
		return true;
	case HEDDLE_UPC_CLASS_UNSIGNED_LONG:
		TAKE_NUMBER(unsigned long, HEDDLE__PUPC_LAST_WORD);
		return true;
	case HEDDLE_UPC_CLASS_DOUBLE:
		TAKE_NUMBER(double, HEDDLE__PUPC_LAST_NUMBER);
		return true;
	case HEDDLE_UPC_CLASS_LONG_DOUBLE:
		take_value(taker, i, (double)va_arg(*list, long double));
		return true;
	case HEDDLE_UPC_CLASS_SKIP_INT:
		taker->cut = va_arg(*list, int);
		return taker->cut != (int)HEDDLE__PUPC_LAST_WORD;
	case HEDDLE_UPC_CLASS_SKIP_POINTER:
		return take_string(taker, i, SKIPPED, list);
	case HEDDLE_UPC_CLASS_TEXT_CUT:
		return take_string(taker, i, cut_to(taker->cut), list);
	default:
		return take_string(taker, i, class - HEDDLE_UPC_CLASS_TEXT, list);
	}
}

static void take_arguments(struct taker *taker, va_list *list)
{
	for (unsigned int i = 0; i < taker->event->count && take_argument(taker, i, list); i++)
		;
}

/* True if an erroneous end of that name at that line was not reported before. */
static bool is_news(uint32_t name, const char *file, int line)
{
	static _Atomic uint64_t reported[REPORTS];
	uint32_t where = file ? heddle__string_number(file) : 0;
	uint64_t key = ((uint64_t)name << 40 ^ (uint64_t)where << 20 ^ (uint64_t)(unsigned int)line) + 1;
	for (unsigned int i = 0; i < REPORTS; i++) {
		uint64_t there = 0;
		if (atomic_compare_exchange_strong(&reported[i], &there, key))
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

/* Returns the slot of the ended event; NULL: none was open, or nothing is counted. */
static struct heddle_slot *user_end(
	struct heddle_thread *thread, const struct heddle_upc_user_event *event, const char *file, int line)
{
	uint32_t open = UINT32_MAX;
	struct heddle_slot *slot = NULL;
	if (heddle__user_event_end(thread, event->name, &open, &slot) != HEDDLE_ENDED)
		complain(event, open, file, line);
	return slot;
}

/* Both return the slot in which the event is counted; NULL: it is not. */
static struct heddle_slot *user_begin(
	struct heddle_thread *thread, const struct heddle_upc_notice *notice, uint32_t name)
{
	struct heddle_upc_location at;
	heddle__upc_locate(thread, notice, &at);
	if (at.found)
		return heddle__phase_begin_below(thread, name, at.cfa, at.found);
	return heddle__phase_begin(thread, name, at.cfa);
}

static struct heddle_slot *user_happen(
	struct heddle_thread *thread, const struct heddle_upc_notice *notice, uint32_t name)
{
	struct heddle_upc_location at;
	if (!heddle__is_counting(thread))
		return NULL;
	heddle__upc_locate(thread, notice, &at);
	uint32_t parent = at.found ? at.found->node : heddle__current_node(thread);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), name);
	heddle__visit(thread, slot);
	return slot;
}

void heddle__upc_user_notify(
	struct heddle_thread *thread, struct heddle_upc_notice *notice, const struct heddle_upc_user_event *event)
{
	struct taker taker = {.event = event, .first = 1, .cut = -1};
	if (notice->type == GASP_START) {
		taker.slot = user_begin(thread, notice, event->name);
	} else if (notice->type == GASP_END) {
		taker.slot = user_end(thread, event, notice->file, notice->line);
		taker.first += HEDDLE_ARGUMENT_OF_END;
	} else {
		taker.slot = user_happen(thread, notice, event->name);
	}
	if (taker.slot && event->count)
		take_arguments(&taker, &notice->list);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The front end for annotations that programs have for other tools. It is independent of these tools:
 * libheddle-annotations.so (apis/) passes names, ranges and values. A range is a phase; a wait is a region of an event.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "core/base/likely.h"
#include "core/base/log.h"
#include "core/base/settings.h"
#include "core/base/string_table.h"
#include "core/host/host_functions.h"
#include "core/modules/model.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "models/annotations/annotation_calls.h"

static bool wanted;
static uint32_t other; /* number of the name of labels beyond the limit, plus 1 */

/*
 * Libraries that programs call to report: their frames are left out of paths, and their computation is the program's.
 */
static const struct heddle_model_library libraries[] = {
	{"lib{,trilinos_}kokkoscore*.so*", NULL},
	{"libcaliper.so*", NULL},
	{"liblikwid.so*", NULL},
	{"libheddle-annotations.so", NULL},
	{NULL, NULL},
};

/* Names in the program's own code, from templates and modules, that only call these libraries or libheddle.so. */
static const struct heddle_code_name code[] = {
	{HEDDLE_NAMED_ANNOTATES, "_ZN6Kokkos5Tools4Impl*begin_parallel_*", NULL},
	{HEDDLE_NAMED_ANNOTATES, "begin_parallel_{for,reduce,scan}<*",
		NULL}, /* of a local type: without a linker's name */
	{HEDDLE_NAMED_ANNOTATES, "{nvtx,_ZN5nvtx3}*", NULL},
	{HEDDLE_NAMED_ANNOTATES, "__heddle_MOD_*", NULL},
	{HEDDLE_NAMED_ANNOTATES, "_QMheddleP*", NULL},
	{HEDDLE_NAMED_ANNOTATES, "_ZN6heddle*", NULL},
	{0, NULL, NULL},
};

static bool is_call(uintptr_t address)
{
	(void)address;
	return true;
}

static const struct heddle_model model = {
	.name = "annotations",
	.label = "annotations",
	.libraries = libraries,
	.code = code,
	.is_call = is_call,
};

static uint32_t name(const char *text)
{
	static _Atomic bool said;
	uint32_t number = heddle__string_number(text);
	if (HEDDLE_LIKELY(number != UINT32_MAX))
		return number + 1;
	heddle__warn_once(&said, "annotations have more distinct labels than a profile stores: the others are shown as "
				 "\"(another label)\"");
	return other;
}

static void take_value(struct heddle_slot *slot, const struct heddle_annotation_value *value)
{
	struct heddle_distribution *of;
	if (!slot || !value)
		return;
	of = heddle__slot_distribution(slot, NULL, 1, value->text);
	if (of)
		heddle__distribution_add(of, value->value);
	heddle__record_value(slot, 1, value->text, value->value);
}

static void begin(const struct heddle_call *from, uint32_t name, const struct heddle_annotation_value *value)
{
	int saved = errno;
	struct heddle_thread *thread = heddle__thread_enter();
	if (!thread)
		return;
	take_value(heddle__phase_begin_from(thread, name - 1, *from), value);
	heddle__leave(thread);
	errno = saved;
}

static enum heddle_annotation_end end(uint32_t name)
{
	int saved = errno;
	struct heddle_thread *thread = heddle__thread_enter();
	if (!thread)
		return HEDDLE_ANNOTATION_ENDED;
	enum heddle_ending ending = heddle__user_event_end(thread, name - 1, NULL, NULL);
	heddle__leave(thread);
	errno = saved;
	return ending == HEDDLE_ENDED         ? HEDDLE_ANNOTATION_ENDED
	       : ending == HEDDLE_INTERLEAVED ? HEDDLE_ANNOTATION_INTERLEAVED
					      : HEDDLE_ANNOTATION_NOT_BEGUN;
}

static void mark(const struct heddle_call *from, uint32_t name, const struct heddle_annotation_value *value)
{
	int saved = errno;
	struct heddle_thread *thread = heddle__thread_enter();
	if (!thread)
		return;
	take_value(heddle__phase_happens(thread, name - 1, *from), value);
	heddle__leave(thread);
	errno = saved;
}

static void wait_begin(const struct heddle_call *from, const struct heddle_event *event)
{
	int saved = errno;
	struct heddle_thread *thread = event->selected ? heddle__thread_enter() : NULL;
	if (!thread)
		return;
	struct heddle_captured found = heddle__caller_path(thread, from->pc, from->sp, from->bp);
	heddle__region_begin_below(thread, event, found.node, found.place, from->sp);
	heddle__leave(thread);
	errno = saved;
}

static void wait_end(const struct heddle_event *event)
{
	int saved = errno;
	struct heddle_thread *thread = event->selected ? heddle__thread_enter() : NULL;
	if (!thread)
		return;
	heddle__region_end(thread, event);
	heddle__leave(thread);
	errno = saved;
}

static uint64_t now(void)
{
	return heddle__clock_ns(CLOCK_MONOTONIC);
}

static void thread_name(const char *text)
{
	struct heddle_thread *thread = heddle__thread_enter();
	if (!thread)
		return;
	size_t length = strnlen(text, sizeof(thread->name) - 1);
	memcpy(thread->name, text, length);
	thread->name[length] = '\0';
	thread->named = true;
	heddle__leave(thread);
}

static void control(bool on)
{
	if (on)
		heddle__continue();
	else
		heddle__pause();
}

static void warn(const char *format, const char *about)
{
	heddle__warn(format, about);
}

HEDDLE_EXPORT const struct heddle_annotation_interface *heddle_annotations_attach(
	unsigned int version, struct heddle_event *events, unsigned int count)
{
	static const struct heddle_annotation_interface interface = {
		name, begin, end, mark, wait_begin, wait_end, now, thread_name, control, warn};
	bool measured = heddle__start();
	if (!measured || !wanted || version != HEDDLE_ANNOTATIONS_INTERFACE)
		return NULL;
	if (heddle__events_register(events, count) != 0)
		return NULL;
	for (unsigned int i = 0; i < count; i++)
		heddle__event_means_sparse(&events[i]);
	other = heddle__string_number("(another label)") + 1;
	return other ? &interface : NULL;
}

static int init(unsigned int index)
{
	(void)index;
	wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "annotations");
	return 0;
}

static void finish(void)
{
	wanted = false;
}

const struct heddle_frontend heddle__annotations_frontend = {
	.name = "annotations",
	.model = &model,
	.init = init,
	.finish = finish,
};

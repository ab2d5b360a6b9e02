/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Caliper's C interface (cali.h of Caliper 2): stands in front of its functions, whose own definitions are called, too.
 * Regions, phases and communication regions are ranges of their names; values set by name are marks.
 */
#include "models/annotations/doors/door.h"

#define DOOR "Caliper"

typedef void with_name(const char *name);

#define RANGE(kind)                                                                       \
	HEDDLE_EXPORT void cali_begin_##kind(const char *name);                           \
	HEDDLE_EXPORT void cali_begin_##kind(const char *name)                            \
	{                                                                                 \
		struct heddle_call from = heddle__call_here();                            \
		with_name *next = (with_name *)heddle__door_next("cali_begin_" #kind);    \
		if (next)                                                                 \
			next(name);                                                       \
		if (heddle__door)                                                         \
			heddle__door->begin(&from, heddle__door_name(name, #kind), NULL); \
	}                                                                                 \
	HEDDLE_EXPORT void cali_end_##kind(const char *name);                             \
	HEDDLE_EXPORT void cali_end_##kind(const char *name)                              \
	{                                                                                 \
		with_name *next = (with_name *)heddle__door_next("cali_end_" #kind);      \
		if (heddle__door)                                                         \
			heddle__door_end(heddle__door_name(name, #kind), DOOR);           \
		if (next)                                                                 \
			next(name);                                                       \
	}
RANGE(region)
RANGE(phase)
RANGE(comm_region)
RANGE(byname)

static void mark_value(const struct heddle_call *from, const char *name, double number)
{
	struct heddle_annotation_value value = {heddle__door_name("value=%g", ""), number};
	heddle__door->mark(from, heddle__door_name(name, "value"), &value);
}

#define SETTER(kind, type)                                                                            \
	HEDDLE_EXPORT void cali_set_##kind##_byname(const char *name, type value);                    \
	HEDDLE_EXPORT void cali_set_##kind##_byname(const char *name, type value)                     \
	{                                                                                             \
		struct heddle_call from = heddle__call_here();                                        \
		void (*next)(const char *, type) =                                                    \
			(void (*)(const char *, type))heddle__door_next("cali_set_" #kind "_byname"); \
		if (next)                                                                             \
			next(name, value);                                                            \
		if (heddle__door)                                                                     \
			mark_value(&from, name, (double)value);                                       \
	}
SETTER(double, double)
SETTER(int, int)

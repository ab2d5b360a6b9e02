/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Caliper's C interface (cali.h of Caliper 2). Each function here wraps Caliper's own and calls it, too. Regions,
 * phases, communication regions and loops are ranges of their names; values set by name are marks. C++ objects that
 * mark a function, a scope or a loop do not call the C interface, so their constructors and destructors are wrapped,
 * under their mangled names.
 */
#include <stdio.h>

#include "models/annotations/apis/api.h"

#define API "Caliper"

typedef void with_name(const char *name);

#define RANGE(kind)                                                                     \
	HEDDLE_EXPORT void cali_begin_##kind(const char *name);                         \
	HEDDLE_EXPORT void cali_begin_##kind(const char *name)                          \
	{                                                                               \
		struct heddle_call from = heddle__call_here();                          \
		with_name *next = (with_name *)heddle__api_next("cali_begin_" #kind);   \
		if (next)                                                               \
			next(name);                                                     \
		if (heddle__api)                                                        \
			heddle__api->begin(&from, heddle__api_name(name, #kind), NULL); \
	}                                                                               \
	HEDDLE_EXPORT void cali_end_##kind(const char *name);                           \
	HEDDLE_EXPORT void cali_end_##kind(const char *name)                            \
	{                                                                               \
		with_name *next = (with_name *)heddle__api_next("cali_end_" #kind);     \
		if (heddle__api)                                                        \
			heddle__api_end(heddle__api_name(name, #kind), API);            \
		if (next)                                                               \
			next(name);                                                     \
	}
RANGE(region)
RANGE(phase)
RANGE(comm_region)
RANGE(byname)

static void mark_value(const struct heddle_call *from, const char *name, double number)
{
	struct heddle_annotation_value value = {heddle__api_name("value=%g", ""), number};
	heddle__api->mark(from, heddle__api_name(name, "value"), &value);
}

#define SETTER(kind, type)                                                                           \
	HEDDLE_EXPORT void cali_set_##kind##_byname(const char *name, type value);                   \
	HEDDLE_EXPORT void cali_set_##kind##_byname(const char *name, type value)                    \
	{                                                                                            \
		struct heddle_call from = heddle__call_here();                                       \
		void (*next)(const char *, type) =                                                   \
			(void (*)(const char *, type))heddle__api_next("cali_set_" #kind "_byname"); \
		if (next)                                                                            \
			next(name, value);                                                           \
		if (heddle__api)                                                                     \
			mark_value(&from, name, (double)value);                                      \
	}
SETTER(double, double)
SETTER(int, int)

/* A string value becomes part of the mark's name: "solver=cg". */
HEDDLE_EXPORT void cali_set_string_byname(const char *name, const char *value);
HEDDLE_EXPORT void cali_set_string_byname(const char *name, const char *value)
{
	struct heddle_call from = heddle__call_here();
	void (*next)(const char *, const char *) =
		(void (*)(const char *, const char *))heddle__api_next("cali_set_string_byname");
	char text[512];
	if (next)
		next(name, value);
	if (!heddle__api)
		return;
	snprintf(text, sizeof(text), "%.200s=%.300s", name ? name : "", value ? value : "");
	heddle__api->mark(&from, heddle__api_name(text, "value"), NULL);
}

/* ---- loops: ranges of an attribute ---- */

typedef void with_attribute(uint64_t attribute);

static const void *owner_of(uint64_t attribute)
{
	return (const void *)(uintptr_t)(attribute | UINT64_C(1) << 63); /* cannot be the address of an object */
}

HEDDLE_EXPORT void cali_begin_string(uint64_t attribute, const char *text);
HEDDLE_EXPORT void cali_begin_string(uint64_t attribute, const char *text)
{
	struct heddle_call from = heddle__call_here();
	void (*next)(uint64_t, const char *) = (void (*)(uint64_t, const char *))heddle__api_next("cali_begin_string");
	if (next)
		next(attribute, text);
	if (heddle__api)
		heddle__api_push(&from, owner_of(attribute), heddle__api_name(text, "region"), NULL);
}

HEDDLE_EXPORT void cali_end(uint64_t attribute);
HEDDLE_EXPORT void cali_end(uint64_t attribute)
{
	with_attribute *next = (with_attribute *)heddle__api_next("cali_end");
	if (heddle__api)
		heddle__api_pop(owner_of(attribute), NULL); /* finds nothing if a number began it: no range */
	if (next)
		next(attribute);
}

/* ---- objects of C++ ---- */

typedef void constructor(void *object, const char *name);
typedef void method(void *object);

#define CONSTRUCTOR(symbol)                                                                      \
	HEDDLE_EXPORT void symbol(void *object, const char *name);                               \
	HEDDLE_EXPORT void symbol(void *object, const char *name)                                \
	{                                                                                        \
		struct heddle_call from = heddle__call_here();                                   \
		constructor *next = (constructor *)heddle__api_next(#symbol);                    \
		if (next)                                                                        \
			next(object, name);                                                      \
		if (heddle__api)                                                                 \
			heddle__api_push(&from, object, heddle__api_name(name, "region"), NULL); \
	}
#define END(symbol)                                                 \
	HEDDLE_EXPORT void symbol(void *object);                    \
	HEDDLE_EXPORT void symbol(void *object)                     \
	{                                                           \
		method *next = (method *)heddle__api_next(#symbol); \
		if (heddle__api)                                    \
			heddle__api_pop(object, NULL);              \
		if (next)                                           \
			next(object);                               \
	}
CONSTRUCTOR(_ZN4cali8FunctionC1EPKc)
END(_ZN4cali8FunctionD1Ev)
CONSTRUCTOR(_ZN4cali15ScopeAnnotationC1EPKc)
END(_ZN4cali15ScopeAnnotationD1Ev)
CONSTRUCTOR(_ZN4cali4LoopC1EPKc)
END(_ZN4cali4Loop3endEv) /* the destructor follows, and finds nothing open */
END(_ZN4cali4LoopD1Ev)

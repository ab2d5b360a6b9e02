/* SPDX-License-Identifier: BSD-3-Clause */
/* PAPI's libraries are loaded at run time, so that the command works without them. */
#include "cli/run/papi.h"

#include <stdio.h>
#include <string.h>

#if !defined(HEDDLE_HAVE_PAPI)

const char *heddle__papi_unusable(void)
{
	return "Heddle was built without PAPI (Debian: libpapi-dev)";
}

const char *heddle__papi_version(void)
{
	return "";
}

const char *heddle__papi_find(const char *name, struct heddle_counter *counter, bool *known)
{
	(void)name;
	(void)counter;
	*known = true;
	return heddle__papi_unusable();
}

void heddle__papi_each(bool natives, void (*each)(void *context, const char *name, const char *meaning), void *context)
{
	(void)natives;
	(void)each;
	(void)context;
}

#else

#include <ctype.h>
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <papi.h>
#include <stdlib.h>

/* Declared as in libpfm's perfmon/pfmlib_perf_event.h. */
#define PFM_PLM3 0x8
#define PFM_OS_PERF_EVENT_EXT 2
struct pfm_perf_argument {
	struct perf_event_attr *attr;
	char **name;
	size_t size;
	int index, cpu, flags, padding;
};

static struct {
	bool tried;
	const char *reason;
	char version[16];
	__typeof__(PAPI_library_init) *init;
	__typeof__(PAPI_event_name_to_code) *event_name_to_code;
	__typeof__(PAPI_get_event_info) *get_event_info;
	__typeof__(PAPI_enum_cmp_event) *enum_event;
	int (*encode)(const char *text, int privilege, int system, void *argument);
	int (*pfm_initialize)(void);
} papi;

static void *open_library(void)
{
	const char *other = getenv("HEDDLE_LIBPAPI"); /* for tests, and for PAPI in an unusual place */
	char name[64];
	void *library;
	if (other)
		return dlopen(other, RTLD_NOW | RTLD_LOCAL);
	snprintf(name, sizeof(name), "libpapi.so.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
		PAPI_VERSION_MINOR(PAPI_VERSION));
	library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	return library ? library : dlopen("libpapi.so", RTLD_NOW | RTLD_LOCAL);
}

/* The encoder is in libpfm, which comes with PAPI, as its own library or inside libpapi. */
static bool find_functions(void *library)
{
	void *names = library;
	if (!dlsym(names, "pfm_get_os_event_encoding"))
		names = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
	if (!names)
		return false;
	*(void **)&papi.encode = dlsym(names, "pfm_get_os_event_encoding");
	*(void **)&papi.pfm_initialize = dlsym(names, "pfm_initialize");
	*(void **)&papi.init = dlsym(library, "PAPI_library_init");
	*(void **)&papi.event_name_to_code = dlsym(library, "PAPI_event_name_to_code");
	*(void **)&papi.get_event_info = dlsym(library, "PAPI_get_event_info");
	*(void **)&papi.enum_event = dlsym(library, "PAPI_enum_cmp_event");
	return papi.encode && papi.pfm_initialize && papi.init && papi.event_name_to_code && papi.get_event_info &&
	       papi.enum_event;
}

static const char *start(void)
{
	void *library = open_library();
	if (!library)
		return "PAPI (libpapi.so) is not installed";
	if (!find_functions(library))
		return "the installed PAPI cannot translate its events to perf events (no libpfm)";
	if (papi.init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return "the installed PAPI has another version than Heddle was built with";
	papi.pfm_initialize();
	snprintf(papi.version, sizeof(papi.version), "%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
		PAPI_VERSION_MINOR(PAPI_VERSION));
	return NULL;
}

const char *heddle__papi_unusable(void)
{
	if (!papi.tried)
		papi.reason = start();
	papi.tried = true;
	return papi.reason;
}

const char *heddle__papi_version(void)
{
	return papi.version;
}

/* ---- one event ---- */

static bool encode(const char *name, struct heddle_perf_code *code)
{
	struct perf_event_attr attributes;
	struct pfm_perf_argument argument = {.attr = &attributes, .size = sizeof(argument), .cpu = -1};
	memset(&attributes, 0, sizeof(attributes));
	attributes.size = sizeof(attributes);
	if (papi.encode(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &argument) != 0)
		return false;
	*code = (struct heddle_perf_code){attributes.type, attributes.config, attributes.config1, attributes.config2};
	return true;
}

static bool has_term(const struct heddle_counter *counter, const struct heddle_perf_code *code, unsigned int *at)
{
	for (*at = 0; *at < counter->term_count; ++*at) {
		const struct heddle_perf_code *other = &counter->terms[*at].code;
		if (other->type == code->type && other->config == code->config && other->config1 == code->config1 &&
			other->config2 == code->config2)
			return true;
	}
	return false;
}

static bool add_term(struct heddle_counter *counter, const char *name, long factor)
{
	struct heddle_perf_code code;
	unsigned int at;
	if (factor == 0)
		return true;
	if (!encode(name, &code) || labs(factor) > INT32_MAX)
		return false;
	if (!has_term(counter, &code, &at)) {
		if (counter->term_count == HEDDLE_COUNTER_TERMS)
			return false;
		counter->terms[counter->term_count].code = code;
		counter->terms[counter->term_count++].factor = 0;
	}
	counter->terms[at].factor += (int32_t)factor;
	return true;
}

/* A number, or a sum of events with factors. */
struct form {
	long constant, factor[PAPI_MAX_INFO_TERMS];
	bool is_constant;
};

static bool combine(struct form *a, const struct form *b, char operator)
{
	if (operator== '*' && !a->is_constant && !b->is_constant)
		return false;
	if (operator== '*') {
		const struct form *sum = a->is_constant ? b : a;
		long times = a->is_constant ? a->constant : b->constant;
		struct form product = {.is_constant = sum->is_constant, .constant = sum->constant * times};
		for (int i = 0; i < PAPI_MAX_INFO_TERMS; i++)
			product.factor[i] = sum->factor[i] * times;
		*a = product;
		return true;
	}
	for (int i = 0; i < PAPI_MAX_INFO_TERMS; i++)
		a->factor[i] += operator== '-' ? -b->factor[i] : b->factor[i];
	a->constant += operator== '-' ? -b->constant : b->constant;
	a->is_constant = a->is_constant && b->is_constant;
	return operator== '+' || operator== '-';
}

/* Evaluates PAPI's postfix "N0|N1|4|*|+|". Returns false if it is not a sum of events. */
static bool evaluate(const char *postfix, struct form *result)
{
	struct form stack[PAPI_MAX_INFO_TERMS + 1];
	int depth = 0;
	for (const char *at = postfix; *at != '\0'; at += strcspn(at, "|"), at += *at == '|') {
		if (*at == 'N' || isdigit((unsigned char)*at)) {
			long number = strtol(at + (*at == 'N'), NULL, 10);
			if (depth > PAPI_MAX_INFO_TERMS || (*at == 'N' && number >= PAPI_MAX_INFO_TERMS))
				return false;
			stack[depth] = (struct form){.is_constant = *at != 'N', .constant = *at != 'N' ? number : 0};
			if (*at == 'N')
				stack[depth].factor[number] = 1;
			depth++;
		} else if (depth < 2 || !combine(&stack[depth - 2], &stack[depth - 1], *at)) {
			return false;
		} else {
			depth--;
		}
	}
	*result = stack[0];
	return depth == 1 && stack[0].constant == 0 && !stack[0].is_constant;
}

static const char *find_preset(const PAPI_event_info_t *info, struct heddle_counter *counter)
{
	struct form form = {0};
	for (unsigned int i = 0; i < info->count; i++)
		form.factor[i] = i != 0 && strcmp(info->derived, "DERIVED_SUB") == 0 ? -1 : 1;
	if (strcmp(info->derived, "DERIVED_POSTFIX") == 0 && !evaluate(info->postfix, &form))
		return "PAPI derives it by a formula other than a sum";
	for (unsigned int i = 0; i < info->count; i++)
		if (!add_term(counter, info->name[i], form.factor[i]))
			return "PAPI derives it from events that perf cannot count";
	return counter->term_count == 0 ? "this processor has no such event" : NULL;
}

const char *heddle__papi_find(const char *name, struct heddle_counter *counter, bool *known)
{
	PAPI_event_info_t info;
	int code = 0;
	*known = true;
	if (heddle__papi_unusable())
		return papi.reason;
	memset(counter, 0, sizeof(*counter));
	counter->unit = "count";
	counter->meaning = "";
	counter->way = HEDDLE_COUNTER_PERF;
	*known = strlen(name) < sizeof(counter->name) && papi.event_name_to_code((char *)name, &code) == PAPI_OK &&
		 papi.get_event_info(code, &info) == PAPI_OK;
	if (!*known)
		return "PAPI has no event of that name";
	memcpy(counter->name, name, strlen(name) + 1);
	if (((unsigned int)code & (unsigned int)PAPI_PRESET_MASK) != 0)
		return find_preset(&info, counter);
	return add_term(counter, name, 1) ? NULL : "PAPI does not count it with perf events";
}

/* ---- all events ---- */

void heddle__papi_each(bool natives, void (*each)(void *context, const char *name, const char *meaning), void *context)
{
	PAPI_event_info_t info;
	int code = natives ? PAPI_NATIVE_MASK : (int)PAPI_PRESET_MASK;
	int how = PAPI_ENUM_FIRST;
	if (heddle__papi_unusable())
		return;
	while (papi.enum_event(&code, how, 0) == PAPI_OK) {
		how = natives ? PAPI_ENUM_EVENTS : PAPI_PRESET_ENUM_AVAIL;
		if (papi.get_event_info(code, &info) == PAPI_OK)
			each(context, info.symbol, info.long_descr);
	}
}

#endif

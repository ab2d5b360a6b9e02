/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVTX 3: a program that includes its header only loads the library that NVTX_INJECTION64_PATH names and calls
 * InitializeInjectionNvtx2, which stores this file's functions in the header's tables. Push and pop are ranges of the
 * thread. A range of start and end, which any thread may end, is counted at its end with its time. A payload is a
 * value. Numbers, types and layouts: nvToolsExt.h and nvtxTypes.h of NVTX 3.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "models/annotations/apis/api.h"

#define API "NVTX"
#define OBJECTS 4096u /* domains and registered strings together */

/* nvtxEventAttributes_t: version, size, and the fields that all versions have. */
struct attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	union {
		uint64_t u64;
		int64_t i64;
		double f64;
		uint32_t u32;
		int32_t i32;
		float f32;
	} payload;
	int32_t message_type;
	const void *message;
};

enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE, MESSAGE_REGISTERED };
enum { PAYLOAD_U64 = 1, PAYLOAD_I64, PAYLOAD_F64, PAYLOAD_U32, PAYLOAD_I32, PAYLOAD_F32 };

/* A domain or a registered string. Its handle points to it. */
struct object {
	uint32_t name;
	bool is_domain;
};

static struct object objects[OBJECTS];
static _Atomic uint32_t object_count;
static const char default_domain;

static const struct object *object_of(const void *handle)
{
	const struct object *object = handle;
	return object >= objects && object < objects + OBJECTS ? object : NULL;
}

static const struct object *make_object(uint32_t name, bool is_domain)
{
	uint32_t at = atomic_load(&object_count);
	do {
		if (at >= OBJECTS) {
			heddle__api->warn(API ": more than 4096 domains and strings are registered%s", "");
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&object_count, &at, at + 1));
	objects[at] = (struct object){name, is_domain};
	return &objects[at];
}

static const void *owner_of(const void *domain)
{
	return domain ? domain : &default_domain;
}

static uint32_t message_of(const struct attributes *of)
{
	if (!of)
		return heddle__api_name(NULL, "range");
	const struct object *registered = of->message_type == MESSAGE_REGISTERED ? object_of(of->message) : NULL;
	if (registered && !registered->is_domain)
		return registered->name;
	if (of->message_type == MESSAGE_UNICODE)
		return heddle__api_wide_name(of->message, "range");
	return heddle__api_name(of->message_type == MESSAGE_ASCII ? of->message : NULL, "range");
}

/* True if there is a payload; stores it in `value`. */
static bool take_payload(const struct attributes *of, struct heddle_annotation_value *value)
{
	switch (of ? of->payload_type : 0) {
	case PAYLOAD_U64:
		value->value = (double)of->payload.u64;
		break;
	case PAYLOAD_I64:
		value->value = (double)of->payload.i64;
		break;
	case PAYLOAD_F64:
		value->value = of->payload.f64;
		break;
	case PAYLOAD_U32:
		value->value = of->payload.u32;
		break;
	case PAYLOAD_I32:
		value->value = of->payload.i32;
		break;
	case PAYLOAD_F32:
		value->value = of->payload.f32;
		break;
	default:
		return false;
	}
	value->text = heddle__api_name("payload=%g", "");
	return true;
}

/* ---- functions with a domain and attributes ---- */

static void mark_in(const void *domain, const struct attributes *of)
{
	struct heddle_call from = heddle__call_here();
	struct heddle_annotation_value value;
	(void)domain;
	heddle__api->mark(&from, message_of(of), take_payload(of, &value) ? &value : NULL);
}

static uint64_t start_in(const void *domain, const struct attributes *of)
{
	(void)domain;
	return heddle__api_start(message_of(of), API);
}

static void end_in(const void *domain, uint64_t range)
{
	struct heddle_call from = heddle__call_here();
	(void)domain;
	heddle__api_stop(&from, range, API);
}

static int push_in(const void *domain, const struct attributes *of)
{
	struct heddle_call from = heddle__call_here();
	struct heddle_annotation_value value;
	return heddle__api_push(&from, owner_of(domain), message_of(of), take_payload(of, &value) ? &value : NULL);
}

static int pop_in(const void *domain)
{
	return heddle__api_pop(owner_of(domain), API);
}

/* ---- functions without a domain ---- */

static void mark_ex(const struct attributes *of)
{
	struct heddle_call from = heddle__call_here();
	struct heddle_annotation_value value;
	heddle__api->mark(&from, message_of(of), take_payload(of, &value) ? &value : NULL);
}

static void mark_a(const char *message)
{
	struct heddle_call from = heddle__call_here();
	heddle__api->mark(&from, heddle__api_name(message, "mark"), NULL);
}

static void mark_w(const wchar_t *message)
{
	struct heddle_call from = heddle__call_here();
	heddle__api->mark(&from, heddle__api_wide_name(message, "mark"), NULL);
}

static uint64_t start_ex(const struct attributes *of)
{
	return heddle__api_start(message_of(of), API);
}

static uint64_t start_a(const char *message)
{
	return heddle__api_start(heddle__api_name(message, "range"), API);
}

static uint64_t start_w(const wchar_t *message)
{
	return heddle__api_start(heddle__api_wide_name(message, "range"), API);
}

static void end_of(uint64_t range)
{
	struct heddle_call from = heddle__call_here();
	heddle__api_stop(&from, range, API);
}

static int push_ex(const struct attributes *of)
{
	struct heddle_call from = heddle__call_here();
	struct heddle_annotation_value value;
	return heddle__api_push(&from, &default_domain, message_of(of), take_payload(of, &value) ? &value : NULL);
}

static int push_a(const char *message)
{
	struct heddle_call from = heddle__call_here();
	return heddle__api_push(&from, &default_domain, heddle__api_name(message, "range"), NULL);
}

static int push_w(const wchar_t *message)
{
	struct heddle_call from = heddle__call_here();
	return heddle__api_push(&from, &default_domain, heddle__api_wide_name(message, "range"), NULL);
}

static int pop(void)
{
	return heddle__api_pop(&default_domain, API);
}

/* ---- names ---- */

static void name_thread(uint32_t thread, const char *name)
{
	if (name && (long)thread == syscall(SYS_gettid))
		heddle__api->thread_name(name);
}

static const struct object *string_a(const void *domain, const char *text)
{
	(void)domain;
	return make_object(heddle__api_name(text, "range"), false);
}

static const struct object *string_w(const void *domain, const wchar_t *text)
{
	(void)domain;
	return make_object(heddle__api_wide_name(text, "range"), false);
}

static const struct object *domain_a(const char *name)
{
	return make_object(heddle__api_name(name, "domain"), true);
}

static const struct object *domain_w(const wchar_t *name)
{
	return make_object(heddle__api_wide_name(name, "domain"), true);
}

/* ---- the tables ---- */

typedef void any(void);

struct entry {
	uint32_t module, number;
	any *function;
};

enum { CORE = 1, CORE_WITH_DOMAINS = 5 };

static const struct entry entries[] = {
	{CORE, 1, (any *)mark_ex},
	{CORE, 2, (any *)mark_a},
	{CORE, 3, (any *)mark_w},
	{CORE, 4, (any *)start_ex},
	{CORE, 5, (any *)start_a},
	{CORE, 6, (any *)start_w},
	{CORE, 7, (any *)end_of},
	{CORE, 8, (any *)push_ex},
	{CORE, 9, (any *)push_a},
	{CORE, 10, (any *)push_w},
	{CORE, 11, (any *)pop},
	{CORE, 14, (any *)name_thread},
	{CORE_WITH_DOMAINS, 1, (any *)mark_in},
	{CORE_WITH_DOMAINS, 2, (any *)start_in},
	{CORE_WITH_DOMAINS, 3, (any *)end_in},
	{CORE_WITH_DOMAINS, 4, (any *)push_in},
	{CORE_WITH_DOMAINS, 5, (any *)pop_in},
	{CORE_WITH_DOMAINS, 10, (any *)string_a},
	{CORE_WITH_DOMAINS, 11, (any *)string_w},
	{CORE_WITH_DOMAINS, 12, (any *)domain_a},
	{CORE_WITH_DOMAINS, 13, (any *)domain_w},
};

/* The table of callbacks that the header exports as number 1. */
struct exported {
	size_t size;
	int (*table)(uint32_t module, any ****table, unsigned int *count);
};

HEDDLE_EXPORT int InitializeInjectionNvtx2(const void *(*export)(uint32_t number));
HEDDLE_EXPORT int InitializeInjectionNvtx2(const void *(*export)(uint32_t number))
{
	const struct exported *exported = export ? export(1) : NULL;
	if (!heddle__api || !exported || exported->size < sizeof(*exported))
		return 0;
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		any ***table = NULL;
		unsigned int count = 0;
		if (exported->table(entries[i].module, &table, &count) && entries[i].number < count &&
			table[entries[i].number])
			*table[entries[i].number] = entries[i].function;
	}
	return 1;
}

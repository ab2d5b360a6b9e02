/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ITT, Intel's instrumentation interface (ittnotify.h). A program linked with ITT's static part loads the library that
 * INTEL_LIBITTNOTIFY64 names and calls __itt_api_init with the table of its functions. Tasks, regions and frames are
 * ranges; events and counters are marks with values. Each library of a process that is linked with the static part has
 * its own table. That of an OpenMP runtime is not filled, since OMPT reports the same.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "models/annotations/apis/api.h"

#define API "ITT"
#define EVENTS 1024u

/* ---- the static part's layouts (ittnotify_config.h) ---- */

struct function {
	const char *name;
	void **pointer;
	void *init, *none;
	uint32_t group;
};

struct global {
	unsigned char magic[8];
	unsigned long version_major, version_minor, version_build;
	volatile long api_initialized, mutex_initialized, atomic_counter;
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct function *functions; /* the last one has no name */
};

struct domain {
	volatile int flags; /* 0: its annotations are off */
	const char *name;
};

struct string {
	const char *text;
};

struct id {
	unsigned long long words[3];
};

struct counter {
	const char *name;
	const wchar_t *wide_name;
	const char *domain;
	const wchar_t *wide_domain;
	int type;
};

static bool is_on(const struct domain *domain)
{
	return domain && domain->flags;
}

static uint32_t name_of(const struct string *name, const char *instead)
{
	return heddle__api_name(name ? name->text : NULL, instead);
}

/* ---- ranges ---- */

/* Makes the owner of a range from its domain and number: different numbers in one domain give different owners. */
static const void *owner_of(const struct domain *domain, const struct id *id)
{
	uintptr_t key = (uintptr_t)domain;
	for (int i = 0; id && i < 3; i++)
		key = (key ^ (uintptr_t)id->words[i]) * 0x9e3779b97f4a7c15u;
	return (const void *)key;
}

static void task_begin(const struct domain *domain, struct id id, struct id parent, const struct string *name)
{
	struct heddle_call from = heddle__call_here();
	(void)id, (void)parent;
	if (is_on(domain))
		heddle__api_push(&from, domain, name_of(name, "task"), NULL);
}

static void task_end(const struct domain *domain)
{
	if (is_on(domain))
		heddle__api_pop(domain, API);
}

/* Begins a range that ends by its number, in any order. */
static void region_begin(const struct domain *domain, struct id id, struct id parent, const struct string *name)
{
	struct heddle_call from = heddle__call_here();
	(void)parent;
	if (is_on(domain))
		heddle__api_push(&from, owner_of(domain, &id), name_of(name, "region"), NULL);
}

static void region_end(const struct domain *domain, struct id id)
{
	if (is_on(domain))
		heddle__api_pop(owner_of(domain, &id), API);
}

static void frame_begin(const struct domain *domain, const struct id *id)
{
	struct heddle_call from = heddle__call_here();
	if (is_on(domain))
		heddle__api_push(&from, owner_of(domain, id), heddle__api_name(domain->name, "frame"), NULL);
}

static void frame_end(const struct domain *domain, const struct id *id)
{
	if (is_on(domain))
		heddle__api_pop(owner_of(domain, id), API);
}

/* ---- events: created with a name and its length, identified by a number ---- */

static _Atomic uint32_t event_names[EVENTS];
static _Atomic int event_count;

static int event_create(const char *name, int length)
{
	char text[512];
	int number = atomic_fetch_add(&event_count, 1);
	if (number >= (int)EVENTS) {
		heddle__api->warn(API ": more than 1024 events; the others are not measured%s", "");
		return 0;
	}
	size_t bytes = name && length > 0 ? strnlen(name, (size_t)length) : 0;
	bytes = bytes < sizeof(text) ? bytes : sizeof(text) - 1;
	if (bytes)
		memcpy(text, name, bytes);
	text[bytes] = '\0';
	atomic_store(&event_names[number], heddle__api_name(text, "event"));
	return number + 1;
}

static uint32_t event_name(int event)
{
	return event > 0 && event <= (int)EVENTS ? atomic_load(&event_names[event - 1]) : 0;
}

static int event_start(int event)
{
	struct heddle_call from = heddle__call_here();
	uint32_t name = event_name(event);
	if (name)
		heddle__api->begin(&from, name, NULL);
	return !name;
}

static int event_end(int event)
{
	uint32_t name = event_name(event);
	if (name)
		heddle__api_end(name, API);
	return !name;
}

/* ---- marks and values ---- */

static void marker(const struct domain *domain, struct id id, const struct string *name, int scope)
{
	struct heddle_call from = heddle__call_here();
	(void)id, (void)scope;
	if (is_on(domain))
		heddle__api->mark(&from, name_of(name, "marker"), NULL);
}

static void mark_value(const struct heddle_call *from, uint32_t name, double number)
{
	struct heddle_annotation_value value = {heddle__api_name("value=%g", ""), number};
	heddle__api->mark(from, name, &value);
}

/* Reads a number of one of the types in __itt_metadata_type. */
static bool read_number(int type, const char *at, size_t index, double *number)
{
	switch (type) {
#define NUMBER(of, type)                                                   \
	case of: {                                                         \
		type value;                                                \
		memcpy(&value, at + index * sizeof(value), sizeof(value)); \
		*number = (double)value;                                   \
		return true;                                               \
	}
		NUMBER(1, uint64_t)
		NUMBER(2, int64_t)
		NUMBER(3, uint32_t)
		NUMBER(4, int32_t)
		NUMBER(5, uint16_t)
		NUMBER(6, int16_t)
		NUMBER(7, float)
		NUMBER(8, double)
	}
	return false;
}

static void metadata_add(
	const struct domain *domain, struct id id, const struct string *key, int type, size_t count, const char *data)
{
	struct heddle_call from = heddle__call_here();
	double number;
	(void)id;
	for (size_t i = 0; is_on(domain) && data && i < count && read_number(type, data, i, &number); i++)
		mark_value(&from, name_of(key, "metadata"), number);
}

static void counter_delta(const struct counter *counter, unsigned long long value)
{
	struct heddle_call from = heddle__call_here();
	if (counter)
		mark_value(&from, heddle__api_name(counter->name, "counter"), (double)value);
}

static void counter_increase(const struct counter *counter)
{
	struct heddle_call from = heddle__call_here();
	if (counter)
		mark_value(&from, heddle__api_name(counter->name, "counter"), 1);
}

static void counter_set(const struct counter *counter, const char *at)
{
	struct heddle_call from = heddle__call_here();
	double number;
	if (counter && at && read_number(counter->type ? counter->type : 1, at, 0, &number))
		mark_value(&from, heddle__api_name(counter->name, "counter"), number);
}

static void counter_delta_of(const struct domain *domain, const struct string *name, unsigned long long value)
{
	struct heddle_call from = heddle__call_here();
	if (is_on(domain))
		mark_value(&from, name_of(name, "counter"), (double)value);
}

/* ---- threads and control ---- */

static void thread_set_name(const char *name)
{
	if (name)
		heddle__api->thread_name(name);
}

static void go_on(void)
{
	heddle__api->control(true);
}

static void stop(void)
{
	heddle__api->control(false);
}

/* ---- the table ---- */

static const struct {
	const char *name;
	void *function;
} functions[] = {
	{"__itt_task_begin", (void *)task_begin},
	{"__itt_task_end", (void *)task_end},
	{"__itt_task_begin_overlapped", (void *)region_begin},
	{"__itt_task_end_overlapped", (void *)region_end},
	{"__itt_region_begin", (void *)region_begin},
	{"__itt_region_end", (void *)region_end},
	{"__itt_frame_begin_v3", (void *)frame_begin},
	{"__itt_frame_end_v3", (void *)frame_end},
	{"__itt_event_create", (void *)event_create},
	{"__itt_event_start", (void *)event_start},
	{"__itt_event_end", (void *)event_end},
	{"__itt_marker", (void *)marker},
	{"__itt_metadata_add", (void *)metadata_add},
	{"__itt_counter_inc", (void *)counter_increase},
	{"__itt_counter_inc_delta", (void *)counter_delta},
	{"__itt_counter_inc_delta_v3", (void *)counter_delta_of},
	{"__itt_counter_set_value", (void *)counter_set},
	{"__itt_counter_set_value_v3", (void *)counter_set},
	{"__itt_thread_set_name", (void *)thread_set_name},
	{"__itt_resume", (void *)go_on},
	{"__itt_pause", (void *)stop},
};

static void *function_named(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].function;
	return NULL;
}

static bool is_of_openmp_runtime(const void *address)
{
	Dl_info about;
	if (!dladdr(address, &about) || !about.dli_fname)
		return false;
	void *library = dlopen(about.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	bool found = library && dlsym(library, "__kmpc_fork_call") && dlsym(library, "omp_get_thread_num");
	Dl_info of_call;
	found = found && dladdr(dlsym(library, "__kmpc_fork_call"), &of_call) && of_call.dli_fbase == about.dli_fbase;
	if (library)
		dlclose(library);
	return found;
}

HEDDLE_EXPORT void __itt_api_init(struct global *global, uint32_t groups);
HEDDLE_EXPORT void __itt_api_init(struct global *global, uint32_t groups)
{
	bool measured = heddle__api && !is_of_openmp_runtime(global);
	(void)groups;
	for (struct function *of = global->functions; of && of->name; of++) {
		void *own = measured ? function_named(of->name) : NULL;
		*of->pointer = own ? own : of->none;
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client that works as ITT's static part: it loads the library named by INTEL_LIBITTNOTIFY64 and passes its table of
 * functions to __itt_api_init, which fills in pointers. It calls each function a known number of times.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct function {
	const char *name;
	void **pointer;
	void *init, *none;
	uint32_t group;
};

struct id {
	unsigned long long words[3];
};

struct domain {
	volatile int flags;
	const char *name;
};

struct string {
	const char *text;
};

struct counter {
	const char *name;
	const void *wide_name;
	const char *domain;
	const void *wide_domain;
	int type;
};

#define FUNCTIONS(X)                                                                                        \
	X(task_begin, void, const struct domain *, struct id, struct id, const struct string *)             \
	X(task_end, void, const struct domain *)                                                            \
	X(task_begin_overlapped, void, const struct domain *, struct id, struct id, const struct string *)  \
	X(task_end_overlapped, void, const struct domain *, struct id)                                      \
	X(frame_begin_v3, void, const struct domain *, struct id *)                                         \
	X(frame_end_v3, void, const struct domain *, struct id *)                                           \
	X(event_create, int, const char *, int)                                                             \
	X(event_start, int, int)                                                                            \
	X(event_end, int, int)                                                                              \
	X(marker, void, const struct domain *, struct id, const struct string *, int)                       \
	X(metadata_add, void, const struct domain *, struct id, const struct string *, int, size_t, void *) \
	X(counter_inc_delta, void, const struct counter *, unsigned long long)                              \
	X(thread_set_name, void, const char *)                                                              \
	X(unknown, void, void)

#define X(name, type, ...)                         \
	typedef type name##_function(__VA_ARGS__); \
	static name##_function *name;
FUNCTIONS(X)
#undef X

static struct function functions[] = {
#define X(name, ...) {"__itt_" #name, (void **)&name, NULL, NULL, 1},
	FUNCTIONS(X)
#undef X
		{NULL, NULL, NULL, NULL, 0},
};

static struct {
	unsigned char magic[8];
	unsigned long version[3];
	volatile long state[3];
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct function *functions;
} global = {.functions = functions};

static void load(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	void (*init)(void *, uint32_t) = library ? (void (*)(void *, uint32_t))dlsym(library, "__itt_api_init") : NULL;
	if (init)
		init(&global, 0xffff);
}

#define CALL(name, ...) (name ? name(__VA_ARGS__) : 0)
#define DO(name, ...)                      \
	do {                               \
		if (name)                  \
			name(__VA_ARGS__); \
	} while (0)

int main(void)
{
	struct domain on = {1, "application"}, off = {0, "switched off"};
	struct string task = {"one task"}, overlap = {"overlapped"}, key = {"size"};
	struct id none = {{0}}, first = {{1, 2, 3}}, second = {{1, 2, 4}};
	struct counter bytes = {"bytes", NULL, "application", NULL, 1};
	uint64_t sizes[2] = {3, 5};
	load();
	DO(thread_set_name, "chief");
	int event = CALL(event_create, "an event, cut", 8);
	for (int i = 0; i < 3; i++) {
		DO(frame_begin_v3, &on, NULL);
		DO(task_begin, &on, none, none, &task);
		DO(metadata_add, &on, none, &key, 1, 2, sizes);
		DO(task_end, &on);
		DO(task_begin, &off, none, none, &task);
		DO(task_end, &off);
		DO(frame_end_v3, &on, NULL);
		DO(task_begin_overlapped, &on, first, none, &overlap);
		DO(task_begin_overlapped, &on, second, none, &task);
		DO(task_end_overlapped, &on, first);
		DO(task_end_overlapped, &on, second);
		(void)CALL(event_start, event);
		DO(counter_inc_delta, &bytes, 8);
		(void)CALL(event_end, event);
		DO(marker, &on, none, &overlap, 0);
	}
	DO(task_end, &on);
	printf("%d\n", unknown != NULL);
	return 0;
}

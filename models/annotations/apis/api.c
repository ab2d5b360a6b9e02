/* SPDX-License-Identifier: BSD-3-Clause */
/* A separate library, loaded only if a program looks for a tool, or calls a library that an API wraps. */
#include "models/annotations/apis/api.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#pragma weak heddle_annotations_attach

#define CACHED 256u  /* names found by address and content */
#define TEXT 1000u   /* bytes of a name that are significant, as in the string table */
#define SHORT 48u    /* bytes of a name that are cached */
#define LEVELS 4096u /* open ranges of a thread */
#define RANGES 4096u /* open ranges that any thread may end */

const struct heddle_annotation_interface *heddle__api;

struct heddle_event heddle__api_events[HEDDLE_API_EVENT_COUNT] = {
#define X(key, name_, label_, category_) \
	[HEDDLE_API_##key] = {"annotations", name_, label_, HEDDLE_CATEGORY_##category_, 0, true, false, 0, 0},
	HEDDLE_API_EVENTS(X)
#undef X
};

struct level {
	const void *owner;
	uint32_t name;
};

struct known {
	const char *at;
	uint32_t name;
	char text[SHORT];
};

struct own {
	uint32_t depth; /* number of levels; those beyond LEVELS are not recorded */
	struct level levels[LEVELS];
	struct known known[CACHED];
};

static _Thread_local struct own *own;
static pthread_key_t at_end;

static void unmap(void *of)
{
	own = NULL;
	munmap(of, sizeof(struct own));
}

static struct own *of_thread(void)
{
	if (HEDDLE_LIKELY(own))
		return own;
	int saved = errno;
	void *made = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made != MAP_FAILED) {
		own = made;
		pthread_setspecific(at_end, made);
	}
	errno = saved;
	return own;
}

/* ---- names ---- */

uint32_t heddle__api_name(const char *text, const char *instead)
{
	text = text && *text ? text : instead;
	struct own *mine = of_thread();
	struct known *known = mine ? &mine->known[((uintptr_t)text >> 3 ^ (uintptr_t)text >> 11) % CACHED] : NULL;
	if (HEDDLE_LIKELY(known && known->at == text && strcmp(known->text, text) == 0))
		return known->name;
	uint32_t name = heddle__api->name(text);
	size_t length = strnlen(text, SHORT);
	if (known && length < SHORT) {
		memcpy(known->text, text, length + 1);
		known->name = name;
		known->at = text;
	}
	return name;
}

/* Encodes one character in UTF-8; returns the number of bytes. */
static size_t encode(char *to, uint32_t c)
{
	static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
		*to = '?';
		return 1;
	}
	for (size_t i = bytes; i > 1; i--, c >>= 6)
		to[i - 1] = (char)(0x80 | (c & 0x3f));
	*to = (char)(lead[bytes == 1 ? 0 : bytes] | c);
	return bytes;
}

uint32_t heddle__api_wide_name(const wchar_t *text, const char *instead)
{
	char narrow[TEXT + 4];
	size_t length = 0;
	for (; text && *text && length < TEXT; text++)
		length += encode(narrow + length, (uint32_t)*text);
	narrow[length] = '\0';
	return heddle__api_name(narrow, instead);
}

/* ---- a thread's stack of ranges ---- */

int heddle__api_push(
	const struct heddle_call *from, const void *owner, uint32_t name, const struct heddle_annotation_value *value)
{
	struct own *mine = of_thread();
	int level = 0;
	if (!mine || mine->depth >= LEVELS) {
		if (mine)
			mine->depth++;
		return (int)LEVELS;
	}
	for (uint32_t i = 0; i < mine->depth; i++)
		level += mine->levels[i].owner == owner;
	mine->levels[mine->depth++] = (struct level){owner, name};
	heddle__api->begin(from, name, value);
	return level;
}

static void report(const char *api)
{
	heddle__api->warn("%s: end of a range that was not begun in this thread; ignored", api);
}

int heddle__api_pop(const void *owner, const char *api)
{
	struct own *mine = of_thread();
	int level = 0;
	if (!mine)
		return -1;
	if (mine->depth > LEVELS) {
		mine->depth--;
		return (int)LEVELS;
	}
	uint32_t found = mine->depth;
	while (found && mine->levels[found - 1].owner != owner)
		found--;
	if (!found) {
		if (api)
			report(api);
		return -1;
	}
	uint32_t name = mine->levels[found - 1].name;
	memmove(&mine->levels[found - 1], &mine->levels[found], (mine->depth - found) * sizeof(struct level));
	mine->depth--;
	for (uint32_t i = 0; i < found - 1; i++)
		level += mine->levels[i].owner == owner;
	heddle__api->end(name);
	return level;
}

void heddle__api_end(uint32_t name, const char *api)
{
	if (heddle__api->end(name) == HEDDLE_ANNOTATION_NOT_BEGUN)
		report(api);
}

/* ---- ranges of the process ---- */

struct range {
	_Atomic uint64_t number; /* 0: free; 1: being changed */
	uint32_t name;
	uint64_t since;
};

static struct range ranges[RANGES];

uint64_t heddle__api_start(uint32_t name, const char *api)
{
	static _Atomic uint64_t last;
	uint64_t turn = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
	for (uint32_t i = 0; i < RANGES; i++) {
		uint32_t at = (uint32_t)((turn + i) % RANGES);
		uint64_t none = 0, number = (turn + 2) * RANGES + at;
		if (!atomic_compare_exchange_strong(&ranges[at].number, &none, 1))
			continue;
		ranges[at].name = name;
		ranges[at].since = heddle__api->now();
		atomic_store_explicit(&ranges[at].number, number, memory_order_release);
		return number;
	}
	heddle__api->warn("%s: more than 4096 ranges are open at the same time; the others are not measured", api);
	return 0;
}

void heddle__api_stop(const struct heddle_call *from, uint64_t number, const char *api)
{
	struct range *range = &ranges[number % RANGES];
	uint64_t expected = number;
	if (number < 2 * (uint64_t)RANGES || !atomic_compare_exchange_strong(&range->number, &expected, 1)) {
		if (number)
			report(api);
		return;
	}
	struct heddle_annotation_value elapsed = {
		heddle__api_name("seconds=%g", ""), (double)(heddle__api->now() - range->since) / 1e9};
	uint32_t name = range->name;
	atomic_store_explicit(&range->number, 0, memory_order_release);
	heddle__api->mark(from, name, &elapsed);
}

/* ---- the library ---- */

void *heddle__api_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Attaching starts libheddle.so, if it has not started. */
__attribute__((constructor)) static void at_load(void)
{
	if (heddle_annotations_attach && pthread_key_create(&at_end, unmap) == 0)
		heddle__api = heddle_annotations_attach(
			HEDDLE_ANNOTATIONS_INTERFACE, heddle__api_events, HEDDLE_API_EVENT_COUNT);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry of modules. A module is a file (path and build id); it is registered once and keeps its id, however
 * often it is loaded, unloaded or moved. Runs on normal threads only: module_ranges.c answers the queries of signal
 * handlers from the ranges published here. Memory is mapped, never taken from the program's heap, and never returned.
 */
#include "core/modules/module.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/mapping.h"
#include "core/modules/model.h"
#include "core/modules/module_provisional.h"
#include "core/modules/module_ranges.h"
#include "core/modules/module_scan.h"

#define MODULES_PER_BLOCK 256
#define BLOCKS (HEDDLE_FIRST_PROVISIONAL / MODULES_PER_BLOCK)
#define BUCKETS 1024
#define PATHS_SIZE ((size_t)64 << 10)
#define PATH_SIZE 4096
#define FORK_PATIENCE_NS 2000000000u

/* `module` is first: a pointer to it is a pointer to its record. */
struct record {
	struct heddle_module module;
	uint64_t fingerprint;
	uint64_t name_hash;  /* of the dynamic linker's name at the latest load */
	uint64_t generation; /* of the last refresh that found it loaded */
	struct record *next; /* in the same bucket */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *_Atomic blocks[BLOCKS];
static _Atomic uint32_t module_count;
static struct record *buckets[BUCKETS];
static char *paths, *paths_end;
static heddle_module_loaded *on_loaded;
static uint64_t generation;
static unsigned long long known_adds, known_subs;

/* What one refresh collects. */
struct refresh {
	bool forced; /* examine all modules even if nothing changed, and call on_loaded for all */
	bool started;
	size_t count;
	struct heddle_module_range ranges[HEDDLE_RANGES_MAX];
};
static struct refresh gathered; /* protected by the lock; too large for a stack */

static const char *keep_path(const char *path)
{
	size_t size = strlen(path) + 1;
	char *kept;
	if ((size_t)(paths_end - paths) < size) {
		char *memory = heddle__private_mapping(PATHS_SIZE);

		if (!memory)
			return NULL;
		paths = memory;
		paths_end = memory + PATHS_SIZE;
	}
	kept = memcpy(paths, path, size);
	paths += size;
	return kept;
}

static struct record *record_by_id(uint32_t id)
{
	struct record *block;
	if (id == 0 || id >= MODULES_PER_BLOCK * BLOCKS)
		return NULL;
	block = atomic_load_explicit(&blocks[id / MODULES_PER_BLOCK], memory_order_acquire);
	return block ? &block[id % MODULES_PER_BLOCK] : NULL;
}

/* Returns an empty record with the next id, which becomes valid in enter_record(), or NULL. */
static struct record *new_record(void)
{
	uint32_t id = atomic_load_explicit(&module_count, memory_order_relaxed) + 1;
	if (id >= MODULES_PER_BLOCK * BLOCKS)
		return NULL;
	if (!record_by_id(id)) {
		struct record *block = heddle__private_mapping(MODULES_PER_BLOCK * sizeof(*block));

		if (!block)
			return NULL;
		atomic_store_explicit(&blocks[id / MODULES_PER_BLOCK], block, memory_order_release);
	}
	return record_by_id(id);
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool holds(const struct heddle__scanned *scanned, uintptr_t address)
{
	return address >= scanned->low && address < scanned->high;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static unsigned int role_of(const struct heddle__scanned *scanned, const char *path)
{
	const char *name = name_of(path);
	unsigned int model = heddle__model_of_library(name);
	if (heddle__scan_is_vdso(scanned))
		return HEDDLE_MODULE_VDSO;
	if (holds(scanned, getauxval(AT_ENTRY)))
		return HEDDLE_MODULE_EXECUTABLE;
	if (holds(scanned, (uintptr_t)&heddle__modules_refresh) || (!model && starts_with(name, "libheddle-")))
		return HEDDLE_MODULE_HEDDLE; /* this library, or one that is preloaded with it */
	if (model)
		return HEDDLE_MODULE_RUNTIME + model;
	if (starts_with(name, "libc.so") || starts_with(name, "libpthread") || starts_with(name, "ld-linux"))
		return HEDDLE_MODULE_LIBC;
	return HEDDLE_MODULE_OTHER;
}

static size_t kept_build_id_size(const struct heddle__scanned *scanned)
{
	size_t most = sizeof(((struct heddle_module *)0)->build_id);
	return scanned->build_id_size < most ? scanned->build_id_size : most;
}

static bool same_content(const struct record *record, const struct heddle__scanned *scanned)
{
	size_t size = kept_build_id_size(scanned);
	return record->fingerprint == scanned->fingerprint && record->module.build_id_size == size &&
	       (size == 0 || !memcmp(record->module.build_id, (const void *)scanned->build_id, size));
}

static struct record **bucket_of(const char *path)
{
	return &buckets[heddle__scan_hash(0, path, strlen(path)) % BUCKETS];
}

static void take_up(struct heddle_module *module, const char *loaded)
{
	unsigned int model = heddle__model_of_library_with(name_of(module->path), name_of(loaded));
	if (model)
		heddle__module_set_role(module, HEDDLE_MODULE_RUNTIME + model);
}

/* Some libraries belong to a runtime only together with another one. Either of the two may be loaded first. */
static void take_up_companions(struct heddle_module *entered)
{
	for (uint32_t id = 1; id <= atomic_load_explicit(&module_count, memory_order_relaxed); id++) {
		struct record *record = record_by_id(id);

		if (!record)
			continue;
		take_up(&record->module, entered->path);
		take_up(entered, record->module.path);
	}
}

static struct record *enter_record(const struct heddle__scanned *scanned, const char *path, struct record **bucket)
{
	struct record *record = new_record();
	struct heddle_module *module;
	if (!record)
		return NULL;
	module = &record->module;
	module->path = keep_path(path);
	if (!module->path)
		return NULL;
	module->id = atomic_load_explicit(&module_count, memory_order_relaxed) + 1;
	module->build_id_size = (uint8_t)kept_build_id_size(scanned);
	if (module->build_id_size)
		memcpy(module->build_id, (const void *)scanned->build_id, module->build_id_size);
	atomic_store_explicit(&module->role, (uint8_t)role_of(scanned, path), memory_order_relaxed);
	/* until the refresh below finds it loaded */
	atomic_store_explicit(&module->unloaded, true, memory_order_relaxed);
	record->fingerprint = scanned->fingerprint;
	record->next = *bucket;
	*bucket = record;
	atomic_store_explicit(&module_count, module->id, memory_order_release);
	take_up_companions(module);
	return record;
}

/* Returns the record loaded at this address in the previous refresh, if it still is; saves finding its path. */
static struct record *record_as_before(const struct heddle__scanned *scanned, uint64_t name_hash)
{
	size_t count, low = 0;
	const struct heddle_module_range *before = heddle__ranges_published(&count);
	while (count - low > 1) {
		size_t middle = (low + count) / 2;

		if (before[middle].low <= scanned->low)
			low = middle;
		else
			count = middle;
	}
	if (count > 0 && before[low].low == scanned->low && before[low].base == scanned->base) {
		struct record *record = (struct record *)before[low].module;

		if (record->name_hash == name_hash && same_content(record, scanned))
			return record;
	}
	return NULL;
}

static struct record *find_or_enter(const struct heddle__scanned *scanned)
{
	uint64_t name_hash = heddle__scan_hash(0, scanned->name, strlen(scanned->name));
	struct record *record = record_as_before(scanned, name_hash), **bucket;
	char path[PATH_SIZE];
	if (record)
		return record;
	heddle__scan_path(scanned, path, sizeof(path));
	bucket = bucket_of(path);
	for (record = *bucket; record; record = record->next)
		if (!strcmp(record->module.path, path) && same_content(record, scanned))
			break;
	if (!record)
		record = enter_record(scanned, path, bucket);
	if (record)
		record->name_hash = name_hash;
	return record;
}

/* Inserts a range by address. Ranges are few, and the dynamic linker's order is almost ascending or descending. */
static void add_range(struct refresh *refresh, const struct heddle__scanned *scanned, struct record *record)
{
	size_t i = refresh->count++;
	for (; i > 0 && refresh->ranges[i - 1].low > scanned->low; i--)
		refresh->ranges[i] = refresh->ranges[i - 1];
	refresh->ranges[i] = (struct heddle_module_range){
		.low = scanned->low,
		.high = scanned->high,
		.base = scanned->base,
		.eh_frame_hdr = scanned->eh_frame_hdr,
		.build_id = scanned->build_id_size >= sizeof(uint64_t) ? scanned->build_id : 0,
		.module = &record->module,
	};
}

static void see_loaded(struct refresh *refresh, const struct heddle__scanned *scanned)
{
	struct record *record = find_or_enter(scanned);
	struct heddle_module *module;
	bool news;
	if (!record || refresh->count == HEDDLE_RANGES_MAX)
		return;
	module = &record->module;
	news = refresh->forced || atomic_load_explicit(&module->unloaded, memory_order_relaxed) ||
	       module->base != scanned->base;
	module->base = scanned->base;
	module->low = scanned->low;
	module->high = scanned->high;
	module->eh_frame_hdr = (const uint8_t *)scanned->eh_frame_hdr;
	record->generation = generation;
	atomic_store_explicit(&module->unloaded, false, memory_order_relaxed);
	if (news && on_loaded)
		on_loaded(module);
	add_range(refresh, scanned, record);
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	struct refresh *refresh = data;
	struct heddle__scanned scanned;
	(void)size;
	if (!refresh->started) {
		if (!refresh->forced && info->dlpi_adds == known_adds && info->dlpi_subs == known_subs)
			return 1;
		known_adds = info->dlpi_adds;
		known_subs = info->dlpi_subs;
		refresh->started = true;
		generation++;
	}
	if (heddle__scan_module(info, &scanned))
		see_loaded(refresh, &scanned);
	return 0;
}

static void mark_unloaded(void)
{
	size_t count;
	const struct heddle_module_range *before = heddle__ranges_published(&count);
	for (size_t i = 0; i < count; i++) {
		struct record *record = (struct record *)before[i].module;

		if (record->generation != generation)
			atomic_store_explicit(&record->module.unloaded, true, memory_order_relaxed);
	}
}

static void refresh_locked(bool forced)
{
	gathered.forced = forced;
	gathered.started = false;
	gathered.count = 0;
	atomic_store_explicit(&heddle__ranges_stale, false, memory_order_relaxed);
	dl_iterate_phdr(visit, &gathered);
	if (!gathered.started)
		return;
	mark_unloaded();
	heddle__ranges_publish(gathered.ranges, gathered.count);
}

int heddle__modules_init(heddle_module_loaded *loaded)
{
	uint32_t count;
	pthread_mutex_lock(&lock);
	on_loaded = loaded;
	refresh_locked(true);
	count = atomic_load_explicit(&module_count, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	return count ? 0 : -ENOMEM;
}

void heddle__modules_refresh(void)
{
	pthread_mutex_lock(&lock);
	refresh_locked(false);
	pthread_mutex_unlock(&lock);
}

bool heddle__modules_refresh_alone(void)
{
	if (_r_debug.r_state != RT_CONSISTENT || pthread_mutex_trylock(&lock))
		return false;
	refresh_locked(false);
	pthread_mutex_unlock(&lock);
	return true;
}

void heddle__module_set_role(struct heddle_module *module, unsigned int role)
{
	atomic_store_explicit(&module->role, (uint8_t)role, memory_order_relaxed);
}

uint32_t heddle__modules_count(void)
{
	return atomic_load_explicit(&module_count, memory_order_acquire);
}

const struct heddle_module *heddle__module_by_id(uint32_t id)
{
	struct record *record = id <= heddle__modules_count() ? record_by_id(id) : NULL;
	if (id >= HEDDLE_FIRST_PROVISIONAL)
		return heddle__provisional_module(id - HEDDLE_FIRST_PROVISIONAL);
	return record ? &record->module : NULL;
}

/*
 * If a signal handler that forks has interrupted the holder of the lock, the wait ends by its time-out. Does not use
 * pthread_mutex_clocklock: see take_lock in core/process/keeper.c.
 */
bool heddle__modules_before_fork(void)
{
	uint64_t until = heddle__clock_ns(CLOCK_REALTIME) + FORK_PATIENCE_NS;
	struct timespec give_up = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
	return pthread_mutex_timedlock(&lock, &give_up) == 0;
}

void heddle__modules_after_fork_parent(void)
{
	pthread_mutex_unlock(&lock);
}

void heddle__modules_after_fork(void)
{
	pthread_mutex_init(&lock, NULL);
	heddle__ranges_after_fork();
	known_adds = known_subs = 0; /* a refresh that fork interrupted in the parent is repeated */
}

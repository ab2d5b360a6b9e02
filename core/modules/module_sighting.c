/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. No lock; memory that may be unmapped meanwhile is read only through heddle__peek. */
#include "core/modules/module_sighting.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/peek.h"
#include "core/modules/mapped_path.h"

#define SIGHTINGS (0x10000u - HEDDLE_FIRST_SIGHTING)
#define HEADERS 32
#define PATH_SIZE 1024
#define NOTES_SIZE 512

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)

static struct heddle_module *_Atomic sightings[SIGHTINGS];
static _Atomic uint32_t count;

/* What is known of a file from its memory. */
struct sight {
	char path[PATH_SIZE];
	uintptr_t base, low, high, eh_frame_hdr, build_id_at;
	uint8_t build_id[20];
	uint8_t build_id_size;
};

static bool read_path(struct sight *sight, const struct link_map *map)
{
	struct link_map copy;
	if (!heddle__peek((uintptr_t)map, &copy, sizeof(copy)))
		return false;
	sight->base = copy.l_addr;
	size_t n = heddle__peek_some((uintptr_t)copy.l_name, sight->path, sizeof(sight->path) - 1);
	sight->path[n] = '\0';
	return sight->path[0] != '\0';
}

static void read_build_id(struct sight *sight, uintptr_t at, size_t size)
{
	uint8_t notes[NOTES_SIZE];
	size_t n = heddle__peek_some(at, notes, size < sizeof(notes) ? size : sizeof(notes));
	for (size_t i = 0; i + sizeof(ElfW(Nhdr)) <= n;) {
		ElfW(Nhdr) note;
		memcpy(&note, notes + i, sizeof(note));
		size_t text = i + sizeof(note) + ((note.n_namesz + 3u) & ~3u);
		size_t end = text + ((note.n_descsz + 3u) & ~3u);
		if (end > n || end <= i)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			!memcmp(notes + i + sizeof(note), "GNU", 4)) {
			sight->build_id_size = note.n_descsz < sizeof(sight->build_id) ? (uint8_t)note.n_descsz
										       : sizeof(sight->build_id);
			memcpy(sight->build_id, notes + text, sight->build_id_size);
			sight->build_id_at = at + text;
			return;
		}
		i = end;
	}
}

static void read_segment(struct sight *sight, const ElfW(Phdr) * header)
{
	uintptr_t at = sight->base + header->p_vaddr;
	if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
		sight->low = at < sight->low ? at : sight->low;
		sight->high = at + header->p_memsz > sight->high ? at + header->p_memsz : sight->high;
	} else if (header->p_type == PT_NOTE && !sight->build_id_size) {
		read_build_id(sight, at, header->p_memsz);
	}
}

static bool read_headers(struct sight *sight, uintptr_t start)
{
	ElfW(Ehdr) file;
	ElfW(Phdr) headers[HEADERS];
	if (!heddle__peek(start, &file, sizeof(file)) || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
		file.e_phentsize != sizeof(headers[0]) || file.e_phnum > HEADERS ||
		!heddle__peek(start + file.e_phoff, headers, file.e_phnum * sizeof(headers[0])))
		return false;
	sight->low = UINTPTR_MAX;
	for (unsigned int i = 0; i < file.e_phnum; i++)
		read_segment(sight, &headers[i]);
	return sight->low < sight->high;
}

/* A name that the dynamic linker has as dlopen was given it, and what it meant: found once, not at each sample. */
struct alias {
	const struct alias *next;
	const char *name;
	uintptr_t low;
	uint8_t build_id[sizeof(((struct sight *)0)->build_id)];
	const char *path;
};
static const struct alias *_Atomic aliases;

static const struct alias *find_alias(const struct sight *sight)
{
	for (const struct alias *alias = atomic_load(&aliases); alias; alias = alias->next)
		if (alias->low == sight->low && strcmp(alias->name, sight->path) == 0 &&
			memcmp(alias->build_id, sight->build_id, sizeof(alias->build_id)) == 0)
			return alias;
	return NULL;
}

static void enter_alias(const struct sight *sight, const char *path)
{
	size_t name_size = strlen(sight->path) + 1, path_size = strlen(path) + 1;
	struct alias *alias = heddle__alloc(sizeof(*alias));
	char *texts = heddle__alloc(name_size + path_size);
	if (!alias || !texts)
		return;
	alias->name = memcpy(texts, sight->path, name_size);
	alias->path = memcpy(texts + name_size, path, path_size);
	alias->low = sight->low;
	memcpy(alias->build_id, sight->build_id, sizeof(alias->build_id));
	alias->next = atomic_load(&aliases);
	while (!atomic_compare_exchange_weak(&aliases, &alias->next, alias))
		;
}

/* A relative name becomes the path that the registry has; without /proc it stays. */
static void make_absolute(struct sight *sight)
{
	char path[PATH_SIZE];
	if (sight->path[0] == '/')
		return;
	const struct alias *alias = sight->build_id_size ? find_alias(sight) : NULL;
	if (!alias && !heddle__mapped_path(sight->low, path, sizeof(path)))
		return;
	if (!alias && sight->build_id_size)
		enter_alias(sight, path);
	const char *found = alias ? alias->path : path;
	memcpy(sight->path, found, strlen(found) + 1);
}

static bool is_same_file(const struct heddle_module *module, const struct sight *sight)
{
	return module && sight->build_id_size && module->build_id_size == sight->build_id_size &&
	       memcmp(module->build_id, sight->build_id, sight->build_id_size) == 0 &&
	       strcmp(module->path, sight->path) == 0;
}

static const struct heddle_module *find_known(const struct sight *sight)
{
	for (uint32_t id = heddle__modules_count(); id; id--) {
		if (is_same_file(heddle__module_by_id(id), sight))
			return heddle__module_by_id(id);
	}
	for (uint32_t i = heddle__sightings(); i-- > 0;) {
		if (is_same_file(heddle__sighting(i), sight))
			return heddle__sighting(i);
	}
	return NULL;
}

static const struct heddle_module *enter(const struct sight *sight)
{
	size_t path_size = strlen(sight->path) + 1;
	struct heddle_module *module = heddle__alloc(sizeof(*module));
	char *path = heddle__alloc(path_size);
	if (!module || !path || atomic_load(&count) >= SIGHTINGS)
		return NULL;
	uint32_t number = atomic_fetch_add(&count, 1);
	if (number >= SIGHTINGS)
		return NULL;
	module->id = HEDDLE_FIRST_SIGHTING + number;
	module->base = sight->base;
	module->low = sight->low;
	module->high = sight->high;
	module->eh_frame_hdr = (const uint8_t *)sight->eh_frame_hdr;
	module->build_id_size = sight->build_id_size;
	memcpy(module->build_id, sight->build_id, sight->build_id_size);
	module->path = memcpy(path, sight->path, path_size);
	atomic_store(&sightings[number], module);
	return module;
}

bool heddle__module_sight(uintptr_t address, struct heddle_module_range *range)
{
	struct dl_find_object object;
	struct sight sight = {.build_id_size = 0};
	if (_dl_find_object((void *)address, &object) != 0 || !read_path(&sight, object.dlfo_link_map) ||
		!read_headers(&sight, (uintptr_t)object.dlfo_map_start) || address < sight.low || address >= sight.high)
		return false;
	sight.eh_frame_hdr = (uintptr_t)object.dlfo_eh_frame;
	make_absolute(&sight);
	const struct heddle_module *module = find_known(&sight);
	if (!module)
		module = enter(&sight);
	if (!module)
		return false;
	*range = (struct heddle_module_range){.low = sight.low,
		.high = sight.high,
		.base = sight.base,
		.eh_frame_hdr = sight.eh_frame_hdr,
		.build_id = sight.build_id_size >= sizeof(uint64_t) ? sight.build_id_at : 0,
		.module = (struct heddle_module *)(uintptr_t)module};
	return true;
}

uint32_t heddle__sightings(void)
{
	uint32_t n = atomic_load(&count);
	return n < SIGHTINGS ? n : SIGHTINGS;
}

const struct heddle_module *heddle__sighting(uint32_t number)
{
	return number < SIGHTINGS ? atomic_load(&sightings[number]) : NULL;
}

#else /* glibc before 2.35 has no _dl_find_object */

bool heddle__module_sight(uintptr_t address, struct heddle_module_range *range)
{
	(void)address, (void)range;
	return false;
}

uint32_t heddle__sightings(void)
{
	return 0;
}

const struct heddle_module *heddle__sighting(uint32_t number)
{
	(void)number;
	return NULL;
}

#endif

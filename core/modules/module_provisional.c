/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. No lock; memory that may be unmapped meanwhile is read only through heddle__peek. */
#include "core/modules/module_provisional.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/peek.h"
#include "core/modules/mapped_path.h"

#define PROVISIONAL_MODULES (0x10000u - HEDDLE_FIRST_PROVISIONAL)
#define HEADERS 32
#define PATH_SIZE 1024
#define NOTES_SIZE 512

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)

static struct heddle_module *_Atomic modules[PROVISIONAL_MODULES];
static _Atomic uint32_t count;

/* A file, as read from its mapped memory. */
struct image {
	char path[PATH_SIZE];
	uintptr_t base, low, high, eh_frame_hdr, build_id_at;
	uint8_t build_id[20];
	uint8_t build_id_size;
};

static bool read_path(struct image *image, const struct link_map *map)
{
	struct link_map copy;
	if (!heddle__peek((uintptr_t)map, &copy, sizeof(copy)))
		return false;
	image->base = copy.l_addr;
	size_t n = heddle__peek_some((uintptr_t)copy.l_name, image->path, sizeof(image->path) - 1);
	image->path[n] = '\0';
	return image->path[0] != '\0';
}

static void read_build_id(struct image *image, uintptr_t at, size_t size)
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
			image->build_id_size = note.n_descsz < sizeof(image->build_id) ? (uint8_t)note.n_descsz
										       : sizeof(image->build_id);
			memcpy(image->build_id, notes + text, image->build_id_size);
			image->build_id_at = at + text;
			return;
		}
		i = end;
	}
}

static void read_segment(struct image *image, const ElfW(Phdr) * header)
{
	uintptr_t at = image->base + header->p_vaddr;
	if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
		image->low = at < image->low ? at : image->low;
		image->high = at + header->p_memsz > image->high ? at + header->p_memsz : image->high;
	} else if (header->p_type == PT_NOTE && !image->build_id_size) {
		read_build_id(image, at, header->p_memsz);
	}
}

static bool read_headers(struct image *image, uintptr_t start)
{
	ElfW(Ehdr) file;
	ElfW(Phdr) headers[HEADERS];
	if (!heddle__peek(start, &file, sizeof(file)) || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
		file.e_phentsize != sizeof(headers[0]) || file.e_phnum > HEADERS ||
		!heddle__peek(start + file.e_phoff, headers, file.e_phnum * sizeof(headers[0])))
		return false;
	image->low = UINTPTR_MAX;
	for (unsigned int i = 0; i < file.e_phnum; i++)
		read_segment(image, &headers[i]);
	return image->low < image->high;
}

/* The path of a file that the dynamic linker lists by a relative name, as passed to dlopen: found once and cached. */
struct alias {
	const struct alias *next;
	const char *name;
	uintptr_t low;
	uint8_t build_id[sizeof(((struct image *)0)->build_id)];
	const char *path;
};
static const struct alias *_Atomic aliases;

static const struct alias *find_alias(const struct image *image)
{
	for (const struct alias *alias = atomic_load(&aliases); alias; alias = alias->next)
		if (alias->low == image->low && strcmp(alias->name, image->path) == 0 &&
			memcmp(alias->build_id, image->build_id, sizeof(alias->build_id)) == 0)
			return alias;
	return NULL;
}

static void enter_alias(const struct image *image, const char *path)
{
	size_t name_size = strlen(image->path) + 1, path_size = strlen(path) + 1;
	struct alias *alias = heddle__alloc(sizeof(*alias));
	char *texts = heddle__alloc(name_size + path_size);
	if (!alias || !texts)
		return;
	alias->name = memcpy(texts, image->path, name_size);
	alias->path = memcpy(texts + name_size, path, path_size);
	alias->low = image->low;
	memcpy(alias->build_id, image->build_id, sizeof(alias->build_id));
	alias->next = atomic_load(&aliases);
	while (!atomic_compare_exchange_weak(&aliases, &alias->next, alias))
		;
}

/* Replaces a relative name by the path that the registry has; keeps it if /proc is not available. */
static void make_absolute(struct image *image)
{
	char path[PATH_SIZE];
	if (image->path[0] == '/')
		return;
	const struct alias *alias = image->build_id_size ? find_alias(image) : NULL;
	if (!alias && !heddle__mapped_path(image->low, path, sizeof(path)))
		return;
	if (!alias && image->build_id_size)
		enter_alias(image, path);
	const char *found = alias ? alias->path : path;
	memcpy(image->path, found, strlen(found) + 1);
}

static bool is_same_file(const struct heddle_module *module, const struct image *image)
{
	return module && image->build_id_size && module->build_id_size == image->build_id_size &&
	       memcmp(module->build_id, image->build_id, image->build_id_size) == 0 &&
	       strcmp(module->path, image->path) == 0;
}

static const struct heddle_module *find_known(const struct image *image)
{
	for (uint32_t id = heddle__modules_count(); id; id--) {
		if (is_same_file(heddle__module_by_id(id), image))
			return heddle__module_by_id(id);
	}
	for (uint32_t i = heddle__provisional_count(); i-- > 0;) {
		if (is_same_file(heddle__provisional_module(i), image))
			return heddle__provisional_module(i);
	}
	return NULL;
}

static const struct heddle_module *enter(const struct image *image)
{
	size_t path_size = strlen(image->path) + 1;
	struct heddle_module *module = heddle__alloc(sizeof(*module));
	char *path = heddle__alloc(path_size);
	if (!module || !path || atomic_load(&count) >= PROVISIONAL_MODULES)
		return NULL;
	uint32_t number = atomic_fetch_add(&count, 1);
	if (number >= PROVISIONAL_MODULES)
		return NULL;
	module->id = HEDDLE_FIRST_PROVISIONAL + number;
	module->base = image->base;
	module->low = image->low;
	module->high = image->high;
	module->eh_frame_hdr = (const uint8_t *)image->eh_frame_hdr;
	module->build_id_size = image->build_id_size;
	memcpy(module->build_id, image->build_id, image->build_id_size);
	module->path = memcpy(path, image->path, path_size);
	atomic_store(&modules[number], module);
	return module;
}

bool heddle__module_find_provisional(uintptr_t address, struct heddle_module_range *range)
{
	struct dl_find_object object;
	struct image image = {.build_id_size = 0};
	if (_dl_find_object((void *)address, &object) != 0 || !read_path(&image, object.dlfo_link_map) ||
		!read_headers(&image, (uintptr_t)object.dlfo_map_start) || address < image.low || address >= image.high)
		return false;
	image.eh_frame_hdr = (uintptr_t)object.dlfo_eh_frame;
	make_absolute(&image);
	const struct heddle_module *module = find_known(&image);
	if (!module)
		module = enter(&image);
	if (!module)
		return false;
	*range = (struct heddle_module_range){.low = image.low,
		.high = image.high,
		.base = image.base,
		.eh_frame_hdr = image.eh_frame_hdr,
		.build_id = image.build_id_size >= sizeof(uint64_t) ? image.build_id_at : 0,
		.module = (struct heddle_module *)(uintptr_t)module};
	return true;
}

uint32_t heddle__provisional_count(void)
{
	uint32_t n = atomic_load(&count);
	return n < PROVISIONAL_MODULES ? n : PROVISIONAL_MODULES;
}

const struct heddle_module *heddle__provisional_module(uint32_t number)
{
	return number < PROVISIONAL_MODULES ? atomic_load(&modules[number]) : NULL;
}

#else /* glibc before 2.35 has no _dl_find_object */

bool heddle__module_find_provisional(uintptr_t address, struct heddle_module_range *range)
{
	(void)address, (void)range;
	return false;
}

uint32_t heddle__provisional_count(void)
{
	return 0;
}

const struct heddle_module *heddle__provisional_module(uint32_t number)
{
	(void)number;
	return NULL;
}

#endif

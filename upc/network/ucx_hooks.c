/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces functions of the C library that UCX calls, in UCX's libraries only; calls of the program and of other
 * libraries are not affected. Each library has a table of the addresses of functions that it calls; entries of that
 * table are changed. Context: open.
 */
#include "upc/network/ucx_gate.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define TYPES_OF_ENTRIES(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define TYPES_OF_ENTRIES(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define TYPES_OF_ENTRIES(type) 0
#endif

/* The tables in the dynamic section of a library. */
struct tables {
	const char *names;
	const ElfW(Sym) * symbols;
	const ElfW(Rela) * relocations[2];
	size_t sizes[2];
};

/* The loader replaces offsets by addresses; on some systems it leaves the section unchanged. */
static const void *address_in(const struct link_map *map, ElfW(Addr) value)
{
	return (const void *)(value < map->l_addr ? map->l_addr + value
						  : value); /* NOLINT(performance-no-int-to-ptr) */
}

static void read_tables(const struct link_map *map, struct tables *tables)
{
	*tables = (struct tables){0};
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_STRTAB)
			tables->names = address_in(map, entry->d_un.d_ptr);
		else if (entry->d_tag == DT_SYMTAB)
			tables->symbols = address_in(map, entry->d_un.d_ptr);
		else if (entry->d_tag == DT_JMPREL)
			tables->relocations[0] = address_in(map, entry->d_un.d_ptr);
		else if (entry->d_tag == DT_PLTRELSZ)
			tables->sizes[0] = entry->d_un.d_val;
		else if (entry->d_tag == DT_RELA)
			tables->relocations[1] = address_in(map, entry->d_un.d_ptr);
		else if (entry->d_tag == DT_RELASZ)
			tables->sizes[1] = entry->d_un.d_val;
	}
}

/* Returns 1 if the loader made that part of a library read-only after it had filled it in. */
static int find_protected(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t *entry = data;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO && *entry - start < info->dlpi_phdr[i].p_memsz)
			return 1;
	}
	return 0;
}

static bool change(ElfW(Addr) entry, const void *function)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)(entry & ~(page - 1)); /* NOLINT(performance-no-int-to-ptr) */
	bool is_protected = dl_iterate_phdr(find_protected, &entry) == 1;
	if (is_protected && mprotect(start, page, PROT_READ | PROT_WRITE))
		return false;
	__atomic_store_n((const void **)entry, function, __ATOMIC_SEQ_CST); /* NOLINT(performance-no-int-to-ptr) */
	return !is_protected || !mprotect(start, page, PROT_READ);
}

/* Changes the entries of one library; counts them in `found`. */
static bool hook_in(const char *library, const struct hupc__ucx_hook *hook, unsigned *found)
{
	struct link_map *map;
	struct tables tables;
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	bool good = true;
	if (!handle)
		return true;
	if (!dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
		read_tables(map, &tables);
		for (int t = 0; t < 2 && tables.names && tables.symbols; t++) {
			const ElfW(Rela) *it = tables.relocations[t];
			for (size_t i = 0; it && i < tables.sizes[t] / sizeof *it; i++) {
				const char *name = tables.names + tables.symbols[ELF64_R_SYM(it[i].r_info)].st_name;
				if (!TYPES_OF_ENTRIES(ELF64_R_TYPE(it[i].r_info)) || strcmp(name, hook->name) != 0)
					continue;
				good = change(map->l_addr + it[i].r_offset, hook->function) && good;
				++*found;
			}
		}
	}
	dlclose(handle);
	return good;
}

const char *hupc__ucx_hook(const struct hupc__ucx_hook *hooks, size_t count)
{
	static const char *const libraries[] = {"libucs.so.0", "libuct.so.0", "libucp.so.0"};
	for (size_t i = 0; i < count; i++) {
		unsigned found = 0;
		for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++) {
			if (!hook_in(libraries[l], &hooks[i], &found))
				return hooks[i].name;
		}
		if (!found && hooks[i].needed)
			return hooks[i].name;
	}
	return NULL;
}

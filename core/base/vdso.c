/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the page's own symbol table. The dynamic linker need not list the page, and a lookup through the linker may
 * find another library's function of that name. The page comes from the kernel, so it is not validated.
 */
#include "core/base/vdso.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

struct table {
	uintptr_t bias;
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash, *gnu_hash; /* one of them may be missing */
};

static const ElfW(Dyn) * find_dynamic(const ElfW(Ehdr) * header, struct table *table)
{
	const ElfW(Phdr) *part = (const void *)((uintptr_t)header + header->e_phoff);
	const ElfW(Dyn) *dynamic = NULL;
	bool loaded = false;
	for (unsigned int i = 0; i < header->e_phnum; i++) {
		if (part[i].p_type == PT_LOAD && !loaded) {
			table->bias = (uintptr_t)header + part[i].p_offset - part[i].p_vaddr;
			loaded = true;
		} else if (part[i].p_type == PT_DYNAMIC) {
			dynamic = (const void *)((uintptr_t)header + part[i].p_offset);
		}
	}
	return loaded ? dynamic : NULL;
}

static void read_dynamic(const ElfW(Dyn) * entry, struct table *table)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		const void *at = (const void *)(table->bias + entry->d_un.d_ptr);
		if (entry->d_tag == DT_SYMTAB)
			table->symbols = at;
		else if (entry->d_tag == DT_STRTAB)
			table->names = at;
		else if (entry->d_tag == DT_HASH)
			table->hash = at;
		else if (entry->d_tag == DT_GNU_HASH)
			table->gnu_hash = at;
	}
}

/* Counts the symbols: the chain that begins last ends with the last symbol. */
static uint32_t count_by_gnu_hash(const uint32_t *hash)
{
	uint32_t buckets = hash[0], first = hash[1], filter = hash[2] * (uint32_t)(sizeof(ElfW(Addr)) / 4), last = 0;
	const uint32_t *bucket = hash + 4 + filter, *chain = bucket + buckets;
	for (uint32_t i = 0; i < buckets; i++)
		last = bucket[i] > last ? bucket[i] : last;
	if (last < first)
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

static uint32_t count_symbols(const struct table *table)
{
	if (table->hash)
		return table->hash[1];
	return table->gnu_hash ? count_by_gnu_hash(table->gnu_hash) : 0;
}

void *heddle__vdso_function(const char *name)
{
	struct table table = {0};
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Dyn) *dynamic = header ? find_dynamic(header, &table) : NULL;
	if (!dynamic)
		return NULL;
	read_dynamic(dynamic, &table);
	uint32_t count = table.symbols && table.names ? count_symbols(&table) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const ElfW(Sym) *symbol = &table.symbols[i];
		if (symbol->st_shndx != SHN_UNDEF && strcmp(table.names + symbol->st_name, name) == 0)
			return (void *)(table.bias + symbol->st_value);
	}
	return NULL;
}

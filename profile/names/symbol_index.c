/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists are sorted once, then searched by bisection. libdwfl finds the tables: .symtab, a separate file's, .dynsym. */
#include "profile/names/symbol_index.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Ranks global before weak before local symbols, and functions before labels. */
static uint8_t rank_of(const GElf_Sym *symbol)
{
	static const uint8_t bindings[] = {[STB_LOCAL] = 1, [STB_WEAK] = 2, [STB_GLOBAL] = 3};
	unsigned binding = GELF_ST_BIND(symbol->st_info);
	uint8_t rank = binding < sizeof(bindings) ? bindings[binding] : 0;
	return GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE ? rank : (uint8_t)(rank + 4);
}

static bool is_code(const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	return name && *name && symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

/*
 * A symbol without a size (assembly) covers the code that follows it in its section, up to the next symbol, but not
 * more than this: otherwise all code of a stripped library, up to the next exported function, would have its name.
 */
#define UNSIZED_REACH 4096

static uint64_t end_of_unsized(Elf *elf, GElf_Word number, uint64_t address)
{
	GElf_Shdr header;
	Elf_Scn *section = elf ? elf_getscn(elf, number) : NULL;
	if (!section || !gelf_getshdr(section, &header) || (header.sh_flags & SHF_EXECINSTR) == 0 ||
		address < header.sh_addr || address - header.sh_addr >= header.sh_size)
		return address;
	uint64_t left = header.sh_size - (address - header.sh_addr);
	return address + (left < UNSIZED_REACH ? left : UNSIZED_REACH);
}

static int append_symbol(struct profile_symbol_list *list, const struct profile_symbol *symbol)
{
	int error = profile_reserve(&list->at, &list->capacity, list->count + 1, sizeof(*list->at));
	if (!error && symbol->low < symbol->high)
		list->at[list->count++] = *symbol;
	return error;
}

static int add_symbol(struct profile_symbol_index *index, Dwfl_Module *module, int number)
{
	GElf_Sym from;
	GElf_Addr address;
	GElf_Word section;
	Elf *elf;
	Dwarf_Addr bias;
	const char *name = dwfl_module_getsym_info(module, number, &from, &address, &section, &elf, &bias);
	if (!is_code(&from, name))
		return 0;
	struct profile_symbol symbol = {.low = address, .name = name, .rank = rank_of(&from)};
	if (from.st_size != 0 && address + from.st_size > address) {
		symbol.high = address + from.st_size;
		return append_symbol(&index->sized, &symbol);
	}
	symbol.high = end_of_unsized(elf, section, address - bias) + bias;
	return append_symbol(&index->unsized, &symbol);
}

static int by_low(const void *a, const void *b)
{
	const struct profile_symbol *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return -strcmp(x->name, y->name);
}

static void sort(struct profile_symbol_list *list)
{
	uint64_t reach = 0;
	if (list->count)
		qsort(list->at, list->count, sizeof(*list->at), by_low);
	for (size_t i = 0; i < list->count; i++) {
		reach = list->at[i].high > reach ? list->at[i].high : reach;
		list->at[i].reach = reach;
	}
}

/* Both lists are sorted, so one pass is enough. */
static void cut_unsized(struct profile_symbol_index *index)
{
	const struct profile_symbol_list *sized = &index->sized;
	struct profile_symbol_list *unsized = &index->unsized;
	size_t next = 0;
	for (size_t i = 0; i < unsized->count; i++) {
		struct profile_symbol *symbol = &unsized->at[i];
		while (next < sized->count && sized->at[next].low <= symbol->low)
			next++;
		if (next < sized->count && sized->at[next].low < symbol->high)
			symbol->high = sized->at[next].low;
	}
}

int profile_symbol_index_open(struct profile_symbol_index *index, Dwfl_Module *module)
{
	int count = dwfl_module_getsymtab(module), error = 0;
	*index = (struct profile_symbol_index){0};
	for (int i = 1; i < count && !error; i++)
		error = add_symbol(index, module, i);
	sort(&index->sized);
	sort(&index->unsized);
	cut_unsized(index);
	return error;
}

void profile_symbol_index_close(struct profile_symbol_index *index)
{
	free(index->sized.at);
	free(index->unsized.at);
	*index = (struct profile_symbol_index){0};
}

static const struct profile_symbol *symbol_at(const struct profile_symbol_list *list, uint64_t address)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->at[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && address < list->at[low - 1].reach; low--)
		if (address < list->at[low - 1].high)
			return &list->at[low - 1];
	return NULL;
}

const struct profile_symbol *profile_symbol_index_find(const struct profile_symbol_index *index, uint64_t address)
{
	const struct profile_symbol *symbol = symbol_at(&index->sized, address);
	return symbol ? symbol : symbol_at(&index->unsized, address);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stub jumps through a slot of the global offset table; the slot's relocation names the function. Only stubs of
 * x86-64 are decoded; on other architectures they are shown as addresses.
 */
#include "profile/names/plt_names.h"

#include <gelf.h>
#include <stdio.h>
#include <string.h>

#define STUB_SIZE 16

static Elf_Scn *stub_section(Elf *elf, uint64_t address, GElf_Shdr *header)
{
	size_t names;
	Elf_Scn *section = NULL;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name;
		if (!gelf_getshdr(section, header) || header->sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(elf, names, header->sh_name);
		if (name && strncmp(name, ".plt", 4) == 0 && address >= header->sh_addr &&
			address - header->sh_addr < header->sh_size)
			return section;
	}
	return NULL;
}

/* Returns the address of the slot in `jmp *offset(%rip)` of the stub at an address; 0: not such a stub. */
static uint64_t slot_of(Elf_Scn *section, const GElf_Shdr *header, uint64_t address)
{
	uint64_t step = header->sh_entsize ? header->sh_entsize : STUB_SIZE;
	uint64_t start = (address - header->sh_addr) / step * step;
	Elf_Data *data = elf_getdata(section, NULL);
	for (uint64_t at = start; data && data->d_buf && at + 6 <= data->d_size && at < start + step; at++) {
		const unsigned char *code = (const unsigned char *)data->d_buf + at;
		int32_t distance;
		if (code[0] != 0xff || code[1] != 0x25)
			continue;
		memcpy(&distance, code + 2, sizeof(distance));
		return header->sh_addr + at + 6 + (uint64_t)(int64_t)distance;
	}
	return 0;
}

static const char *symbol_name(Elf *elf, const GElf_Shdr *relocations, size_t number)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Scn *section = elf_getscn(elf, relocations->sh_link);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	if (!data || !gelf_getshdr(section, &header) || !gelf_getsym(data, (int)number, &symbol))
		return NULL;
	return elf_strptr(elf, header.sh_link, symbol.st_name);
}

static const char *name_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, uint64_t slot)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Rela relocation;
	for (size_t i = 0; data && i < count && gelf_getrela(data, (int)i, &relocation); i++)
		if (relocation.r_offset == slot)
			return symbol_name(elf, header, GELF_R_SYM(relocation.r_info));
	return NULL;
}

const char *profile_plt_name(Elf *elf, uint64_t address, char *text, size_t size)
{
	GElf_Ehdr file;
	GElf_Shdr header;
	const char *name = NULL;
	Elf_Scn *section =
		gelf_getehdr(elf, &file) && file.e_machine == EM_X86_64 ? stub_section(elf, address, &header) : NULL;
	uint64_t slot = section ? slot_of(section, &header, address) : 0;
	section = NULL;
	while (slot && !name && (section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
			name = name_in(elf, section, &header, slot);
	if (!name || !*name)
		return NULL;
	snprintf(text, size, "%s@plt", name);
	return text;
}

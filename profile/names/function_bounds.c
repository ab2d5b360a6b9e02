/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source: the Linux Standard Base Core specification, "Exception Frames", for the encodings of pointers. libdw splits
 * the section into entries, and checks their lengths.
 */
#include "profile/names/function_bounds.h"

#include "profile/base/intern.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENCODING DW_EH_PE_omit

struct section {
	const unsigned char *ident; /* of the ELF header */
	Elf_Data *data;
	uint64_t address;
	size_t pointer; /* size of an address in bytes */
	Dwarf_Off cie;  /* offset of the CIE whose encoding was read last */
	uint8_t encoding;
};

static bool find_section(struct section *section, Elf *elf)
{
	size_t names;
	GElf_Shdr header;
	section->ident = (const unsigned char *)elf_getident(elf, NULL);
	section->pointer = gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
	section->cie = (Dwarf_Off)-1;
	if (!section->ident || elf_getshdrstrndx(elf, &names) != 0)
		return false;
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		const char *name = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (!name || strcmp(name, ".eh_frame") != 0 || header.sh_type == SHT_NOBITS)
			continue;
		section->data = elf_getdata(scn, NULL);
		section->address = header.sh_addr;
		return section->data && section->data->d_buf;
	}
	return false;
}

static size_t size_of(const struct section *section, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		return section->pointer;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return 4;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return 8;
	default:
		return 0;
	}
}

/* Reads a number, sign-extended if its encoding is signed. With `relative`, pc-relative numbers become addresses. */
static uint64_t read_pointer(const struct section *section, uint8_t encoding, const uint8_t *at, bool relative)
{
	uint64_t value = 0;
	size_t size = size_of(section, encoding);
	memcpy(&value, at, size); /* the file has this machine's byte order, because its code ran here */
	if (size == 4 && encoding & DW_EH_PE_signed && relative)
		value = (uint64_t)(int64_t)(int32_t)value;
	if (relative && (encoding & 0x70) == DW_EH_PE_pcrel)
		value += section->address + (uint64_t)(at - (const uint8_t *)section->data->d_buf);
	return value;
}

/* Returns the encoding of pointers in a CIE's entries; NO_ENCODING: it is not supported. */
static uint8_t encoding_of(const struct section *section, const Dwarf_CIE *cie)
{
	const uint8_t *at = cie->augmentation_data, *end = at + cie->augmentation_data_size;
	if (cie->augmentation[0] != 'z')
		return cie->augmentation[0] ? NO_ENCODING : DW_EH_PE_absptr;
	for (const char *letter = cie->augmentation + 1; *letter; letter++) {
		if (*letter == 'S' || *letter == 'B')
			continue;
		if (!at || at >= end)
			return NO_ENCODING;
		if (*letter == 'R')
			return *at;
		if (*letter == 'P' && size_of(section, *at))
			at += 1 + size_of(section, *at);
		else if (*letter == 'L')
			at++;
		else
			return NO_ENCODING;
	}
	return DW_EH_PE_absptr;
}

static void read_cie(struct section *section, Dwarf_Off offset)
{
	Dwarf_Off next;
	Dwarf_CFI_Entry entry;
	if (section->cie == offset)
		return;
	section->cie = offset;
	section->encoding = NO_ENCODING;
	if (dwarf_next_cfi(section->ident, section->data, true, offset, &next, &entry) == 0 && dwarf_cfi_cie_p(&entry))
		section->encoding = encoding_of(section, &entry.cie);
}

static int add_function(struct profile_function_bounds *bounds, struct section *section, const Dwarf_FDE *fde)
{
	read_cie(section, fde->CIE_pointer);
	size_t size = section->encoding == NO_ENCODING ? 0 : size_of(section, section->encoding);
	uint8_t base = section->encoding & 0x70;
	if (size == 0 || (size_t)(fde->end - fde->start) < 2 * size || (base && base != DW_EH_PE_pcrel))
		return 0;
	struct profile_function_range range = {.low = read_pointer(section, section->encoding, fde->start, true)};
	range.high = range.low + read_pointer(section, section->encoding, fde->start + size, false);
	int error = profile_reserve(&bounds->at, &bounds->capacity, bounds->count + 1, sizeof(*bounds->at));
	if (!error && range.low < range.high)
		bounds->at[bounds->count++] = range;
	return error;
}

static int by_low(const void *a, const void *b)
{
	const struct profile_function_range *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

int profile_function_bounds_open(struct profile_function_bounds *bounds, Elf *elf)
{
	struct section section = {0};
	int error = 0;
	*bounds = (struct profile_function_bounds){0};
	if (!find_section(&section, elf))
		return 0;
	for (Dwarf_Off offset = 0, next; !error; offset = next) {
		Dwarf_CFI_Entry entry;
		if (dwarf_next_cfi(section.ident, section.data, true, offset, &next, &entry) != 0 || next <= offset)
			break;
		if (!dwarf_cfi_cie_p(&entry))
			error = add_function(bounds, &section, &entry.fde);
	}
	if (bounds->count)
		qsort(bounds->at, bounds->count, sizeof(*bounds->at), by_low);
	return error;
}

void profile_function_bounds_close(struct profile_function_bounds *bounds)
{
	free(bounds->at);
	*bounds = (struct profile_function_bounds){0};
}

const struct profile_function_range *profile_function_bounds_find(
	const struct profile_function_bounds *bounds, uint64_t address)
{
	size_t low = 0, high = bounds->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (bounds->at[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address < bounds->at[low - 1].high ? &bounds->at[low - 1] : NULL;
}

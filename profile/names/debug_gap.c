/* SPDX-License-Identifier: BSD-3-Clause */
/* libdw reports only that there is no debug information, or returns empty units. */
#include "profile/names/debug_gap.h"

#include "profile/base/regular_file.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ZSTD 2 /* ELFCOMPRESS_ZSTD, which older versions of <elf.h> lack */

/* Reads the header itself, because libelf decodes it only for types that it knows. */
static bool is_by_zstd(Elf_Scn *section)
{
	GElf_Shdr header;
	Elf32_Word type;
	Elf_Data *data = NULL;
	if (gelf_getshdr(section, &header) && header.sh_flags & SHF_COMPRESSED)
		data = elf_rawdata(section, NULL);
	if (!data || data->d_size < sizeof(type))
		return false;
	memcpy(&type, data->d_buf, sizeof(type));
	return type == ZSTD;
}

static bool has_zstd(Elf *elf)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (name && strncmp(name, ".debug_", 7) == 0 && is_by_zstd(section))
			return true;
	}
	return false;
}

static bool is_compressed(const char *path)
{
	int fd = path ? profile_open_regular(path) : -1;
	if (fd < 0)
		return false;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool found = elf && has_zstd(elf);
	elf_end(elf);
	close(fd);
	return found;
}

/* Returns the file of -gsplit-dwarf that has a unit and was not found; NULL: there is none, or it was found. */
static char *missing_file(Dwarf_Die *unit, Dwarf_Die *split, uint8_t type)
{
	Dwarf_Attribute attribute;
	if (type != DW_UT_skeleton || split->addr)
		return NULL;
	const char *name = dwarf_formstring(dwarf_attr(unit, DW_AT_dwo_name, &attribute));
	if (!name)
		name = dwarf_formstring(dwarf_attr(unit, DW_AT_GNU_dwo_name, &attribute));
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	bool relative = name && *name != '/' && directory;
	char *path;
	return asprintf(&path, "%s%s%s", relative ? directory : "", relative ? "/" : "", name ? name : "a .dwo file") <
			       0
		       ? NULL
		       : path;
}

static char *find_missing_file(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;
	char *name = NULL;
	while (!name && dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, &split) == 0)
		name = missing_file(&die, &split, type);
	return name;
}

static struct profile_debug_gap find_in_split(Dwarf *dwarf, const char *path)
{
	struct profile_debug_gap gap = {.file = find_missing_file(dwarf)};
	char *package;
	if (!gap.file)
		return gap;
	gap.kind = HEDDLE_GAP_DWO;
	if (!path || asprintf(&package, "%s.dwp", path) < 0)
		return gap;
	if (access(package, F_OK) != 0) {
		free(package);
		return gap;
	}
	free(gap.file);
	return (struct profile_debug_gap){HEDDLE_GAP_DWP, package};
}

struct profile_debug_gap profile_debug_gap_find(const struct profile_code_file *file)
{
	struct profile_debug_gap gap = {HEDDLE_GAP_NONE, NULL};
	const char *path = NULL, *separate = NULL, *alternative;
	const void *build_id;
	Dwarf_Addr bias;
	if (!file->module)
		return gap;
	Dwarf *dwarf = dwfl_module_getdwarf(file->module, &bias);
	dwfl_module_info(file->module, NULL, NULL, NULL, NULL, NULL, &path, &separate);
	if (is_compressed(path) || is_compressed(separate))
		gap.kind = HEDDLE_GAP_ZSTD;
	else if (dwarf && dwelf_dwarf_gnu_debugaltlink(dwarf, &alternative, &build_id) > 0 && !dwarf_getalt(dwarf))
		gap = (struct profile_debug_gap){HEDDLE_GAP_ALT, strdup(alternative)};
	else if (dwarf)
		gap = find_in_split(dwarf, path);
	return gap;
}

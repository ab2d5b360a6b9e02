/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the types of all compilation units. Debug information is not trusted: nesting is bounded. */
#include "profile/names/member_name.h"

#include "profile/names/code_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <string.h>

#define DEEPEST 16 /* structures in structures, or typedefs of typedefs */

static bool is_structure(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

/* Resolves typedefs and qualifiers. Returns false if there is no type behind them. */
static bool strip(Dwarf_Die *type)
{
	for (int i = 0; i < DEEPEST; i++) {
		int tag = dwarf_tag(type);
		Dwarf_Die next;
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
			tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
			return true;
		if (!type_of(type, &next))
			return false;
		*type = next;
	}
	return false;
}

/* True if the entry of a unit is the type with that name and size; *found is then the structure. */
static bool is_type(Dwarf_Die *die, const char *name, uint64_t size, Dwarf_Die *found)
{
	int tag = dwarf_tag(die);
	const char *its = dwarf_diename(die);
	Dwarf_Word bytes;
	if (!its || strcmp(its, name) != 0 || !(is_structure(tag) || tag == DW_TAG_typedef))
		return false;
	*found = *die;
	return strip(found) && is_structure(dwarf_tag(found)) && dwarf_aggregate_size(found, &bytes) == 0 &&
	       bytes == size;
}

static bool find_type(struct profile_code_file *file, const char *type, uint64_t size, Dwarf_Die *found)
{
	bool tagged = strncmp(type, "struct ", 7) == 0 || strncmp(type, "union ", 6) == 0;
	const char *name = tagged ? strchr(type, ' ') + 1 : type;
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL, die;
	while ((unit = dwfl_module_nextcu(file->module, unit, &bias)) != NULL) {
		if (dwarf_child(unit, &die) != 0)
			continue;
		do {
			if (is_type(&die, name, size, found))
				return true;
		} while (dwarf_siblingof(&die, &die) == 0);
	}
	return false;
}

static uint64_t location_of(Dwarf_Die *member)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;
	if (dwarf_attr(member, DW_AT_data_member_location, &attribute))
		dwarf_formudata(&attribute, &value);
	return value;
}

/* Finds the member of a structure at *offset. *type becomes its type, *offset the offset in it. */
static bool find_member(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *member)
{
	Dwarf_Die die;
	if (dwarf_child(type, &die) != 0)
		return false;
	do {
		Dwarf_Die inner;
		Dwarf_Word bytes;
		uint64_t location = location_of(&die);
		if (dwarf_tag(&die) != DW_TAG_member || !type_of(&die, &inner) ||
			dwarf_aggregate_size(&inner, &bytes) != 0 || *offset < location || *offset - location >= bytes)
			continue;
		*member = die;
		*type = inner;
		*offset -= location;
		return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

/* Goes from an array to its element type. */
static bool enter_array(Dwarf_Die *type, uint64_t *offset)
{
	Dwarf_Die element;
	Dwarf_Word bytes;
	if (!type_of(type, &element) || dwarf_aggregate_size(&element, &bytes) != 0 || bytes == 0)
		return false;
	*type = element;
	*offset %= bytes;
	return true;
}

bool profile_member_name(
	struct profile_code_file *file, const char *type, uint64_t type_size, uint64_t offset, char *name, size_t size)
{
	Dwarf_Die at, member;
	size_t length = 0;
	if (!file->module || !find_type(file, type, type_size, &at))
		return false;
	name[0] = '\0';
	for (int i = 0; i < DEEPEST && length < size && strip(&at); i++) {
		int tag = dwarf_tag(&at);
		if (tag == DW_TAG_array_type && enter_array(&at, &offset)) {
			length += (size_t)snprintf(name + length, size - length, "[]");
		} else if (is_structure(tag) && find_member(&at, &offset, &member)) {
			const char *its = dwarf_diename(&member); /* NULL: an anonymous structure */
			length += (size_t)snprintf(
				name + length, size - length, "%s%s", length && its ? "." : "", its ? its : "");
		} else {
			break;
		}
	}
	return name[0] != '\0';
}

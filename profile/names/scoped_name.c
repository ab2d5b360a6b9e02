/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scopes of a function are the ancestors of its declaration: an inlined call or an instance refers to its abstract
 * origin, and a definition outside of its class to the declaration in the class.
 */
#include "profile/names/scoped_name.h"

#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Languages of DWARF 6, which older headers lack. */
#define CXX_17 0x2a
#define CXX_20 0x2b
#define CXX_23 0x3a

#define ORIGINS 8 /* limit of references to follow: broken debug information may have cycles */

static bool is_cxx(Dwarf_Die *die)
{
	Dwarf_Die unit;
	switch (dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case CXX_17:
	case CXX_20:
	case CXX_23:
		return true;
	default:
		return false;
	}
}

/* Follows references to the entry where a function is declared, whose ancestors are its scopes. */
static void find_declaration(Dwarf_Die *die)
{
	for (int i = 0; i < ORIGINS; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die origin;
		Dwarf_Attribute *found = dwarf_attr(die, DW_AT_abstract_origin, &attribute);
		if (!found)
			found = dwarf_attr(die, DW_AT_specification, &attribute);
		if (!found || !dwarf_formref_die(found, &origin))
			return;
		*die = origin;
	}
}

/* Returns what a scope adds to the name of function `bare`; NULL: nothing. Closures of lambdas are unnamed classes. */
static const char *scope_name(Dwarf_Die *scope, const char *bare)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(dwarf_attr_integrate(scope, DW_AT_name, &attribute));
	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		return name ? name : "(anonymous namespace)"; /* as demanglers write it */
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return name ? name : strcmp(bare, "operator()") == 0 ? "<lambda>" : "(unnamed)";
	case DW_TAG_subprogram:
		return name;
	default:
		return NULL;
	}
}

static char *put_before(char *name, const char *scope)
{
	char *whole = NULL;
	if (asprintf(&whole, "%s::%s", scope, name) < 0)
		whole = NULL;
	free(name);
	return whole;
}

/* Returns an allocated name; NULL: no memory. */
static char *with_scopes(Dwarf_Die *declaration, const char *bare)
{
	Dwarf_Die *scopes = NULL;
	char *name = strdup(bare);
	int count = dwarf_getscopes_die(declaration, &scopes);
	for (int i = 1; name && i < count; i++) { /* [0]: the function itself */
		const char *scope = scope_name(&scopes[i], bare);
		if (scope)
			name = put_before(name, scope);
	}
	free(scopes);
	return name;
}

int profile_scoped_name(struct profile_scoped_names *names, Dwarf_Die *function, const char **name)
{
	Dwarf_Die declaration = *function;
	*name = NULL;
	if (!is_cxx(function))
		return 0;
	find_declaration(&declaration);
	const char *bare = dwarf_diename(&declaration);
	if (!bare)
		return 0;
	size_t known = names->declarations.count;
	uint32_t number = profile_intern_bytes(&names->declarations, &declaration.addr, sizeof(declaration.addr));
	if (number == HEDDLE_INTERN_NONE ||
		profile_reserve(&names->names, &names->capacity, (size_t)number + 1, sizeof(*names->names)) != 0)
		return -ENOMEM;
	if (names->declarations.count > known) {
		char *whole = with_scopes(&declaration, bare);
		names->names[number] = whole ? profile_intern_text(&names->texts, whole) : NULL;
		free(whole);
	}
	if (!names->names[number])
		return -ENOMEM;
	*name = strcmp(names->names[number], bare) != 0 ? names->names[number] : NULL;
	return 0;
}

void profile_scoped_names_free(struct profile_scoped_names *names)
{
	profile_intern_free(&names->declarations);
	profile_intern_free(&names->texts);
	free(names->names);
	*names = (struct profile_scoped_names){0};
}

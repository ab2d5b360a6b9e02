/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Qualified names of C++ functions that no other unit can refer to. GCC gives no linkage name to these: static
 * functions, functions in unnamed namespaces, and templates with a lambda as argument.
 */
#ifndef HEDDLE_PROFILE_SCOPED_NAME_H
#define HEDDLE_PROFILE_SCOPED_NAME_H

#include "profile/base/intern.h"

#include <elfutils/libdw.h>

/* Names by declaration, cached: finding the scopes of a declaration takes a walk through its unit. */
struct profile_scoped_names {
	struct profile_intern declarations, texts;
	const char **names;
	size_t capacity;
};

/*
 * Sets *name to the name of a function with the namespaces, classes and functions that it is declared in, such as
 * "app::Grid<double>::each<main()::<lambda(double&)> >"; NULL: it is in none, or the language has no such names.
 * Returns 0 or -ENOMEM.
 */
int profile_scoped_name(struct profile_scoped_names *names, Dwarf_Die *function, const char **name);
void profile_scoped_names_free(struct profile_scoped_names *names);

#endif

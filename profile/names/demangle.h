/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbol names as people write them. */
#ifndef HEDDLE_PROFILE_DEMANGLE_H
#define HEDDLE_PROFILE_DEMANGLE_H

#include <stdbool.h>

/*
 * The readable form of a linker's name: C++ and Rust demangled without parameters, the compilers' clone suffixes
 * (.isra.0, .constprop.0, .part.0, .cold, ...) and symbol versions removed, `@plt` kept, types spelled. Malloc'd; NULL:
 * no memory.
 */
char *profile_demangle(const char *name);

/* Spells types in a C++ name as programs do: std::string for its template, no inline namespaces of the library's. */
void profile_spell_types(char *name);

/* A function that starts the program or a thread before any code of the user's runs. */
bool profile_is_start_name(const char *name);

#endif

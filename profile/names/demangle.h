/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts symbol names to the form in which programmers write them. */
#ifndef HEDDLE_PROFILE_DEMANGLE_H
#define HEDDLE_PROFILE_DEMANGLE_H

#include <stdbool.h>

/*
 * Returns the readable form of a linker's name: C++ and Rust demangled without parameters, the compilers' clone
 * suffixes (.isra.0, .constprop.0, .part.0, .cold, ...) and symbol versions removed, `@plt` kept, types shortened as by
 * profile_spell_types. Malloc'd; NULL: no memory.
 */
char *profile_demangle(const char *name);

/* Writes types in a C++ name as programs do: std::string for its template, without the library's inline namespaces. */
void profile_spell_types(char *name);

/* True for a function that starts the program or a thread before any code of the user runs. */
bool profile_is_start_name(const char *name);

#endif

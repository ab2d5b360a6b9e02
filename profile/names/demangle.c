/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Demangles with libiberty: a static library with the linking exception, made for C callers, that supports C++, Rust
 * and D and limits its recursion for hostile names. libstdc++'s __cxa_demangle supports only C++ and would bring the
 * whole C++ runtime into a C program. Parameters are left out, as by perf: paths stay readable, and overloads stay
 * distinct because the linker's name identifies a function.
 */
#include "profile/names/demangle.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

static const char *const clone_suffixes[] = {".isra.", ".constprop.", ".part.", ".cold", ".lto_priv.", ".llvm.",
	".localalias", ".direct", ".checked", ".testing", ".entry", "@@", "@"};

static char *without_suffixes(const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < sizeof(clone_suffixes) / sizeof(*clone_suffixes); i++) {
		const char *at = strstr(name, clone_suffixes[i]);
		if (at && at > name && (size_t)(at - name) < length)
			length = (size_t)(at - name);
	}
	return strndup(name, length);
}

/* Converts gfortran's "__module_MOD_procedure" to "module::procedure". NULL: not such a name, or no memory. */
static char *fortran_name(const char *name)
{
	const char *procedure = strncmp(name, "__", 2) == 0 ? strstr(name + 2, "_MOD_") : NULL;
	char *readable = NULL;
	if (!procedure || procedure == name + 2 || procedure[5] == '\0' ||
		asprintf(&readable, "%.*s::%s", (int)(procedure - name - 2), name + 2, procedure + 5) < 0)
		return NULL;
	return readable;
}

/* Removes "__GI_", glibc's prefix of internal names in debug information. NULL: no such name, or no memory. */
static char *inside_libc(const char *name)
{
	return strncmp(name, "__GI_", 5) == 0 && name[5] != '\0' ? strdup(name + 5) : NULL;
}

static char *demangle_bare(const char *name)
{
	char *bare = without_suffixes(name);
	if (!bare)
		return NULL;
	char *readable = fortran_name(bare);
	if (!readable)
		readable = inside_libc(bare);
	if (!readable)
		readable = cplus_demangle(bare, DMGL_AUTO);
	if (!readable)
		return bare;
	free(bare);
	return readable;
}

/* Inline namespaces of the C++ libraries, which programs do not write: "std::__cxx11::list", "std::__1::map". */
static void drop_inline_namespaces(char *name)
{
	static const char *const inner[] = {"::__cxx11::", "::__1::"};
	char *to = name;
	for (const char *from = name; *from; *to++ = *from++)
		for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++)
			if (strncmp(from, inner[i], strlen(inner[i])) == 0)
				from += strlen(inner[i]) - 2; /* to the second "::" */
	*to = '\0';
}

/* Returns the end of std::string, as demanglers and debug information write it; 0: the text begins otherwise. */
static size_t end_of_string_type(const char *text)
{
	static const char type[] = "std::basic_string<char, std::char_traits<char>, std::allocator<char>";
	size_t at = sizeof(type) - 1;
	if (strncmp(text, type, at) != 0)
		return 0;
	at += text[at] == ' ';
	return text[at] == '>' ? at + 1 : 0;
}

void profile_spell_types(char *name)
{
	static const char spelled[] = "std::string";
	char *to = name;
	drop_inline_namespaces(name);
	for (const char *from = name; *from;) {
		size_t end = end_of_string_type(from);
		if (!end) {
			*to++ = *from++;
			continue;
		}
		end += strncmp(from + end, " >", 2) == 0; /* drops the blank between two brackets */
		memcpy(to, spelled, sizeof(spelled) - 1); /* shorter than the text it replaces */
		to += sizeof(spelled) - 1;
		from += end;
	}
	*to = '\0';
}

char *profile_demangle(const char *name)
{
	size_t length = strlen(name), stub = sizeof("@plt") - 1;
	char *readable = demangle_bare(name), *whole;
	if (readable)
		profile_spell_types(readable);
	if (!readable || length <= stub || strcmp(name + length - stub, "@plt") != 0)
		return readable;
	if (asprintf(&whole, "%s@plt", readable) < 0)
		whole = NULL;
	free(readable);
	return whole;
}

static bool matches(const char *name, const char *const *patterns)
{
	for (; *patterns; patterns++)
		if (fnmatch(*patterns, name, 0) == 0)
			return true;
	return false;
}

bool profile_is_start_name(const char *name)
{
	static const char *const patterns[] = {"_start", "__libc_start_*", "start_thread", "clone", "clone3",
		"__clone*", "__GI___clone*", "_dl_start*", "_dl_init", "call_init*", "__libc_csu_init", NULL};
	return matches(name, patterns);
}

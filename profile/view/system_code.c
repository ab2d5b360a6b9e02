/* SPDX-License-Identifier: BSD-3-Clause */
/* Directories of the system are those of the Filesystem Hierarchy Standard; /usr/local and /opt are the user's. */
#include "profile/view/system_code.h"
#include "profile/base/base_name.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Removes "." and "..": compilers name their headers from their own directory, "/usr/bin/../lib/gcc/...". */
static void normalize(const char *path, char *room, size_t size)
{
	size_t length = 0;
	while (*path) {
		size_t word = 1 + strcspn(path + 1, "/"); /* with the slash before it */
		if (word == 3 && strncmp(path, "/..", 3) == 0)
			while (length && room[--length] != '/')
				;
		else if (!(word == 2 && strncmp(path, "/.", 2) == 0) && length + word < size) {
			memcpy(room + length, path, word);
			length += word;
		}
		path += word;
	}
	room[length] = '\0';
}

static bool is_of_system(const char *path)
{
	static const char *const directories[] = {
		"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/include/"};
	char normal[PATH_MAX];
	if (path[0] == '/' && strstr(path, "/.")) {
		normalize(path, normal, sizeof(normal));
		path = normal;
	}
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		if (strncmp(path, directories[i], strlen(directories[i])) == 0)
			return true;
	return strcmp(path, "[vdso]") == 0;
}

static bool stands_in_system(const struct profile_label *label)
{
	return is_of_system(label->module) || is_of_system(label->file);
}

bool profile_is_system_code(const struct profile_label *label)
{
	if (label->kind == HEDDLE_NODE_RUNTIME_FRAME)
		return true;
	return label->kind == HEDDLE_NODE_FRAME && stands_in_system(label);
}

static bool is_of_c_library(const char *module)
{
	const char *base = profile_base_name(module);
	return strncmp(base, "libc.so.", 8) == 0 || strncmp(base, "libm.so.", 8) == 0;
}

/* True for what the C library adds to the names of a function's versions, up to the next underscore. */
static bool is_version(const char *word)
{
	static const char *const words[] = {"fma", "fma4", "avx", "avx2", "avx512", "evex", "evex512", "sse2", "sse3",
		"sse4", "sse41", "sse42", "ssse3", "generic"};
	size_t length = strcspn(word, "_");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && strncmp(word, words[i], length) == 0)
			return true;
	return false;
}

const char *profile_public_name(const struct profile_label *label, char *room, size_t size)
{
	if (strncmp(label->text, "__", 2) != 0 || !is_of_c_library(label->module))
		return label->text;
	const char *name = label->text + 2;
	name += strncmp(name, "libc_", 5) == 0 ? 5 : 0;
	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_'))
		if (is_version(at + 1)) {
			snprintf(room, size, "%.*s", (int)(at - name), name);
			return room;
		}
	return strchr(name, '_') ? label->text : name; /* other names are internal to the library */
}

static bool is_system_node(const struct profile_view *view, uint32_t node)
{
	return profile_is_system_code(&view->labels[view->label_of[node]]);
}

uint32_t profile_user_code(const struct profile_view *view, uint32_t node)
{
	uint32_t user = node;
	while (user && is_system_node(view, user))
		user = view->parents[user];
	return user ? user : node;
}

uint32_t profile_user_place(const struct profile_view *view, uint32_t node)
{
	const struct profile_label *label = &view->labels[view->label_of[node]];
	if (node && label->kind == HEDDLE_NODE_REGION && stands_in_system(label))
		node = view->parents[node];
	return profile_user_code(view, node);
}

uint32_t profile_system_entry(const struct profile_view *view, uint32_t node)
{
	uint32_t user = profile_user_code(view, node);
	while (node != user && view->parents[node] != user)
		node = view->parents[node];
	return node;
}

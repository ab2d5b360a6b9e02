/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the file of each module with samples once, and keeps it open until the end. */
#include "cli/run/live_names.h"

#include "profile/names/code_file.h"
#include "profile/names/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heddle_live_module {
	struct heddle_live_module *next;
	char *path;
	struct profile_code_file file;
	enum profile_code_status status;
};

static struct heddle_live_module *add_module(struct heddle_live_names *names, const char *path)
{
	struct heddle_live_module *module = calloc(1, sizeof(*module));
	if (!module)
		return NULL;
	module->path = strdup(path);
	if (!module->path) {
		free(module);
		return NULL;
	}
	const struct profile_code_module about = {.path = module->path, .build_id = NULL, .role = HEDDLE_CODE_OTHER};
	module->status = profile_code_file_open(&module->file, &about);
	module->next = names->modules;
	names->modules = module;
	return module;
}

static struct heddle_live_module *find_module(struct heddle_live_names *names, const char *path)
{
	for (struct heddle_live_module *module = names->modules; module; module = module->next)
		if (strcmp(module->path, path) == 0)
			return module;
	return add_module(names, path);
}

char *heddle__live_name(struct heddle_live_names *names, const char *path, uint64_t offset, char *text, size_t size)
{
	struct heddle_live_module *module = *path ? find_module(names, path) : NULL;
	const struct profile_symbol *symbol = NULL;
	if (module && module->status == HEDDLE_CODE_FOUND)
		symbol = profile_symbol_index_find(&module->file.symbols, offset);
	char *name = symbol ? profile_demangle(symbol->name) : NULL;
	const char *slash = strrchr(path, '/');
	if (name)
		snprintf(text, size, "%s", name);
	else
		snprintf(text, size, "%s", !*path ? "code without a file" : slash ? slash + 1 : path);
	free(name);
	return text;
}

void heddle__live_names_free(struct heddle_live_names *names)
{
	while (names->modules) {
		struct heddle_live_module *module = names->modules;
		names->modules = module->next;
		profile_code_file_close(&module->file);
		free(module->path);
		free(module);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A measurement names its modules, and anyone may have made both: therefore a module can only claim files in its own
 * directory and below.
 */
#include "profile/view/source_owner.h"

#include "profile/base/base_name.h"
#include "profile/names/code_file.h"
#include "profile/view/view.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last module that was opened: callers ask for one file after another of a module. */
struct known {
	char *path;
	const uint8_t *build_id; /* only compared */
	struct profile_code_file file;
	enum profile_code_status status;
};

bool profile_is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	while (length > 0 && directory[length - 1] == '/')
		length--;
	return strncmp(path, directory, length) == 0 && path[length] == '/';
}

static const struct known *look_up(const struct profile_code_module *module)
{
	static struct known known;
	if (known.path && strcmp(known.path, module->path) == 0 && known.build_id == module->build_id)
		return &known;
	profile_code_file_close(&known.file);
	free(known.path);
	known.path = strdup(module->path);
	known.build_id = module->build_id;
	known.status = profile_code_file_open(&known.file, module);
	return &known;
}

/* True if the user or root owns the module's file, so nobody else made it. Writes its path without links to `real`. */
static bool is_trusted(const struct profile_code_module *module, char real[PATH_MAX])
{
	struct stat status;
	return module->path[0] == '/' && realpath(module->path, real) && stat(real, &status) == 0 &&
	       (status.st_uid == geteuid() || status.st_uid == 0);
}

/* True if a file is in the directory of the module's file, or below. */
static bool is_beside(char *real, const char *path)
{
	char *slash = strrchr(real, '/');
	*slash = '\0';
	return slash != real && profile_is_below(path, real);
}

/* If a name does not exist on this system, its source tree was moved: only the last part is compared. */
static bool is_name_of(const char *name, const char *path)
{
	char real[PATH_MAX];
	if (!name || strcmp(profile_base_name(name), profile_base_name(path)) != 0)
		return false;
	return !realpath(name, real) || strcmp(real, path) == 0;
}

static bool is_named_by_unit(Dwarf_Die *unit, const char *path)
{
	Dwarf_Files *files;
	size_t count;
	if (dwarf_getsrcfiles(unit, &files, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (is_name_of(dwarf_filesrc(files, i, NULL, NULL), path))
			return true;
	return false;
}

static bool is_named(Dwfl_Module *module, const char *path)
{
	Dwarf_Addr bias;
	for (Dwarf_Die *unit = dwfl_module_nextcu(module, NULL, &bias); unit;
		unit = dwfl_module_nextcu(module, unit, &bias))
		if (is_named_by_unit(unit, path))
			return true;
	return false;
}

bool profile_source_is_owned(
	const struct profile_measurement *measurement, const char *path, enum profile_source_claim claim)
{
	for (size_t m = 1; m < measurement->tree.module_count; m++) {
		const struct profile_code_module *module = &measurement->tree.modules[m];
		char real[PATH_MAX];
		if (!is_trusted(module, real) || (claim != HEDDLE_CLAIM_NAMED && !is_beside(real, path)))
			continue;
		const struct known *known = look_up(module);
		if (known->status != HEDDLE_CODE_FOUND && known->status != HEDDLE_CODE_NO_SYMBOLS)
			continue;
		if (claim == HEDDLE_CLAIM_BESIDE || is_named(known->file.module, path))
			return true;
	}
	return false;
}

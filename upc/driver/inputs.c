/* SPDX-License-Identifier: BSD-3-Clause */
/* The input files: UPC and assembly by -x or by suffix; all others are for the linker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"

static bool ends(const char *name, const char *suffix)
{
	size_t length = strlen(name), of_suffix = strlen(suffix);
	return length > of_suffix && strcmp(name + length - of_suffix, suffix) == 0;
}

static bool ends_in_one_of(const char *name, const char *const *suffixes)
{
	for (; *suffixes; suffixes++)
		if (ends(name, *suffixes))
			return true;
	return false;
}

/* Finds the language of a source; returns false if it is not compiled here. */
static bool find_language(const struct driver *driver, const char *name, enum language *language)
{
	static const char *const upc[] = {".c", ".upc", ".i", ".upci", NULL};
	const char *chosen = driver->language;
	if (chosen ? strcmp(chosen, "assembler") == 0 : ends(name, ".s"))
		*language = LANGUAGE_ASSEMBLY;
	else if (chosen ? strcmp(chosen, "assembler-with-cpp") == 0 : ends(name, ".S"))
		*language = LANGUAGE_ASSEMBLY_WITH_CPP;
	else if (chosen || strcmp(name, "-") == 0 || ends_in_one_of(name, upc))
		*language = LANGUAGE_UPC;
	else
		return false;
	return true;
}

void upc__take_language(struct driver *driver, const char *name)
{
	driver->language = strcmp(name, "none") == 0 ? NULL : name;
}

void upc__take_input(struct driver *driver, const char *name)
{
	enum language language;
	if (find_language(driver, name, &language)) {
		size_t size = (size_t)(driver->source_count + 1) * sizeof *driver->sources;
		struct source *sources = realloc(driver->sources, size);
		if (!sources)
			exit(1);
		driver->sources = sources;
		sources[driver->source_count++] = (struct source){name, language, driver->link.count};
	} else {
		upc__argument(&driver->objects, name);
	}
	upc__argument(&driver->link, name);
}

/* Like other compilers, warns about objects and libraries if nothing is linked. Any other file is an error. */
static bool check_unlinked(const struct driver *driver)
{
	static const char *const linked[] = {".o", ".a", ".so", ".lo", ".obj", NULL};
	for (int i = 0; i < driver->objects.count; i++) {
		const char *name = driver->objects.list[i];
		if (!ends_in_one_of(name, linked) && !strstr(name, ".so.")) {
			fprintf(stderr, "heddle-upcc1: error: %s: not a UPC source by its suffix: write '-x upc'\n",
				name);
			return false;
		}
		fprintf(stderr, "heddle-upcc1: warning: %s: unused, because nothing is linked\n", name);
	}
	return true;
}

bool upc__check_inputs(const struct driver *driver)
{
	bool links = driver->last == STAGE_LINK && !driver->dependencies_only;
	const char *wrong = NULL;
	if (driver->source_count + driver->objects.count == 0)
		wrong = "no input files";
	else if (driver->output && driver->last != STAGE_LINK && driver->source_count > 1)
		wrong = "-o cannot be used with several files that are not linked";
	if (wrong)
		fprintf(stderr, "heddle-upcc1: error: %s\n", wrong);
	return !wrong && (links || check_unlinked(driver));
}

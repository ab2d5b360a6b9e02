/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds LLVM's OpenMP for programs with -fopenmp: that of the compiler's version or, if it is not installed, of another
 * one. Debian's packages of two versions exclude each other, and users may need another version for their C programs.
 * The compiler is queried for the folders of its files.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

#define OLDEST 14
/* From this version on, compiled code calls a function that earlier libraries lack, and do not need. */
#define WITH_END_OF_DISPATCH 19

/* The first line that the compiler prints for an option; the caller frees it. */
static char *ask_compiler(const char *option)
{
	char *command = upc__format(CLANG " %s 2>/dev/null", option), *line = NULL;
	size_t room = 0;
	FILE *answer = popen(command, "re");
	ssize_t length = answer ? getline(&line, &room, answer) : -1;
	if (answer)
		pclose(answer);
	free(command);
	if (length > 0 && line[length - 1] == '\n')
		line[length - 1] = '\0';
	if (length > 0)
		return line;
	free(line);
	return upc__format("%s", "");
}

/* The folder two levels above the compiler's own files, LIB/clang/VERSION. Kept until the compiler ends. */
static const char *own_folder(void)
{
	static char *folder;
	if (folder)
		return folder;
	folder = ask_compiler("-print-resource-dir");
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(folder, '/');
		if (slash)
			*slash = '\0';
	}
	return folder;
}

/*
 * The folder of a version's libraries: the compiler's folder with the version's number instead of its own, which
 * follows "llvm-" or is a folder's name. NULL: this system has one folder for all versions. The caller frees it.
 */
static char *folder_of(int version)
{
	const char *own = own_folder();
	char *number = upc__format("%d", CLANG_VERSION), *found = NULL;
	size_t length = strlen(number);
	for (const char *at = own; !found && (at = strstr(at, number)); at++) {
		if (at > own && (at[-1] == '-' || at[-1] == '/') && (at[length] == '/' || at[length] == '\0'))
			found = upc__format("%.*s%d%s", (int)(at - own), own, version, at + length);
	}
	free(number);
	if (!found && version == CLANG_VERSION)
		found = upc__format("%s", own);
	return found;
}

static bool has_library(int version)
{
	char *folder = folder_of(version), *path = folder ? upc__format("%s/libomp.so", folder) : NULL;
	bool has = path && access(path, R_OK) == 0;
	free(path);
	free(folder);
	return has;
}

/* The linker may search other folders. A query takes as long as compiling a small program: its result is cached. */
static bool has_own_library(void)
{
	static bool known, has;
	if (known)
		return has;
	has = has_library(CLANG_VERSION);
	if (!has) {
		char *path = ask_compiler("-print-file-name=libomp.so"); /* a path, if it is found */
		has = path[0] == '/' && access(path, R_OK) == 0;
		free(path);
	}
	known = true;
	return has;
}

/* The version of a library other than the compiler's own; 0: none exists, or none is needed. */
static int other_version(const struct driver *driver)
{
	bool openmp = false;
	for (int i = 0; i < driver->compile.count; i++)
		openmp = openmp || strcmp(driver->compile.list[i], "-fopenmp") == 0 ||
			 strcmp(driver->compile.list[i], "-fopenmp=libomp") == 0;
	for (int i = 0; i < driver->link.count; i++)
		openmp = openmp || (driver->link.list[i] && strcmp(driver->link.list[i], "-fopenmp") == 0);
	if (!openmp || has_own_library())
		return 0;
	int version = NEWEST_LLVM;
	while (version >= OLDEST && !has_library(version))
		version--;
	return version >= OLDEST ? version : 0;
}

void upc__find_openmp_header(const struct driver *driver, struct arguments *command)
{
	int version = other_version(driver);
	if (version == 0)
		return;
	char *folder = folder_of(version), *pattern = upc__format("%s/clang/*/include/omp.h", folder);
	glob_t found;
	if (glob(pattern, 0, NULL, &found) == 0) {
		const char *path = found.gl_pathv[0];
		upc__argument(command, "-idirafter");
		upc__argument(command, upc__format("%.*s", (int)(strrchr(path, '/') - path), path));
		globfree(&found);
	}
	free(pattern);
	free(folder);
}

/* Assembles the function that the library lacks. Returns NULL on failure. */
static const char *make_end_of_dispatch(const struct driver *driver)
{
	const char *path = upc__format("%s/openmp.s", driver->work);
	FILE *file = fopen(path, "w");
	if (!file)
		return NULL;
	fputs("\t.text\n\t.globl __kmpc_dispatch_deinit\n__kmpc_dispatch_deinit:\n\tret\n"
	      "\t.section .note.GNU-stack,\"\",@progbits\n",
		file);
	return fclose(file) == 0 ? path : NULL;
}

void upc__find_openmp_library(const struct driver *driver, struct arguments *command)
{
	int version = other_version(driver);
	if (version == 0)
		return;
	char *folder = folder_of(version);
	upc__argument(command, upc__format("-L%s", folder));
	free(folder);
	const char *end = version < WITH_END_OF_DISPATCH && CLANG_VERSION >= WITH_END_OF_DISPATCH
				  ? make_end_of_dispatch(driver)
				  : NULL;
	if (end)
		upc__argument(command, end);
}

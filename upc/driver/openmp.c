/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LLVM's OpenMP for programs with -fopenmp: that of the compiler's version or, where that is not installed, of another
 * one. Debian's packages of two versions exclude each other, and users may need another one for their C programs.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

#define OLDEST 14
/* From this version on, compiled code calls a function that earlier libraries lack, and that these do not need. */
#define WITH_END_OF_DISPATCH 19

static bool has_library(int version)
{
	char *path = upc__format("/usr/lib/llvm-%d/lib/libomp.so", version);
	bool has = access(path, R_OK) == 0;
	free(path);
	return has;
}

/* The version of another library than the compiler's own; 0: there is none, or none is needed. */
static int other_version(const struct driver *driver)
{
	bool openmp = false;
	for (int i = 0; i < driver->compile.count; i++)
		openmp = openmp || strcmp(driver->compile.list[i], "-fopenmp") == 0 ||
			 strcmp(driver->compile.list[i], "-fopenmp=libomp") == 0;
	for (int i = 0; i < driver->link.count; i++)
		openmp = openmp || (driver->link.list[i] && strcmp(driver->link.list[i], "-fopenmp") == 0);
	if (!openmp || has_library(CLANG_VERSION))
		return 0;
	int version = NEWEST_LLVM;
	while (version >= OLDEST && !has_library(version))
		version--;
	return version >= OLDEST ? version : 0;
}

void upc__find_openmp_header(const struct driver *driver, struct arguments *command)
{
	int version = other_version(driver);
	char *pattern = upc__format("/usr/lib/llvm-%d/lib/clang/*/include/omp.h", version);
	glob_t found;
	if (version > 0 && glob(pattern, 0, NULL, &found) == 0) {
		const char *path = found.gl_pathv[0];
		upc__argument(command, "-idirafter");
		upc__argument(command, upc__format("%.*s", (int)(strrchr(path, '/') - path), path));
		globfree(&found);
	}
	free(pattern);
}

/* Assembles the function that the library lacks. NULL: failed. */
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
	upc__argument(command, upc__format("-L/usr/lib/llvm-%d/lib", version));
	const char *end = version < WITH_END_OF_DISPATCH && CLANG_VERSION >= WITH_END_OF_DISPATCH
				  ? make_end_of_dispatch(driver)
				  : NULL;
	if (end)
		upc__argument(command, end);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/run/subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/exit_status.h"
#include "cli/base/locate.h"
#include "format/shell_word.h"

/* For a hint: finds a file in this directory, or the program compiled from a source file there. */
static bool is_here(const char *name, char *path, size_t size)
{
	const char *dot = strrchr(name, '.');
	snprintf(path, size, "./%s", name);
	if (access(path, X_OK) == 0)
		return true;
	if (dot && dot > name) {
		snprintf(path, size, "./%.*s", (int)(dot - name), name);
		if (access(path, X_OK) == 0)
			return true;
		snprintf(path, size, "./%s", name);
	}
	return access(path, F_OK) == 0;
}

static int complain_not_found(const char *name)
{
	char here[PATH_MAX], word[HEDDLE_SHELL_WORD_SIZE(PATH_MAX)];
	if (strchr(name, '/'))
		fprintf(stderr, "heddle: run: %s: program not found\n", name);
	else if (is_here(name, here, sizeof here))
		fprintf(stderr, "heddle: run: %s: program not found on PATH; did you mean %s?\n", name,
			heddle__shell_word(word, sizeof word, here));
	else
		fprintf(stderr, "heddle: run: %s: program not found on PATH\n", name);
	return HEDDLE_EXIT_NO_PROGRAM;
}

/*
 * Inspects the program that the dynamic linker loads, instead of the linker; the linker ignores the file's set-user-ID
 * bit.
 */
static void inspect_loaded(char *const arguments[], struct heddle_program *program)
{
	const char *name = heddle__program_loaded(arguments);
	static struct heddle_program loaded;
	if (!name || heddle__program_find(name, &loaded) != 0)
		return;
	heddle__program_inspect(&loaded);
	program->interpreted = loaded.interpreted;
	program->foreign = loaded.foreign;
	program->needs_libgomp = loaded.needs_libgomp;
	program->needs_libomp = loaded.needs_libomp;
	memcpy(program->needs_wrapped, loaded.needs_wrapped, sizeof(program->needs_wrapped));
	program->needs_marker = loaded.needs_marker;
	program->needs_kokkos = loaded.needs_kokkos;
	program->old_kokkos = loaded.old_kokkos;
	memcpy(program->sanitizer, loaded.sanitizer, sizeof(program->sanitizer));
}

int heddle__subject_find(char *const arguments[], struct heddle_program *program)
{
	const char *name = arguments[0];
	int status = heddle__program_find(name, program);
	switch (status) {
	case 0:
		heddle__program_inspect(program);
		if (program->loader)
			inspect_loaded(arguments, program);
		return 0;
	case -EISDIR:
		fprintf(stderr, "heddle: run: %s: is a directory, not a program\n", program->path);
		return HEDDLE_EXIT_NOT_EXECUTABLE;
	case -EACCES:
		fprintf(stderr, "heddle: run: %s: not executable (permission denied)\n", program->path);
		return HEDDLE_EXIT_NOT_EXECUTABLE;
	default:
		return complain_not_found(name);
	}
}

const char *heddle__subject_unmeasurable(const struct heddle_program *program)
{
	if (program->foreign)
		return "is built for another processor or word size than Heddle";
	if (program->elf && !program->interpreted)
		return "is statically linked, so Heddle's library can't be preloaded; link it dynamically";
	if (program->privileged)
		return "changes its user, group or capabilities, for which the system ignores preloading";
	return NULL;
}

int heddle__subject_runtime(const char *wanted, char runtime[PATH_MAX])
{
	struct heddle_openmp_runtime runtimes[HEDDLE_OPENMP_RUNTIMES_MAX];
	char path[PATH_MAX];
	if (strcmp(wanted, "llvm") == 0) {
		int count = heddle__locate_openmp_runtimes(runtimes);

		for (int i = 0; i < count; i++) {
			if (runtimes[i].tools) {
				memcpy(runtime, runtimes[i].path, PATH_MAX);
				return 0;
			}
		}
		fputs("heddle: run: --openmp-runtime llvm: no LLVM OpenMP runtime found; install one (Debian: "
		      "libomp5), "
		      "or give its path\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (realpath(wanted, runtime) && heddle__elf_defines(runtime, "__kmpc_fork_call"))
		return 0;
	if (snprintf(path, sizeof path, "%s/libomp.so.5", wanted) < (int)sizeof path && realpath(path, runtime) &&
		heddle__elf_defines(runtime, "__kmpc_fork_call"))
		return 0;
	fprintf(stderr, "heddle: run: --openmp-runtime %s: no LLVM OpenMP runtime (libomp.so.5) there\n", wanted);
	return HEDDLE_EXIT_USAGE;
}

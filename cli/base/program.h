/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a program before it runs: where it is, and what its ELF file says. Nothing is executed here. */
#ifndef HEDDLE_CLI_PROGRAM_H
#define HEDDLE_CLI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/*
 * Libraries in front of which Heddle has one that wraps their calls: X(KEY, Heddle's, model as --models names it, name
 * in messages, pattern of the libraries' names).
 */
#define HEDDLE_WRAPPED(X)                                                   \
	X(MPI, "libheddle-mpi.so", "mpi", "MPI", "{libmpi*,liboshmem.so*}") \
	X(SHMEM, "libheddle-shmem.so", "shmem", "OpenSHMEM", "{liboshmem.so*,libsma.so*}")

enum heddle_wrapped {
#define X(key, ...) HEDDLE_WRAPPED_##key,
	HEDDLE_WRAPPED(X)
#undef X
		HEDDLE_WRAPPED_COUNT
};

struct heddle_program {
	char path[PATH_MAX]; /* to be passed to execve */
	bool elf;            /* false: a script, or something the kernel hands to another program */
	bool interpreted;    /* ELF with a dynamic linker, so a library can be preloaded */
	bool foreign;        /* built for another machine or word size than this command */
	bool loader;         /* the dynamic linker itself, which loads the program that its arguments name */
	bool privileged;     /* setuid, setgid or file capabilities: the dynamic linker ignores preloading */
	bool needs_libgomp;  /* GCC's OpenMP runtime, directly or through its libraries */
	bool needs_libomp;   /* LLVM's or Intel's, or another that asks for tools */
	/* Libraries of these kinds, directly or through its libraries. */
	bool needs_wrapped[HEDDLE_WRAPPED_COUNT];
	bool needs_marker;  /* a library of annotations that Heddle stands in front of: LIKWID's, Caliper's */
	bool needs_kokkos;  /* Kokkos's core library */
	bool old_kokkos;    /* a Kokkos library that knows KOKKOS_PROFILE_LIBRARY alone */
	char sanitizer[64]; /* shared sanitizer runtime that must be loaded first, e.g. libasan.so.8; "": none */
};

/*
 * Find `name` as execvp would and fill program->path. Returns 0, -ENOENT (not found), -EACCES (found, not executable)
 * or -EISDIR; path holds the candidate that the result is about.
 */
int heddle__program_find(const char *name, struct heddle_program *program);

/* Fill the rest from the file at program->path. A file that can't be read leaves everything false. */
void heddle__program_inspect(struct heddle_program *program);

/*
 * The program among the arguments of a dynamic linker (the linker's name first), as ld.so(8) reads them; NULL: none.
 */
const char *heddle__program_loaded(char *const arguments[]);

/*
 * Whether the ELF file at `path` is a UPC program, by the symbols of UPC run-time systems: 1 or 0, or -1 when that
 * is not known (no ELF file, or stripped).
 */
int heddle__program_is_upc(const char *path);

/* Returns true if the file has these bytes: a name that it looks up, wherever it keeps that. */
bool heddle__file_mentions(const char *path, const char *name);

/* True when the ELF file at `path` defines the dynamic symbol `name`. */
bool heddle__elf_defines(const char *path, const char *name);

#endif

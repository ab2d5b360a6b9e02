/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a program before it runs: its path, and information from its ELF file. Nothing is executed here. */
#ifndef HEDDLE_CLI_PROGRAM_H
#define HEDDLE_CLI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/*
 * Libraries whose calls one of Heddle's libraries wraps: X(KEY, Heddle's library, model as in --models, name in
 * messages, pattern of the wrapped libraries' names).
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
	bool elf;            /* false: a script, or a file that the kernel passes to another program */
	bool interpreted;    /* ELF with a dynamic linker, so a library can be preloaded */
	bool foreign;        /* built for another machine or word size than this command */
	bool loader;         /* the dynamic linker itself, which loads the program that its arguments name */
	bool privileged;     /* setuid, setgid or file capabilities: the dynamic linker ignores preloading */
	bool needs_libgomp;  /* GCC's OpenMP runtime, directly or through its libraries */
	bool needs_libomp;   /* LLVM's or Intel's, or another runtime with a tool interface */
	/* It needs libraries of these kinds, directly or through its libraries. */
	bool needs_wrapped[HEDDLE_WRAPPED_COUNT];
	bool needs_marker;  /* an annotation library that Heddle wraps: LIKWID's, Caliper's */
	bool needs_kokkos;  /* Kokkos's core library */
	bool old_kokkos;    /* a Kokkos library that reads only KOKKOS_PROFILE_LIBRARY */
	char sanitizer[64]; /* shared sanitizer runtime that must be loaded first, e.g. libasan.so.8; "": none */
};

/*
 * Finds `name` as execvp would and fills program->path. Returns 0, -ENOENT (not found), -EACCES (found, not executable)
 * or -EISDIR; path holds the candidate for which the result is returned.
 */
int heddle__program_find(const char *name, struct heddle_program *program);

/* Fills the other members from the file at program->path. If the file cannot be read, all are false. */
void heddle__program_inspect(struct heddle_program *program);

/*
 * The program among the arguments of a dynamic linker (the linker's name first), as ld.so(8) reads them; NULL: none.
 */
const char *heddle__program_loaded(char *const arguments[]);

/*
 * Returns 1 if the ELF file at `path` is a UPC program, by the symbols of UPC run-time systems, 0 if not, or -1 if that
 * is not known (not an ELF file, or stripped).
 */
int heddle__program_is_upc(const char *path);

/* True if the file contains these bytes: a name that it looks up, wherever it stores it. */
bool heddle__file_mentions(const char *path, const char *name);

/* True when the ELF file at `path` defines the dynamic symbol `name`. */
bool heddle__elf_defines(const char *path, const char *name);

#endif

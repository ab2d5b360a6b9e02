/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be said of a program before it runs: where it is, and what its ELF file tells. Nothing here runs it.
 */
#ifndef HEDDLE_CLI_PROGRAM_H
#define HEDDLE_CLI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

struct heddle_program {
	char path[PATH_MAX]; /* as to be handed to execve */
	bool elf;            /* false: a script, or something the kernel hands to another program */
	bool interpreted;    /* ELF with a dynamic linker, so a library can be preloaded */
	bool foreign;        /* built for another machine or word size than this command */
	bool privileged;     /* setuid, setgid or file capabilities: the dynamic linker ignores preloading */
	bool needs_libgomp;  /* GCC's OpenMP runtime, directly or through its libraries */
	bool needs_libomp;   /* LLVM's or Intel's */
	char sanitizer[64];  /* shared sanitizer runtime that must be loaded first, e.g. libasan.so.8; "": none */
};

/*
 * Find `name` as execvp would and fill program->path. Returns 0, -ENOENT (not found), -EACCES (found, not executable)
 * or -EISDIR; path holds the candidate that the answer speaks of.
 */
int heddle__program_find(const char *name, struct heddle_program *program);

/* Fill the rest from the file at program->path. A file that can't be read leaves everything false. */
void heddle__program_inspect(struct heddle_program *program);

/* True when the ELF file at `path` defines the dynamic symbol `name`. */
bool heddle__elf_defines(const char *path, const char *name);

#endif

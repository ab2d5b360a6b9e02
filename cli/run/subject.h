/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be measured: finds the program and the OpenMP runtime that the user names, or refuses them. */
#ifndef HEDDLE_CLI_RUN_SUBJECT_H
#define HEDDLE_CLI_RUN_SUBJECT_H

#include <limits.h>

#include "cli/base/program.h"

/*
 * Finds and inspects the program that is the first of `arguments`. Returns 0, or an exit status after printing the
 * reason, and a suggestion.
 */
int heddle__subject_find(char *const arguments[], struct heddle_program *program);

/* Returns why preloading cannot work for this program; NULL if it can. */
const char *heddle__subject_unmeasurable(const struct heddle_program *program);

/*
 * Finds the file that the argument of --openmp-runtime stands for: the newest of LLVM's, a library, or a directory that
 * holds one. Returns 0, or an exit status after printing the reason.
 */
int heddle__subject_runtime(const char *wanted, char runtime[PATH_MAX]);

#endif

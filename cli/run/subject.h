/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be measured: the program and the OpenMP runtime that the user names, found or refused. */
#ifndef HEDDLE_CLI_RUN_SUBJECT_H
#define HEDDLE_CLI_RUN_SUBJECT_H

#include <limits.h>

#include "cli/base/program.h"

/* Find and inspect the program that is the first of `arguments`. Returns 0 or an exit status, having said why, and what
 * may have been meant. */
int heddle__subject_find(char *const arguments[], struct heddle_program *program);

/* Why preloading cannot work for this program; NULL when it can. */
const char *heddle__subject_unmeasurable(const struct heddle_program *program);

/*
 * The file that the argument of --openmp-runtime stands for: the newest of LLVM's, a library, or a directory that holds
 * one. Returns 0 or an exit status, having said why.
 */
int heddle__subject_runtime(const char *wanted, char runtime[PATH_MAX]);

#endif

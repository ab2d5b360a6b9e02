/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries the bundled UPC compiler for the facts about a source. */
#ifndef HEDDLE_TUNE_COMPILER_H
#define HEDDLE_TUNE_COMPILER_H

#include "tune/work.h"

/*
 * Returns the output of `heddle-upcc1 --source-tree` for the file at `path`, in the memory of `work`
 * (upc/source/README.md). `flags`: options for the compiler, ended by NULL, or NULL. Refuses a source that does not
 * compile; `quiet` suppresses the compiler's messages, which are otherwise on standard error.
 */
const char *heddle__tune_ask_compiler(struct tune_work *work, const char *path, const char *const *flags, bool quiet);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The bundled UPC compiler, asked what it knows of a source. */
#ifndef HEDDLE_CLI_TUNE_COMPILER_H
#define HEDDLE_CLI_TUNE_COMPILER_H

#include "tune/work.h"

/*
 * What `heddle-upcc1 --source-tree` writes of the file at `path`, in the memory of `work` (upc/source/README.md).
 * `flags`: options for the compiler, ended by NULL, or NULL. Refuses what does not compile; `quiet`: without the
 * compiler's own messages, which else are on standard error.
 */
const char *heddle__tune_ask_compiler(struct tune_work *work, const char *path, const char *const *flags, bool quiet);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions for shells, from the tables of commands and options. */
#ifndef HEDDLE_CLI_COMPLETIONS_H
#define HEDDLE_CLI_COMPLETIONS_H

#include <stddef.h>

#include "cli/base/commands.h"

/* Prints on stdout the script for `shell` ("bash", "zsh" or "fish"). Returns 0, or -EINVAL for another shell. */
int heddle__completions_print(const char *shell, const struct heddle_command *const *commands, size_t count);

#endif

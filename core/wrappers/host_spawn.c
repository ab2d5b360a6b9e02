/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps the calls by which the C library starts a program itself. The program inherits the signal mask, which must be
 * the one that the program has set, without Heddle's exception for samples.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <wordexp.h>

#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"

#define SPAWN(result_type, name, parameters, arguments)           \
	HEDDLE_EXPORT result_type name parameters                 \
	{                                                         \
		int held = heddle__hold_claim();                  \
		result_type result = HEDDLE_REAL(name) arguments; \
		heddle__release_claim(held);                      \
		return result;                                    \
	}

SPAWN(int, posix_spawn,
	(pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		char *const argv[], char *const envp[]),
	(pid, path, actions, attributes, argv, envp))
SPAWN(int, posix_spawnp,
	(pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		char *const argv[], char *const envp[]),
	(pid, file, actions, attributes, argv, envp))
SPAWN(int, system, (const char *command), (command))
SPAWN(FILE *, popen, (const char *command, const char *modes), (command, modes))
SPAWN(int, wordexp, (const char *words, wordexp_t *expanded, int flags), (words, expanded, flags))

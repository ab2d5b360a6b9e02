/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Process state that the command inherits from its parent and cannot work with. It is restored for programs that the
 * user names, so they start as they would without the command.
 */
#ifndef HEDDLE_CLI_PARENT_STATE_H
#define HEDDLE_CLI_PARENT_STATE_H

/*
 * Replaces that state; the first call in main. While SIGCHLD is ignored, waitpid returns no exit status. Standard
 * streams that are closed become descriptors that can be neither read nor written; execve closes them. libdw queries
 * the servers in DEBUGINFOD_URLS for debug information, by the build ids of the user's programs, and waits for each;
 * the variable is hidden from it unless HEDDLE_DEBUGINFOD is set.
 */
void heddle__parent_state_replace(void);

/* Restores, just before execve, what execve does not restore. Async-signal-safe, so a child may call it after fork. */
void heddle__parent_state_restore(void);

#endif

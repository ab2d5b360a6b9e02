/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Process state that the command's parent left and the command cannot work with. Programs that the user names get it
 * back, so they start as they would without the command.
 */
#ifndef HEDDLE_CLI_PARENT_STATE_H
#define HEDDLE_CLI_PARENT_STATE_H

/*
 * Replace that state: the first call in main. While SIGCHLD is ignored, waitpid returns no exit status. Standard
 * streams that are closed become descriptors that can be neither read nor written; execve closes them. libdw asks the
 * servers in DEBUGINFOD_URLS for debug information, by the build ids of the user's programs, and waits for each: it
 * does not see that variable unless HEDDLE_DEBUGINFOD is set.
 */
void heddle__parent_state_replace(void);

/* Restore what execve does not, just before it. Async-signal-safe, so a child may call it after fork. */
void heddle__parent_state_restore(void);

#endif

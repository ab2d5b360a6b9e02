/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The place of the trace file: beside the profile, or with HEDDLE_TRACE_DIR in a subdirectory of it that only this
 * measurement uses. Then a symbolic link beside the profile lets readers find the file until it is moved there.
 */
#ifndef HEDDLE_CORE_TRACE_PLACE_H
#define HEDDLE_CORE_TRACE_PLACE_H

#include <stdbool.h>
#include <sys/types.h>

/* Chooses the directory. Context: init; the child of a fork. */
void heddle__trace_choose_place(void);

/* Returns the path of the file, or of its directory before the file exists. Context: any thread, signal. */
const char *heddle__trace_path(void);

/*
 * Opens the file, or creates it, by the name of the process's profile; if there is none yet, claims a new name. Returns
 * a descriptor, or -errno. Context: any thread, signal.
 */
int heddle__trace_open(bool create);

/* Called before the process changes to `user`, who must be able to write the file. Context: any thread, signal. */
void heddle__trace_give_to(uid_t user);

/* Removes the file, which will be begun again. Context: any thread, signal. */
void heddle__trace_remove(void);

/* Moves the complete file to the profile by renaming it, if possible. Context: any thread, signal. */
void heddle__trace_move(void);

#endif

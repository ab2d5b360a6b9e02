/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the trace file is: beside the profile; or, with HEDDLE_TRACE_DIR, in a directory of the measurement's own
 * below that, with a symbolic link beside the profile, by which readers find it until it is moved there.
 */
#ifndef HEDDLE_CORE_TRACE_PLACE_H
#define HEDDLE_CORE_TRACE_PLACE_H

#include <stdbool.h>
#include <sys/types.h>

/* Choose the directory. Context: init; the child of a fork. */
void heddle__trace_choose_place(void);

/* The path of the file; that of its directory before there is one. Context: any thread, signal. */
const char *heddle__trace_path(void);

/*
 * Open the file, or create it, by the name of the process's profile; if it has none yet, a new name is claimed. A
 * descriptor, or -errno. Context: any thread, signal.
 */
int heddle__trace_open(bool create);

/* The process is about to become that user, who is to go on writing the file. Context: any thread, signal. */
void heddle__trace_give_to(uid_t user);

/* Remove the file, which begins again. Context: any thread, signal. */
void heddle__trace_remove(void);

/* The file is complete: move it to the profile by renaming it, if that is possible. Context: any thread, signal. */
void heddle__trace_move(void);

#endif

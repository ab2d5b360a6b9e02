/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name of this process's files in the measurement's directory: PROGRAM.HOST.PID.heddle, or
 * PROGRAM.HOST.PID.2.heddle and so on. Processes may have equal process ids (in different namespaces, or one after the
 * other), and write at the same time. So a name is claimed by creating the file .NAME.part, which fails if the file
 * exists. The process owns the name if no profile and no trace has it. A process replaces only files of a name that it
 * owns.
 */
#ifndef HEDDLE_CORE_FILE_NAME_H
#define HEDDLE_CORE_FILE_NAME_H

#define HEDDLE_ASIDE_SIZE 288 /* of a temporary name */

/* Opens the measurement's directory, or creates it; returns a descriptor or -errno. Context: any thread, signal. */
int heddle__output_open(void);

/* Returns the name; "" before one is claimed. Context: any thread, signal. */
const char *heddle__file_name(void);

/*
 * Creates a temporary file in the directory, and stores its name in `aside`. If the process has no name yet, this
 * claims one: until the file is renamed or removed, no other process takes it. Returns a descriptor, or -errno.
 * Context: the writer of the profile or the trace, with all signals blocked.
 */
int heddle__file_create_aside(int directory, char aside[HEDDLE_ASIDE_SIZE]);

/* Makes the temporary file the profile (returns 0 or -errno), or removes it. Context: as above. */
int heddle__file_publish(int directory, const char *aside);
void heddle__file_remove_aside(int directory, const char *aside);

/* Called after a file with the claimed name was created: the process owns the name. Context: as above. */
void heddle__file_keep_name(void);

/* Drops the name: the next file gets a new one. Context: the child of a fork. */
void heddle__file_forget_name(void);

#endif

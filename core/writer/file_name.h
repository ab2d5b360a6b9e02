/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name of this process's files in the measurement's directory: PROGRAM.HOST.PID.heddle, or
 * PROGRAM.HOST.PID.2.heddle and so on. Processes may have equal process ids (in namespaces of their own, or one after
 * the other), and write at the same time. So a name is claimed by creating the file .NAME.part, which fails where there
 * is one; the name is the process's if no profile and no trace has it. Who owns a name replaces its own file only.
 */
#ifndef HEDDLE_CORE_FILE_NAME_H
#define HEDDLE_CORE_FILE_NAME_H

#define HEDDLE_ASIDE_SIZE 288 /* of a temporary name */

/* Open the measurement's directory; make it if it was removed. A descriptor, or -errno. Context: any thread, signal. */
int heddle__output_open(void);

/* The name; "" before one is claimed. Context: any thread, signal. */
const char *heddle__file_name(void);

/*
 * Create a temporary file in the directory, whose name goes to `aside`. If the process has no name yet, this claims
 * one: until the file is renamed or removed, no other process takes it. A descriptor, or -errno. Context: who writes
 * the profile or the trace, with all signals blocked.
 */
int heddle__file_create_aside(int directory, char aside[HEDDLE_ASIDE_SIZE]);

/* Make the temporary file the profile, or remove it. 0 or -errno. Context: as above. */
int heddle__file_publish(int directory, const char *aside);
void heddle__file_remove_aside(int directory, const char *aside);

/* A file that has the claimed name was created: keep the name. Context: as above. */
void heddle__file_keep_name(void);

/* The next file has a new name. Context: the child of a fork. */
void heddle__file_forget_name(void);

#endif

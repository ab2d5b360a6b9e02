/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds programs that the measured program executes, and that Heddle's library will not be loaded into. */
#ifndef HEDDLE_CORE_HOST_EXECUTED_H
#define HEDDLE_CORE_HOST_EXECUTED_H

/*
 * Adds a note, once in a process, if the program to be executed will run unmeasured. `path` is searched for on PATH if
 * it has no slash and `searched`; NULL: not known. Context: any thread, the child of a vfork, signal.
 */
void heddle__note_executed(const char *path, int searched, char *const environment[]);

#endif

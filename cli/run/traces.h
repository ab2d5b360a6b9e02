/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces that were written to another directory (--trace-dir), such as on a disk of this machine. */
#ifndef HEDDLE_CLI_TRACES_H
#define HEDDLE_CLI_TRACES_H

/*
 * Moves the traces of processes of this machine that have ended to the measurement in `directory`, which has symbolic
 * links to them. A copy is compared with what was read before that is removed. On a failure they stay, readers find
 * them by the links, and one line says where they are.
 */
void heddle__traces_bring(const char *directory);

#endif

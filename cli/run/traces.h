/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces that were written to another directory (--trace-dir), such as on a disk of this machine. */
#ifndef HEDDLE_CLI_TRACES_H
#define HEDDLE_CLI_TRACES_H

/*
 * Moves the traces of this machine's ended processes to the measurement in `directory`, which has symbolic links to
 * them. A copy is compared with its original before the original is removed. After a failure the traces stay, readers
 * find them by the links, and one line reports where they are.
 */
void heddle__traces_bring(const char *directory);

#endif

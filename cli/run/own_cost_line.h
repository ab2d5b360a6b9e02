/* SPDX-License-Identifier: BSD-3-Clause */
/* A line at the end of a run, if measuring took much of the time. */
#ifndef HEDDLE_CLI_RUN_OWN_COST_LINE_H
#define HEDDLE_CLI_RUN_OWN_COST_LINE_H

/*
 * Prints a line if the measurement's own CPU time matters, with its largest part and how to reduce it. `directory` has
 * profiles; a large measurement is not read for this, since its report prints the same.
 */
void heddle__own_cost_say(const char *directory);

#endif

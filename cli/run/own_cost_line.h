/* SPDX-License-Identifier: BSD-3-Clause */
/* Says at the end of a run when measuring took much of the time. */
#ifndef HEDDLE_CLI_RUN_OWN_COST_LINE_H
#define HEDDLE_CLI_RUN_OWN_COST_LINE_H

/*
 * Prints a line if the measurement's own CPU time matters, with what took most of it and what would help. `directory`
 * has profiles; a large measurement is not read for this: its report says the same.
 */
void heddle__own_cost_say(const char *directory);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HEDDLE_UPC_RUNTIME_LAUNCH_H
#define HEDDLE_UPC_RUNTIME_LAUNCH_H

/* How many of main's arguments, behind argv[0], were for the run-time system and are still there. */
extern int hupc__arguments_used;

#endif

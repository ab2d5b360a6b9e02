/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of the launch, for main: the launch itself runs before main, from .preinit_array. */
#ifndef HEDDLE_UPC_RUNTIME_LAUNCH_H
#define HEDDLE_UPC_RUNTIME_LAUNCH_H

/* The number of main's arguments after argv[0] that were for the run-time system and are still in argv. */
extern int hupc__arguments_used;

#endif

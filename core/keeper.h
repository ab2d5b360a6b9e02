/* SPDX-License-Identifier: BSD-3-Clause */
/* Heddle's own thread, for what can be done in no signal handler and should not be done in the program's threads. */
#ifndef HEDDLE_CORE_KEEPER_H
#define HEDDLE_CORE_KEEPER_H

/* Start it if a front end or a setting needs it. Context: init; the child of a fork. */
void heddle__keeper_start(void);

/* Let it end. Context: any thread, signal. */
void heddle__keeper_stop(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Offsets of this host's clock to that of the first UPC thread's host, measured while the program runs, for traces. The
 * bridge reads the other clock over the program's own network.
 */
#ifndef HEDDLE_MODELS_UPC_CLOCK_H
#define HEDDLE_MODELS_UPC_CLOCK_H

/*
 * Measure now: the first time and the last time all threads meet; or (again) if the last measurement was long ago: a
 * minute, at first less. No effect without a trace, or if there is one clock. Some exchanges over the network.
 * Context: owner thread.
 */
void heddle__upc_clock_measure(void);
void heddle__upc_clock_measure_again(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Offsets of this host's clock to that of the first UPC thread's host, measured while the program runs, for traces. The
 * bridge reads the other clock over the program's own network.
 */
#ifndef HEDDLE_MODELS_UPC_CLOCK_H
#define HEDDLE_MODELS_UPC_CLOCK_H

/*
 * Measure the offset: at the first and the last time that all threads meet; or (_again) if the last measurement is long
 * ago (a minute; less at first). No effect without a trace, or if there is only one clock. Exchanges some messages over
 * the network. Context: owner thread.
 */
void heddle__upc_clock_measure(void);
void heddle__upc_clock_measure_again(void);

#endif

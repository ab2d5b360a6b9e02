/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of the process that all parts read: see control.h. It is set at the start (start/), before constructors or
 * in main, and changes little afterwards. Runs before constructors: calls no function of the C library that needs one.
 */
#include "upc/runtime/base/control.h"

struct hupc__control *hupc__control;
int hupc__threads = 1, hupc__mythread;
bool hupc__is_thread;
const struct heddle_upc_counting *hupc__counting;

bool hupc__ask_to_end(int status)
{
	uint32_t none = 0;
	return atomic_compare_exchange_strong(&hupc__control->ending, &none, HUPC__ENDING | ((uint32_t)status & 0xff));
}

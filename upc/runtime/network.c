/* SPDX-License-Identifier: BSD-3-Clause */
/* This build has no network: UPC threads must share memory. */
#include "upc/runtime/network.h"

#include <stdlib.h>

#include "upc/runtime/control.h"
#include "upc/runtime/nodes.h"
#include "upc/runtime/say.h"

void hupc__network_start(const struct hupc__job *job)
{
	if (hupc__mythread == 0)
		hupc__say(
			"the threads are on %d nodes, and this run-time system has no network; run all of them on one "
			"machine, with UPC_NODE_SIZE unset",
			hupc__nodes_count());
	job->fence(); /* the line comes before the launcher ends thread 0 */
	job->finalize();
	exit(1);
}

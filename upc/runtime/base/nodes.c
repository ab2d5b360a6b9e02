/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/base/nodes.h"

#include "upc/runtime/base/control.h"

unsigned char hupc__mapped[UPCRT_MAX_THREADS];
static uint16_t node[UPCRT_MAX_THREADS];
static int count = 1;

void hupc__nodes_prepare(int threads, int node_size)
{
	for (int t = 0; t < threads; t++) {
		hupc__mapped[t] = 1;
		node[t] = (uint16_t)(node_size ? t / node_size : 0);
	}
	count = node[threads - 1] + 1;
}

void hupc__nodes_set(const int *node_of_thread, int threads)
{
	for (int t = 0; t < threads; t++) {
		node[t] = (uint16_t)node_of_thread[t];
		count = node[t] >= count ? node[t] + 1 : count;
		hupc__mapped[t] = node_of_thread[t] == node_of_thread[hupc__mythread];
	}
}

int hupc__node_of(int thread)
{
	return node[thread];
}

int hupc__nodes_count(void)
{
	return count;
}

bool hupc__is_same_node(int thread)
{
	return thread < hupc__threads && node[thread] == node[hupc__mythread];
}

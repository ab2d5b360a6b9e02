/* SPDX-License-Identifier: BSD-3-Clause */
/* The C main, in each thread process, after all constructors: initializes, starts the tool, calls the user's main. */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/upc_bridge.h>

#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/variables.h"
#include "upc/runtime/end/fault.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/heap.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/start/finish.h"
#include "upc/runtime/start/launch.h"
#include "upc/runtime/start/ranks.h"
#include "upc/runtime/start/units.h"
#include "upc/runtime/sync/barrier.h"

#pragma weak __upcrt_user_main

_Thread_local int __upcrt_forall_depth;

/* Heddle calls this function, so every program must contain it. */
__attribute__((used)) static const struct heddle_upc_bridge *(*const bridge)(void) = heddle_upc_bridge;

/* Sets the range of consecutive threads on this node that compiled code tests by one comparison (abi.h). */
static void set_node_range(void)
{
	int first = hupc__mythread, last = hupc__mythread;
	while (first > 0 && hupc__same_node_variable[first - 1])
		first--;
	while (last + 1 < hupc__threads && hupc__same_node_variable[last + 1])
		last++;
	uint64_t segment = UINT64_C(1) << UPCRT_OFFSET_BITS, start = (uint64_t)first * segment + 1;
	*hupc__node_shift_variable = -start;
	*hupc__node_base_variable = UPCRT_BASE + start;
	*hupc__node_size_variable = (uint64_t)(last + 1 - first) * segment;
}

/* Sets which threads' memory compiled code may access directly. All entries remain set if there is one node. */
static void set_same_node(void)
{
	int mine = hupc__node_of(hupc__mythread);
	if (hupc__nodes_count() == 1)
		return;
	for (int t = 0; t < UPCRT_MAX_THREADS; t++)
		hupc__same_node_variable[t] = t < hupc__threads && hupc__node_of(t) == mine;
	set_node_range();
	if (hupc__network)
		*hupc__outstanding_variable = hupc__network->outstanding;
	*hupc__remote_variable = 1;
	*hupc__checked_variable = 1;
}

static void set_variables(void)
{
	uint64_t threads = (uint64_t)hupc__threads;
	*hupc__threads_variable = hupc__threads;
	*hupc__mythread_variable = hupc__mythread;
	*hupc__inverse_variable = UINT64_MAX / threads;
	set_same_node();
}

static void drop_arguments(int *argc, char **argv)
{
	int used = hupc__arguments_used;
	if (!used)
		return;
	*argc -= used;
	for (int i = 1; i <= *argc; i++) /* including the terminating NULL */
		argv[i] = argv[i + used];
}

/* All threads write to the same standard output. Line buffering keeps their lines whole. */
static void share_output(void)
{
	static char buffer[1 << 16];
	if (hupc__threads > 1)
		setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
}

static void set_up(void)
{
	struct hupc__site nowhere = {.file = NULL};
	uint64_t end = hupc__units_place();
	share_output();
	if (!end)
		exit(1);
	if (hupc__mythread == hupc__first_mapped())
		hupc__heap_prepare(end);
	hupc__units_start();
	hupc__finish_prepare();
	hupc__fault_prepare();
	hupc__meet(&nowhere, HUPC__START, 0);
	hupc__ranks_started();
}

/* argc and argv after the run-time system and the tool removed theirs. */
static int arguments;
static char **argument_list;

static void prepare(int argc, char **argv)
{
	if (!hupc__is_thread) {
		hupc__say("the program was not started in the usual way (is it a library?); link it with heddle upcc");
		exit(1);
	}
	if (!__upcrt_user_main) {
		hupc__say("the program has no main");
		exit(1);
	}
	arguments = argc;
	argument_list = argv;
	hupc__ranks_join();
	set_variables();
	drop_arguments(&arguments, argv);
	set_up();
	hupc__gasp_start(&arguments, &argument_list);
	hupc__units_announce();
}

/* Compiled with optimization, the last call is a jump, so that call paths show one main, the user's. */
int main(int argc, char **argv)
{
	prepare(argc, argv);
	return __upcrt_user_main(arguments, argument_list);
}

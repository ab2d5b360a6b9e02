/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasp_control from a signal handler that interrupts events, event creation and itself. At the end, the state of the
 * thread is the one that its last call requested, and regions nest.
 */
#include "client.h"

#include <signal.h>
#include <sys/time.h>

static gasp_context_t context;
static volatile sig_atomic_t calls, wrong, last = 1;

static void toggle(int number)
{
	(void)number;
	if (gasp_control(context, !last) != last)
		wrong++;
	last = !last;
	calls++;
}

int main(void)
{
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = toggle, .sa_flags = SA_RESTART};
	context = init_upc();
	gasp_control(context, 1);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; calls < 2000 || i < 1000; i++) {
		START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
		get(context, "a.upc", 2 + i % 50, 8);
		END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	while (gasp_control(context, 1) != 1)
		;
	fence(context, "after.upc", 1);
	REQUIRE(wrong == 0);
	EXPECT("visits", "GASP_UPC_FENCE @after.upc:1", 1);
	/* A get is only on paths through its loop. */
	EXPECT("visits", "GASP_UPC_GET*", 0);
	EXPECT_BETWEEN("visits", "GASP_UPC_FORALL @a.upc:1;GASP_UPC_GET*", 1, UINT64_MAX);
	EXPECT_PATHS("*;*;*", 0);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program and a signal handler switch alternately, while regions opened while off are still deferred. In the end,
 * the value of gasp_control agrees with what is measured.
 */
#include "client.h"

#include <signal.h>
#include <sys/time.h>

static gasp_context_t context;
static volatile sig_atomic_t calls;

static void toggle(int number)
{
	(void)number;
	gasp_control(context, calls++ & 1);
}

int main(void)
{
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = toggle, .sa_flags = SA_RESTART};
	int disagree = 0;
	context = init_upc();
	sigaction(SIGALRM, &action, NULL);
	for (int round = 0; round < 40; round++) {
		int until = calls + 100;
		setitimer(ITIMER_REAL, &often, NULL);
		for (int i = 0; calls < until; i++) {
			gasp_control(context, 0);
			START(context, GASP_UPC_FORALL, "a.upc", 1 + i % 3000, 0);
			START(context, GASP_UPC_MEMSET, "b.upc", 1 + i % 3000, 0, (void *)&calls, 0, (size_t)1);
			gasp_control(context, 1);
			fence(context, "c.upc", 1 + i % 3000);
			END(context, GASP_UPC_MEMSET, "b.upc", 1, 0, (void *)&calls, 0, (size_t)1);
			END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
		}
		setitimer(ITIMER_REAL, &never, NULL);
		char file[32];
		snprintf(file, sizeof(file), "round%d.upc", round);
		int on = gasp_control_query(context);
		fence(context, strdup(file), 1);
		snprintf(file, sizeof(file), "GASP_UPC_FENCE @round%d.upc:1", round);
		EXPECT("visits", file, on != 0);
		disagree += on != gasp_control_query(context);
	}
	REQUIRE(disagree == 0);
	EXPECT("visits", "GASP_UPC_MEMSET*", 0);
	return 0;
}

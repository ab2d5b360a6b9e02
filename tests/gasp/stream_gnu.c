/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GNU and Clang UPC: a monitor process forks all threads and never calls gasp_init; all events use the VA form; after
 * main returns, EXIT is sent at once, before the final barrier; with exit(n) there is no exit event, but destructors
 * run. Heddle recognizes the event numbers by a function that only these programs have.
 */
#include "stream.h"

#include <limits.h>
#include <sys/wait.h>

void pupc_event_startg(void);
void pupc_event_startg(void)
{
}

#define BOTH(number, file, line, shape, a, b)                   \
	{number, GASP_START, file, line, shape, a, b, NULL},    \
	{                                                       \
		number, GASP_END, file, line, shape, a, b, NULL \
	}

static const struct step body[] = {
	{1, GASP_START, "ep.upc", 30, NAME, 0, 0, "main"},
	BOTH(12, "ep.upc", 32, SIZES, 4, 100),
	BOTH(9, "ep.upc", 33, INTS, 0, INT_MIN),
	{11, GASP_START, "ep.upc", 34, NOTHING, 0, 0, NULL},
	BOTH(26, "ep.upc", 35, ACCESS, 8, 0),
	BOTH(27, "ep.upc", 35, ACCESS, 8, 0),
	{11, GASP_END, "ep.upc", 34, NOTHING, 0, 0, NULL},
	BOTH(19, "ep.upc", 36, POINTER, 0, 0),
	BOTH(21, "ep.upc", 37, POINTER, 0, 0),
	BOTH(23, "ep.upc", 38, COPY, 64, 0),
};

static const struct step end_of_main[] = {
	{1, GASP_END, "ep.upc", 30, NAME, 0, 0, "main"},                  /* the declaration's line */
	BOTH(5, NULL, 0, INTS, 0, 0), BOTH(9, NULL, 0, INTS, 0, INT_MIN), /* the final barrier comes after */
};

static void play(int mythread)
{
	gasp_context_t context = init_upc();
	unsigned int user = gasp_create_event(context, "user", "%d");
	REQUIRE(user >= 1000 && user <= 1999);
	struct step step = {user, GASP_ATOMIC, "ep.upc", 39, INTS, 10, 0, NULL};
	PLAY(context, body, 1);
	play_step(context, &step, step.file, 1); /* Berkeley's system events have numbers from 1000 */
	if (mythread == 3)
		exit(0); /* main's END and the exit event are missing */
	PLAY(context, end_of_main, 1);
	exit(0);
}

int main(void)
{
	EXPECT("visits", "main", 4);
	EXPECT("visits", "main;GASP_UPC_GLOBAL_ALLOC @ep.upc:32", 4);
	EXPECT("visits", "main;GASP_UPC_BARRIER @ep.upc:33", 4);
	EXPECT("visits", "main;GASP_UPC_FORALL @ep.upc:34;GASP_UPC_GET @ep.upc:35", 4);
	EXPECT("visits", "main;GASP_UPC_FORALL @ep.upc:34;GASP_UPC_PUT @ep.upc:35", 4);
	EXPECT("bytes-got", "*", 4 * (8 + 64));
	EXPECT("visits", "main;user", 4);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT", 3);
	EXPECT("visits", "GASP_UPC_BARRIER", 3);
	EXPECT_VALUES("main;user", 1, 4, 10, 10, 40);
	EXPECT("visits", "*", 4 * 10 + 3 * 2);
	EXPECT_GENERATED("*", 0);
	for (int i = 0; i < 4; i++) {
		if (fork() == 0)
			play(i);
	}
	while (wait(NULL) > 0)
		;
	return 0; /* the monitor's own profile has no events */
}

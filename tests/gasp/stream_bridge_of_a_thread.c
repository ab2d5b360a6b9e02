/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With pthreads, UPC compilers give each UPC thread its own static data: the bridge of the first thread that was
 * queried is unmapped when that thread ends, and the other threads continue.
 */
#define heddle_upc_bridge(arguments) whole_bridge(arguments) /* the function, not the structure */
#include "bridge.h"
#undef heddle_upc_bridge

#include <pthread.h>
#include <stdlib.h>

static struct heddle_upc_bridge *its; /* the bridge of the thread that was queried */

const struct heddle_upc_bridge *heddle_upc_bridge(void);
const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
	its = malloc(sizeof(*its));
	*its = *whole_bridge();
	return its;
}

static void play(void)
{
	gasp_context_t context = init_upc();
	for (int type = GASP_START; type <= GASP_END; type++)
		gasp_event_notify(context, GASP_UPC_GET, (gasp_evttype_t)type, "a.upc", 1, 0, 1, &context,
			(void *)SHARED_POINTER(0), (size_t)8);
}

static void *first(void *nothing)
{
	play();
	return nothing;
}

int main(void)
{
	pthread_t thread;
	EXPECT("local-accesses", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("remote-accesses", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT_OF_RANK(1, "remote-accesses", "*", 1);
	pthread_create(&thread, NULL, first, NULL);
	pthread_join(thread, NULL);
	REQUIRE(its != NULL);
	memset(its, 0x55, sizeof(*its));
	bridge_mythread = 1;
	play();
	return 0;
}

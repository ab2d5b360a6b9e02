/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a UPC program tells Heddle about the compiler that built it. Event numbers and pointers-to-shared differ from
 * compiler to compiler; `heddle upcc` therefore compiles one small file (bridge.upc) with that compiler and links it
 * into the program. It defines heddle_upc_bridge, which libheddle.so refers to weakly and calls once a thread, in
 * gasp_init.
 */
#ifndef HEDDLE_UPC_BRIDGE_H
#define HEDDLE_UPC_BRIDGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_UPC_BRIDGE_VERSION 2

/* A program's section that holds its UPC run-time system's code: reports fold its frames away. Need not exist. */
#define HEDDLE_UPC_RUNTIME_SECTION "upc_runtime"

/* The number this compiler gives to an event: "GASP_UPC_GET", 1111. */
struct heddle_upc_bridge_event {
	const char *name;
	unsigned int number;
};

/*
 * Pointers-to-shared come by the address of one, as GASP passes them (gasp_upc_PTS_t *); they may be called only while
 * such an event is being handled. All texts and tables stay valid.
 */
struct heddle_upc_bridge {
	unsigned int version;               /* HEDDLE_UPC_BRIDGE_VERSION */
	const char *compiler;               /* for people: "Berkeley UPC 2020.4.0" */
	unsigned int user_first, user_last; /* numbers of user events */
	const void *nb_trivial[2];          /* handles of accesses that are over at their initiation */
	unsigned int event_count;
	const struct heddle_upc_bridge_event *events;
	int (*mythread)(void);
	int (*threads)(void);
	size_t (*threadof)(const void *shared_pointer);
	size_t (*phaseof)(const void *shared_pointer);
	size_t (*addrfield)(const void *shared_pointer);
	void *(*localaddr)(const void *shared_pointer); /* NULL when it is not addressable here */
	/* From version 2 on: the run-time system's code, which stands between the user's and GASP's; NULL: unknown. */
	const void *runtime_low, *runtime_high;
};

const struct heddle_upc_bridge *heddle_upc_bridge(void);

#ifdef __cplusplus
}
#endif

#endif

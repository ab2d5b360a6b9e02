/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "a pupc.h C header file ... that contains function prototypes for the functions defined in Sections 5.2 and 5.3":
 * they are functions with these types, whose addresses can be taken. section_5_5_pupc_header_cxx.cpp tests them in C++.
 */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "client.h"

typedef void event_function(unsigned int, ...);

int main(void)
{
	int (*control)(int) = pupc_control;
	unsigned int (*create)(const char *, const char *) = pupc_create_event;
	event_function *start = pupc_event_start, *end = pupc_event_end, *atomic = pupc_event_atomic;
	unsigned int event = create("user", "%d");
	start(event, 1);
	atomic(event, 3);
	end(event, 1);
	pupc_event_atomic(event, 5);
	REQUIRE(control(0) == 1);
	pupc_event_start(event, 7);
	pupc_event_end(event, 7);
	REQUIRE(control(1) == 0);
	EXPECT("visits", "user", 2);
	EXPECT("visits", "user;user", 1);
	EXPECT_VALUES("user", 1, 2, 1, 5, 6);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of a program's results: each failed check prints one line, and makes the program's exit status 1. */
#include <stdio.h>
#include <upc.h>

static int failures;

#define CHECK(condition)                                                                                           \
	do {                                                                                                       \
		if (!(condition)) {                                                                                \
			printf("thread %d of %d: %s:%d: %s\n", MYTHREAD, THREADS, __FILE__, __LINE__, #condition); \
			failures++;                                                                                \
		}                                                                                                  \
	} while (0)

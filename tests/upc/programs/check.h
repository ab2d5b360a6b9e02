/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's own verdict: each failed check is one line, and the program's exit status is 1. */
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

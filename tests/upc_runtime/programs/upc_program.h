/* SPDX-License-Identifier: BSD-3-Clause */
/* For C programs that do what compiled UPC code does: the records of abi.h, places of calls, main. */
#ifndef TESTS_UPC_PROGRAM_H
#define TESTS_UPC_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/abi.h"
#include "upc/runtime/base/library.h"

#ifndef STATIC_THREADS
#define STATIC_THREADS 0
#endif

#define UNIT(start)                                                                                              \
	__attribute__((section(UPCRT_UNIT_SECTION), used)) static const struct upcrt_unit_record unit_record = { \
		UPCRT_ABI_VERSION, UPCRT_UNIT_INST, STATIC_THREADS, 0, start, "program.upc"}

/* Calls a library function at line `place` of program.upc. */
#define AT(place, call) (__upcrt_site.file = "program.upc", __upcrt_site.line = (place), call)

#define BARRIER() __upcrt_barrier(0, 0, "program.upc", __LINE__)

/* Ends the program with a message if the condition is false. */
#define CHECK(condition)                                                                                       \
	do {                                                                                                   \
		if (!(condition)) {                                                                            \
			fprintf(stderr, "FAILED: thread %d of %d, line %d: %s\n", MYTHREAD, THREADS, __LINE__, \
				#condition);                                                                   \
			upc_global_exit(99);                                                                   \
		}                                                                                              \
	} while (0)

/* Prints a line by one write, so that lines of different processes do not mix. */
static inline void print_line(const char *text)
{
	char line[256];
	int length = snprintf(line, sizeof(line), "%s\n", text);

	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		exit(98);
}

int __upcrt_user_main(int argc, char **argv);

#endif

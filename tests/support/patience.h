/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a program of a test waits for one thing before it counts as hung: see patience.sh. */
#ifndef HEDDLE_TESTS_SUPPORT_PATIENCE_H
#define HEDDLE_TESTS_SUPPORT_PATIENCE_H

#include <stdlib.h>

/* In seconds. */
static inline unsigned int patience(void)
{
	const char *seconds = getenv("HEDDLE_TEST_SECONDS");
	return seconds ? (unsigned int)atoi(seconds) : 240;
}

#endif

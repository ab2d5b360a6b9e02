/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far exhaustive loops go. ThreadSanitizer looks for races, of which a loop of one thread has none, and takes ten
 * times as long: below it such a loop takes every ninth step (of bytes, or of bits of changing places in a byte). The
 * other builds take each.
 */
#ifndef HEDDLE_TESTS_EFFORT_H
#define HEDDLE_TESTS_EFFORT_H

#include "tests/support/sanitizers.h"

#define EXHAUSTIVE_STEP (UNDER_TSAN ? 9 : 1)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many steps exhaustive loops take. EXHAUSTIVE_STEP is 1, but 9 under ThreadSanitizer: it looks for races, which a
 * loop of one thread cannot have, and makes such a loop ten times slower. A step is a byte, or a bit whose position in
 * the byte changes from step to step.
 */
#ifndef HEDDLE_TESTS_EFFORT_H
#define HEDDLE_TESTS_EFFORT_H

#include "tests/support/sanitizers.h"

#define EXHAUSTIVE_STEP (UNDER_TSAN ? 9 : 1)

#endif

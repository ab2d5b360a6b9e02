/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far exhaustive loops go. ThreadSanitizer looks for races, of which a loop of one thread has none, and takes ten
 * times as long: below it such a loop takes every ninth step (of bytes, or of bits of changing places in a byte). The
 * other builds take each.
 */
#ifndef HEDDLE_TESTS_EFFORT_H
#define HEDDLE_TESTS_EFFORT_H

#if defined(__SANITIZE_THREAD__)
#define EXHAUSTIVE_STEP 9
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EXHAUSTIVE_STEP 9
#endif
#endif
#ifndef EXHAUSTIVE_STEP
#define EXHAUSTIVE_STEP 1
#endif

#endif

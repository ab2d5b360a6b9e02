/* SPDX-License-Identifier: BSD-3-Clause */
/* Branch hints: the value of a condition on the fast path. Only for conditions on paths that were benchmarked. */
#ifndef HEDDLE_CORE_LIKELY_H
#define HEDDLE_CORE_LIKELY_H

#define HEDDLE_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define HEDDLE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two lots of numbers differ, or only scatter: Welch's t-test, which does not ask for equal variances. */
#ifndef HEDDLE_PROFILE_SIGNIFICANCE_H
#define HEDDLE_PROFILE_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_difference {
	double before, after; /* means */
	double change;        /* after - before */
	bool tested;          /* both have two numbers and more; then: */
	double margin;        /* the true change is within change +- margin, at 95 % confidence */
	double p;             /* how often equal lots would differ that much by chance */
};

struct heddle_difference heddle_compare(
	const double *before, size_t before_count, const double *after, size_t after_count);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests whether two groups of numbers differ or only scatter: Welch's t-test, which does not assume equal variances. */
#ifndef HEDDLE_ANALYSIS_SIGNIFICANCE_H
#define HEDDLE_ANALYSIS_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Changes with a smaller p are significant. */
#define HEDDLE_SIGNIFICANT 0.05

struct heddle_difference {
	double before, after; /* means */
	double change;        /* after - before */
	bool tested;          /* both groups have at least two numbers; only then are the following valid */
	double margin;        /* the true change is within change +- margin, at 95 % confidence */
	double p;             /* probability of a difference at least as large between equal groups */
};

struct heddle_difference heddle__compare(
	const double *before, size_t before_count, const double *after, size_t after_count);

/* Returns the t with 5 % in both tails of Student's distribution. */
double heddle__critical_t(double freedom);

#endif

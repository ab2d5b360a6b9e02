/* SPDX-License-Identifier: BSD-3-Clause */
/* Welch's t-test. The distribution function is computed here, so the reader needs no statistics library. */
#include "analysis/significance.h"

#include <math.h>

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
	double result = d;
	for (int i = 1; i <= 500; i++) {
		double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
		double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
		double before = result;
		const double steps[] = {even, odd};
		for (int s = 0; s < 2; s++) {
			d = 1 + steps[s] * d;
			c = 1 + steps[s] / c;
			d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
			c = fabs(c) < 1e-300 ? 1e-300 : c;
			result *= c * d;
		}
		if (fabs(result - before) < 1e-14 * fabs(result))
			break;
	}
	return result;
}

static double incomplete_beta(double a, double b, double x)
{
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Returns the probability of both tails of Student's distribution. */
static double tails(double t, double freedom)
{
	return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double heddle__critical_t(double freedom)
{
	double low = 0, high = 64; /* it is 12.7 for one degree of freedom */
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;
		if (tails(middle, freedom) > 0.05)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count ? sum / (double)count : 0;
}

/* Returns the square of the mean's standard error. */
static double error_of(const double *values, size_t count, double mean)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum / (double)(count - 1) / (double)count;
}

struct heddle_difference heddle__compare(
	const double *before, size_t before_count, const double *after, size_t after_count)
{
	struct heddle_difference result = {
		.before = mean_of(before, before_count), .after = mean_of(after, after_count), .p = 1};
	result.change = result.after - result.before;
	result.tested = before_count > 1 && after_count > 1;
	if (!result.tested)
		return result;
	double a = error_of(before, before_count, result.before), b = error_of(after, after_count, result.after);
	if (a + b <= 0) { /* no scatter at all: counts that are equal in every run */
		result.p = result.change == 0 ? 1 : 0;
		return result;
	}
	double freedom = (a + b) * (a + b) / (a * a / (double)(before_count - 1) + b * b / (double)(after_count - 1));
	result.p = tails(result.change / sqrt(a + b), freedom);
	result.margin = heddle__critical_t(freedom) * sqrt(a + b);
	return result;
}

// SPDX-License-Identifier: BSD-3-Clause
//
// OpenMP tasks in C++: a sum over a binary tree by recursive tasks, then the leaves again by taskloop.
//
//     tasks [DEPTH]
//
// In the profile, a task's time stands under the path that created it, whichever thread ran it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace
{
__attribute__((noinline)) double leaf(long index)
{
	double value = 0;

	for (int i = 1; i <= 2000; i++)
		value += std::sin(static_cast<double>(index % 97) / i) / i;
	return value;
}

double sum_tree(long first, long last)
{
	double left = 0, right = 0;
	long middle = first + (last - first) / 2;

	if (last - first == 1)
		return leaf(first);
#pragma omp task shared(left) if (last - first > 16)
	left = sum_tree(first, middle);
#pragma omp task shared(right) if (last - first > 16)
	right = sum_tree(middle, last);
#pragma omp taskwait
	return left + right;
}

double sum_loop(long count)
{
	std::vector<double> values(static_cast<std::size_t>(count));

#pragma omp taskloop grainsize(64) shared(values)
	for (long i = 0; i < count; i++)
		values[static_cast<std::size_t>(i)] = leaf(i);
	return std::accumulate(values.begin(), values.end(), 0.0);
}
} // namespace

int main(int argc, char **argv)
{
	int depth = argc > 1 ? std::atoi(argv[1]) : 15;
	double by_tree = 0, by_loop = 0;

	if (depth < 1 || depth > 24) {
		std::fputs("usage: tasks [DEPTH], 1 <= DEPTH <= 24\n", stderr);
		return 2;
	}
#pragma omp parallel
#pragma omp single
	{
		by_tree = sum_tree(0, 1L << depth);
		by_loop = sum_loop(1L << depth);
	}
	bool good = std::fabs(by_tree - by_loop) <= 1e-9 * std::fabs(by_loop);
	std::printf("tasks: 2^%d leaves, sum %.6g by tasks, %.6g by taskloop: %s\n", depth, by_tree, by_loop,
		good ? "verified" : "WRONG");
	return good ? 0 : 1;
}

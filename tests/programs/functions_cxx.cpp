// SPDX-License-Identifier: BSD-3-Clause
// Exceptions through instrumented functions: 100 rounds, thrown three calls deep, with a destructor that calls
// functions.
#include <cstdio>
#include <stdexcept>

static volatile long sink;

__attribute__((noinline)) void leaf()
{
	sink = sink + 1;
}

struct guard {
	~guard()
	{
		leaf();
	}
};

__attribute__((noinline)) void throws()
{
	throw std::runtime_error("on purpose");
}

__attribute__((noinline)) void passes()
{
	throws();
	leaf();
}

__attribute__((noinline)) void cleans_up()
{
	guard held;
	passes();
	leaf();
}

static inline __attribute__((always_inline)) void passes_inlined()
{
	cleans_up();
}

__attribute__((noinline)) int catches()
{
	try {
		passes_inlined();
	} catch (const std::exception &) {
		leaf();
		return 1;
	}
	return 0;
}

int main()
{
	int caught = 0;
	for (int i = 0; i < 100; i++)
		caught += catches();
	leaf();
	std::printf("%d\n", caught);
	return 0;
}

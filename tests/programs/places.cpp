/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates in a template function of the C++ library. */
#include <cstdio>
#include <vector>

__attribute__((noinline)) static void fill(std::vector<int> &values)
{
	values.reserve(10000); /* line 8: memory.sh expects it */
}

int main()
{
	std::vector<int> values;
	fill(values);
	std::printf("%zu\n", values.capacity());
}

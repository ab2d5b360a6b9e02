// SPDX-License-Identifier: BSD-3-Clause
// truth_cxx THREADS MILLISECONDS: like truth.c, for C++: templates, members, lambdas, overloads and exceptions thrown
// and caught inside parallel regions and tasks.
#include "burn.h"

#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace work
{

std::atomic<uint64_t> template_int, template_double, member, lambda, thrown;
int threads;
double total_ms;

template <typename T> NOINLINE void burn_template(T ms, std::atomic<uint64_t> &sum)
{
	sum += burn_ms(static_cast<double>(ms));
}

struct Solver {
	NOINLINE void burn_member(double ms) const
	{
		member += burn_ms(ms);
	}
	NOINLINE void solve() const
	{
#pragma omp parallel num_threads(threads) /* line: solve */
		burn_member(total_ms * .25 / threads);
	}
};

NOINLINE void burn_thrown(double ms, int depth)
{
	if (depth == 0) {
		thrown += burn_ms(ms);
		throw std::runtime_error("done");
	}
	burn_thrown(ms, depth - 1);
}

template <typename F> NOINLINE void apply(F function)
{
#pragma omp parallel num_threads(threads) /* line: apply */
	function();
}

NOINLINE void burn_in_lambda(double ms)
{
	lambda += burn_ms(ms);
}

NOINLINE void exceptions()
{
#pragma omp parallel num_threads(threads) /* line: exceptions */
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task /* line: thrown */
		{
			try {
				burn_thrown(total_ms * .25 / 50, 5);
			} catch (const std::runtime_error &) {
			}
		}
	}
}

} // namespace work

int main(int argc, char **argv)
{
	using namespace work;
	threads = argc > 1 ? std::atoi(argv[1]) : 2;
	total_ms = argc > 2 ? std::atof(argv[2]) : 1000;
#pragma omp parallel num_threads(threads) /* line: templates */
	{
		burn_template<double>(total_ms * .15 / threads, template_double);
		burn_template<int>(static_cast<int>(total_ms * .2 / threads), template_int);
	}
	Solver().solve();
	apply([] { burn_in_lambda(total_ms * .15 / threads); });
	exceptions();

	double all = double(template_int) + double(template_double) + double(member) + double(lambda) + double(thrown);
	print_share("burn_template<int>", double(template_int), all);
	print_share("burn_template<double>", double(template_double), all);
	print_share("burn_member", double(member), all);
	print_share("burn_in_lambda", double(lambda), all);
	print_share("burn_thrown", double(thrown), all);
	std::fprintf(stderr, "process_cpu_ns %llu\n", static_cast<unsigned long long>(process_cpu_ns()));
	return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// tail_cxx MILLISECONDS: like tail.c, with constructs that end by calling C++ member functions, lambdas and
// templates.
#include "burn.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#define THREADS 2

// A call that precedes this is not a tail call.
#define STAY __asm__ volatile("")

std::atomic<uint64_t> member, lambda, templated, task, virtually, single;
double total_ms;

struct Base {
	virtual ~Base() = default;
	virtual void burn_virtual(double ms) const = 0;
};

struct Solver : Base {
	double scale = 1;
	NOINLINE void burn_member(double ms) const
	{
		member += burn_ms(ms * scale);
	}
	NOINLINE void burn_virtual(double ms) const override
	{
		virtually += burn_ms(ms * scale);
	}
	NOINLINE void burn_task(double ms) const
	{
		task += burn_ms(ms * scale);
	}
	NOINLINE void burn_single(double ms) const
	{
		single += burn_ms(ms * scale);
	}
	NOINLINE void solve() const
	{
#pragma omp parallel num_threads(THREADS) /* line: solve */
		burn_member(total_ms * .2 / THREADS);
		STAY;
	}
	NOINLINE void tasks() const
	{
#pragma omp parallel num_threads(THREADS) /* line: tasks */
#pragma omp single
		for (int i = 0; i < 20; i++) {
#pragma omp task /* line: task */
			burn_task(total_ms * .15 / 20);
		}
		STAY;
	}
	NOINLINE void alone() const
	{
#pragma omp parallel num_threads(THREADS) /* line: alone */
#pragma omp single nowait                 /* line: single */
		burn_single(total_ms * .15);
		STAY;
	}
};

template <typename T> NOINLINE void burn_template(T ms)
{
	templated += burn_ms(static_cast<double>(ms));
}

template <typename F> NOINLINE void apply(F function)
{
#pragma omp parallel num_threads(THREADS) /* line: apply */
	function();
	STAY;
}

NOINLINE void templates()
{
#pragma omp parallel num_threads(THREADS) /* line: templates */
	burn_template<double>(total_ms * .15 / THREADS);
	STAY;
}

NOINLINE void dispatch(const Base &base)
{
#pragma omp parallel num_threads(THREADS) /* line: dispatch */
	base.burn_virtual(total_ms * .15 / THREADS);
	STAY;
}

int main(int argc, char **argv)
{
	total_ms = argc > 1 ? std::atof(argv[1]) : 1000;
	Solver solver;
	solver.solve();
	apply([]() __attribute__((noinline)) {
		lambda += burn_ms(total_ms * .2 / THREADS); /* line: lambda */
	});
	templates();
	dispatch(solver);
	solver.tasks();
	solver.alone();

	double all =
		double(member) + double(lambda) + double(templated) + double(task) + double(virtually) + double(single);
	print_share("burn_member", double(member), all);
	print_share("burn_lambda", double(lambda), all);
	print_share("burn_template", double(templated), all);
	print_share("burn_task", double(task), all);
	print_share("burn_virtual", double(virtually), all);
	print_share("burn_single", double(single), all);
	std::fprintf(stderr, "process_cpu_ns %llu\n", static_cast<unsigned long long>(process_cpu_ns()));
	return 0;
}

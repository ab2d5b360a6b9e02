// SPDX-License-Identifier: BSD-3-Clause
// called_back THREADS MILLISECONDS: burns known parts of the CPU time in functions that the OpenMP runtime calls, and
// prints the truth: copies for other threads, destructors of a task's copies, a reduction's combiner. For Clang.
#include "burn.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace
{

std::atomic<uint64_t> body, copied, destroyed, combined, initialized;
int threads;
double total_ms;

NOINLINE void burn_body(double ms)
{
	body += burn_ms(ms);
}

NOINLINE void burn_copied(double ms)
{
	copied += burn_ms(ms);
}

NOINLINE void burn_destroyed(double ms)
{
	destroyed += burn_ms(ms);
}

NOINLINE void burn_combined(double ms)
{
	combined += burn_ms(ms);
}

NOINLINE void burn_initialized(double ms)
{
	initialized += burn_ms(ms);
}

struct Told {
	int value = 0;
	Told &operator=(const Told &other)
	{
		value = other.value;
		burn_copied(total_ms * .2 / 4);
		return *this;
	}
};

struct Held {
	int value = 0;
	Held() = default;
	Held(const Held &) = default;
	~Held()
	{
		if (value)
			burn_destroyed(total_ms * .2 / 16);
	}
};

struct Sum {
	long value = 0;
	void add(const Sum &other)
	{
		burn_combined(total_ms * .1);
		value += other.value;
	}
	static Sum initial()
	{
		burn_initialized(total_ms * .05);
		return {};
	}
};

#pragma omp declare reduction(add:Sum : omp_out.add(omp_in)) initializer(omp_priv = Sum::initial())

NOINLINE void tell()
{
#pragma omp parallel num_threads(threads) /* line: tell */
	for (int i = 0; i < 4; i++) {
		Told told;
#pragma omp single copyprivate(told)
		told.value = i;
	}
	__asm__ volatile("");
}

NOINLINE void hold()
{
	Held held;
	held.value = 1;
#pragma omp parallel num_threads(threads) /* line: hold */
#pragma omp single
	for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(held) /* line: task */
		burn_body(total_ms * .2 * held.value / 16);
	}
	held.value = 0;
}

NOINLINE long add()
{
	Sum sum;
#pragma omp parallel for num_threads(threads) reduction(add : sum) /* line: add */
	for (int i = 0; i < 8; i++) {
		burn_body(total_ms * .1 / 8);
		sum.value += i;
	}
	return sum.value;
}

} // namespace

int main(int argc, char **argv)
{
	threads = argc > 1 ? std::atoi(argv[1]) : 2;
	total_ms = argc > 2 ? std::atof(argv[2]) : 1000;
	tell();
	hold();
	long sum = add();
	double all = double(body) + double(copied) + double(destroyed) + double(combined) + double(initialized);
	print_share("burn_body", double(body), all);
	print_share("burn_copied", double(copied), all);
	print_share("burn_destroyed", double(destroyed), all);
	print_share("burn_combined", double(combined), all);
	print_share("burn_initialized", double(initialized), all);
	std::fprintf(stderr, "process_cpu_ns %llu\n", static_cast<unsigned long long>(process_cpu_ns()));
	return sum == 28 ? 0 : 1;
}

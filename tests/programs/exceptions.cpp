// SPDX-License-Identifier: BSD-3-Clause
// exceptions: throws 50,000 exceptions through ten frames each, in two threads, and counts what was caught.
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <thread>

static std::atomic<int> caught, destroyed;

struct Guard {
	~Guard()
	{
		destroyed++;
	}
};

static __attribute__((noinline)) void thrower(int depth)
{
	Guard guard;
	if (depth == 0)
		throw std::runtime_error("bottom");
	thrower(depth - 1);
}

static void many()
{
	for (int i = 0; i < 25000; i++) {
		try {
			thrower(9);
		} catch (const std::exception &) {
			caught++;
		}
	}
}

int main()
{
	std::thread other(many);
	many();
	other.join();
	std::printf("%d caught, %d destroyed\n", caught.load(), destroyed.load());
	return 0;
}

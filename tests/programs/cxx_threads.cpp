// SPDX-License-Identifier: BSD-3-Clause
// cxx_threads: two threads of the C++ library that burn 100 ms each, and thirty that burn nothing.
#include <thread>

extern "C" {
#include "burn.h"
}

static NOINLINE void burn_in_thread(int ms)
{
	burn_ms(ms);
	__asm__ volatile("");
}

int main()
{
	std::thread first(burn_in_thread, 100), second(burn_in_thread, 100);
	first.join();
	second.join();
	for (int i = 0; i < 30; i++)
		std::thread(burn_in_thread, 0).join();
}

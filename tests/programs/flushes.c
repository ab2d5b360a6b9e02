/* SPDX-License-Identifier: BSD-3-Clause */
/* flushes COUNT: two threads execute the flush construct at two places, repeatedly and between critical sections. */
#include <stdlib.h>

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000;
#pragma omp parallel num_threads(2)
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < i % 200; k++) {
#pragma omp flush
			__asm__ volatile("");
		}
		if (i % 30 == 0) {
#pragma omp critical
			__asm__ volatile("");
		}
#pragma omp flush
	}
	return 0;
}

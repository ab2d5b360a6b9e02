/* SPDX-License-Identifier: BSD-3-Clause */
/* worker: a parallel region in which the worker thread alone burns 100 ms. */
#include <omp.h>

#include "burn.h"

int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num())
		burn_ms(100);
	return 0;
}

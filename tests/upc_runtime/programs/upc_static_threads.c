/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled for two threads; a thread that waits for the other one's lock detects its end. */
#define STATIC_THREADS 2
#include "upc_program.h"

UNIT(NULL);

int __upcrt_user_main(int argc, char **argv)
{
	upcrt_shared lock = upc_all_lock_alloc();

	(void)argv;
	CHECK(THREADS == 2);
	if (MYTHREAD == 1)
		upc_lock(lock);
	BARRIER();
	if (MYTHREAD == 1)
		exit(6);
	if (argc > 1)
		AT(33, upc_lock(lock));
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends in the way named by its first argument; the second one is the thread that ends. */
#include <signal.h>

#include "upc_program.h"

UNIT(NULL);
static volatile uintptr_t bad_address = 8; /* an address that compilers do not know to be bad */

static void end(const char *how)
{
	if (!strcmp(how, "exit3"))
		exit(3);
	if (!strcmp(how, "_exit4"))
		_exit(4);
	if (!strcmp(how, "global5"))
		AT(7, upc_global_exit(5));
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "null"))
		*(volatile int *)UPCRT_ADDRESS(0) = 1;
	if (!strcmp(how, "near"))
		*(volatile int *)UPCRT_ADDRESS(8) = 1;
	if (!strcmp(how, "behind"))
		*(volatile int *)UPCRT_ADDRESS(UPCRT_POINTER(0, 0, UPCRT_OFFSET_MASK - 7)) = 1;
	if (!strcmp(how, "nobody"))
		*(volatile int *)UPCRT_ADDRESS(UPCRT_POINTER(0, THREADS, 8192)) = 1;
	if (!strcmp(how, "private"))
		*(volatile int *)bad_address = 1;
	if (!strcmp(how, "twice")) {
		upcrt_shared p = AT(8, upc_alloc(10));
		AT(9, upc_free(p));
		AT(10, upc_free(p));
	}
	if (!strcmp(how, "unlock")) {
		upcrt_shared lock = AT(8, upc_global_lock_alloc());
		AT(11, upc_unlock(lock));
	}
	if (!strcmp(how, "hoard")) {
		for (;;)
			AT(12, upc_alloc(1 << 20));
	}
	if (!strcmp(how, "memput"))
		AT(13, upc_memput(0, "x", 1));
	if (!strcmp(how, "notify")) {
		__upcrt_notify(0, 0, "program.upc", 14);
		__upcrt_notify(0, 0, "program.upc", 15);
	}
	if (!strcmp(how, "wait"))
		__upcrt_wait(0, 0, "program.upc", 16);
	if (!strcmp(how, "value"))
		__upcrt_barrier(1, MYTHREAD, "program.upc", 17);
	if (!strcmp(how, "collective"))
		AT(18, upc_all_alloc(1, 8));
	if (!strcmp(how, "arguments"))
		AT(19, upc_all_alloc(1, 8));
}

int __upcrt_user_main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int who = argc > 2 ? atoi(argv[2]) : 0;

	printf("thread %d\n", MYTHREAD);
	if (!strcmp(how, "pid")) {
		BARRIER();
		if (MYTHREAD == who) {
			printf("%d %d\n", (int)getppid(), (int)getpid());
			fflush(stdout);
		}
		pause();
	}
	if (MYTHREAD == who)
		end(how);
	if (argc > 3 && !strcmp(argv[3], "busy")) {
		for (volatile unsigned long i = 0; getppid() != 1; i++)
			;
	}
	if (argc > 3 && !strcmp(argv[3], "barrier"))
		BARRIER();
	if (!strcmp(how, "value"))
		__upcrt_barrier(1, MYTHREAD, "program.upc", 20);
	if (!strcmp(how, "arguments"))
		AT(21, upc_all_alloc(1, 16));
	return argc > 4 ? atoi(argv[4]) : 0;
}

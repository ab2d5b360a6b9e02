/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls each function that causes events, once, at a separate line; on two threads. */
#include "upc_program.h"

UNIT(NULL);

static upcrt_shared table;
__attribute__((section(UPCRT_SHARED_SECTION), used)) static const struct upcrt_shared_record record = {
	&table, "table", "int", "program.upc", NULL, 10, 4, 3, 0, 4, 5, UPCRT_TIMES_THREADS, 0};

static void synchronize(upcrt_shared array)
{
	AT(10, __upcrt_notify(1, 3, "program.upc", 10));
	AT(11, __upcrt_wait(0, 0, "program.upc", 11));
	AT(12, __upcrt_barrier(0, 0, "program.upc", 12));
	AT(13, __upcrt_fence());
	__upcrt_forall_start("program.upc", 14);
	__upcrt_get_start(array, 4, NULL, UPCRT_ACCESS_STRICT, "program.upc", 15);
	__upcrt_get_end(array, 4, NULL, UPCRT_ACCESS_STRICT, "program.upc", 15);
	__upcrt_put_start(array, 8, &array, 0, "program.upc", 16);
	__upcrt_put_end(array, 8, &array, 0, "program.upc", 16);
	__upcrt_forall_end("program.upc", 17);
}

static void use_locks(void)
{
	upcrt_shared lock = AT(20, upc_all_lock_alloc()), own = AT(21, upc_global_lock_alloc());

	AT(22, upc_lock(own));
	AT(23, upc_lock_attempt(own));
	AT(24, upc_unlock(own));
	AT(25, upc_lock_free(own));
	AT(26, upc_all_lock_free(lock));
}

static void transfer(upcrt_shared array)
{
	char bytes[8] = "";
	upcrt_shared last = array + UPCRT_POINTER(0, THREADS - 1, 0);

	AT(30, upc_memput(last, bytes, 8));
	AT(31, upc_memget(bytes, last, 7));
	AT(32, upc_memcpy(array, last, 6));
	AT(33, upc_memset(array, 5, 4));
	uint64_t handle = AT(34, upc_memget_nb(bytes, array, 3));
	AT(35, upc_sync(handle));
	AT(36, upc_memput_nbi(array, bytes, 2));
	AT(37, upc_synci());
}

static void collect(upcrt_shared to, upcrt_shared from)
{
	int flags = HUPC__IN_ALLSYNC | HUPC__OUT_ALLSYNC;

	upc_memset(table, 0, 4);
	AT(40, upc_all_broadcast(to, from, 4, flags));
	AT(41, upc_all_scatter(to, from, 4, flags));
	AT(42, upc_all_gather(to, from, 4, flags));
	AT(43, upc_all_gather_all(to, from, 4, flags));
	AT(44, upc_all_exchange(to, from, 4, flags));
	*(int *)UPCRT_ADDRESS(table + UPCRT_POINTER(0, MYTHREAD, 0)) = MYTHREAD;
	AT(45, upc_all_permute(to, from, table, 4, flags));
	AT(46, upc_all_reduceI(to, from, HUPC__ADD, 2, 1, NULL, flags));
	AT(47, upc_all_prefix_reduceL(to, from, HUPC__ADD, 2, 1, NULL, flags));
}

int __upcrt_user_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	__upcrt_function_start("int main(void)", "program.upc", 1);
	upcrt_shared first = AT(2, upc_all_alloc(2, 64)), second = AT(3, upc_global_alloc(4, 64));
	upcrt_shared third = AT(4, upc_alloc(16));
	synchronize(first);
	use_locks();
	transfer(first);
	second = first + 32;
	collect(second, first);
	AT(50, pupc_control(0));
	AT(51, pupc_control(1));
	unsigned int tag = AT(52, pupc_create_event("step", "%d %g"));
	AT(53, pupc_event_start(tag, 7, 0.5));
	hupc_event(1, "program.upc", 54, tag, 7, 0.25);
	AT(55, upc_free(third));
	BARRIER(); /* no place was set before: causes no event */
	upc_all_free(first);
	__upcrt_function_end("int main(void)", "program.upc", 60);
	if (argc > 1 && !strcmp(argv[1], "global") && MYTHREAD == THREADS - 1)
		AT(61, upc_global_exit(4));
	return argc;
}

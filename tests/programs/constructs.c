/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constructs NAME: executes one OpenMP construct on two threads, a fixed number of times, so that the events that it
 * causes are known in advance. Without NAME: prints the names of all constructs.
 */
#include "burn.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int variable, total;
static atomic_int ready;

static void wait_for(int value)
{
	while (atomic_load(&ready) < value)
		usleep(100);
}

/* Makes all threads except the first one wait. */
static void others_wait(void)
{
	if (omp_get_thread_num() != 0)
		wait_for(1);
}

static void parallel(void)
{
#pragma omp parallel num_threads(2)
	atomic_fetch_add(&ready, 1);
}

static void barrier(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
	}
}

static void loop_static(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for schedule(static)
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&ready, 1);
}

/* Each thread takes two of the four chunks: it waits in each until the other thread has taken as many. */
static void loop_dynamic(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic, 1)
	for (int i = 0; i < 4; i++) {
		wait_for(atomic_fetch_add(&ready, 1) < 2 ? 2 : 4);
	}
}

static void loop_guided(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for schedule(guided, 1)
	for (int i = 0; i < 4; i++)
		wait_for(atomic_fetch_add(&ready, 1) < 2 ? 2 : 4);
}

static void loop_runtime(void)
{
	omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel num_threads(2)
#pragma omp for schedule(runtime)
	for (int i = 0; i < 4; i++)
		wait_for(atomic_fetch_add(&ready, 1) < 2 ? 2 : 4);
}

/* A region that the if clause makes serial. */
static void serialized(void)
{
#pragma omp parallel if (0)
	total++;
}

static void nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(1)
			total++;
		}
	}
}

/* What a compiler generates for `#pragma omp scope`: Clang 14 does not know it, LLVM's runtimes since 16 do. */
void __kmpc_scope(void *location, int thread, void *reserved) __attribute__((weak));
void __kmpc_end_scope(void *location, int thread, void *reserved) __attribute__((weak));
int __kmpc_global_thread_num(void *location);

static void scope(void)
{
	static struct {
		int reserved, flags, more, length;
		const char *text;
	} location = {0, 2, 0, 0, ";constructs.c;scope;1;1;;"};
#pragma omp parallel num_threads(2)
	{
		int thread = __kmpc_global_thread_num(&location);
		if (__kmpc_scope)
			__kmpc_scope(&location, thread, NULL);
		atomic_fetch_add(&ready, 1);
		if (__kmpc_end_scope)
			__kmpc_end_scope(&location, thread, NULL);
	}
}

static void sections(void)
{
#pragma omp parallel num_threads(2)
#pragma omp sections
	{
#pragma omp section
		{
			atomic_fetch_add(&ready, 1);
			wait_for(2);
		}
#pragma omp section
		{
			atomic_fetch_add(&ready, 1);
			wait_for(2);
		}
	}
}

static void single(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp single
		atomic_store(&ready, 1);
	}
}

static void masked(void)
{
#pragma omp parallel num_threads(2)
#pragma omp masked
	atomic_fetch_add(&ready, 1);
}

static void distribute(void)
{
#pragma omp teams num_teams(1) thread_limit(2)
#pragma omp distribute
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&ready, 1);
}

static void distribute_parallel_for(void)
{
#pragma omp teams num_teams(1) thread_limit(1)
#pragma omp distribute parallel for
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&ready, 1);
}

/* Each team starts its iteration before either of them ends. */
static void distribute_league(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
#pragma omp distribute
	for (int i = 0; i < 2; i++) {
		atomic_fetch_add(&ready, 1);
		wait_for(2);
	}
}

/* A league of two. */
static void teams(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
	{
		atomic_fetch_add(&ready, 1);
		wait_for(2);
	}
}

static void reduction(void)
{
	int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += 1;
	total += sum;
}

static void critical(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		total++;
	}
}

/* What GCC generates for an atomic that the processor cannot execute; Clang always uses another sequence. */
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

static void atomic(void)
{
#pragma omp parallel num_threads(2)
	{
		GOMP_atomic_start();
		total++;
		GOMP_atomic_end();
	}
}

static void ordered(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered schedule(static)
	for (int i = 0; i < 2; i++) {
#pragma omp ordered
		total++;
	}
}

static void flush(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp flush
	}
}

static void lock(void)
{
	omp_lock_t lock;

	omp_init_lock(&lock);
	omp_set_lock(&lock);
	total += omp_test_lock(&lock);
	omp_unset_lock(&lock);
	total += omp_test_lock(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
}

static void nest_lock(void)
{
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
	omp_set_nest_lock(&lock);
	omp_set_nest_lock(&lock);
	total += omp_test_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
}

/* In the following functions, the other thread executes no task until the creating thread has executed its tasks. */
static void task(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp task
			total++;
#pragma omp taskwait
			atomic_store(&ready, 1);
		}
	}
}

static void undeferred(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp task if (0)
			total++;
			atomic_store(&ready, 1);
		}
	}
}

static void taskgroup(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp taskgroup
			{
#pragma omp task
				total++;
			}
			atomic_store(&ready, 1);
		}
	}
}

static void taskloop(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp taskloop num_tasks(2)
			for (int i = 0; i < 4; i++)
				total++;
			atomic_store(&ready, 1);
		}
	}
}

static void taskyield(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp task
			{
#pragma omp task
				total++;
#pragma omp taskyield
			}
#pragma omp taskwait
			atomic_store(&ready, 1);
		}
	}
}

static void depend(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp task depend(out : variable)
			variable = 1;
#pragma omp task depend(in : variable)
			total += variable;
#pragma omp taskwait
			atomic_store(&ready, 1);
		}
	}
}

static void taskwait_depend(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp task depend(out : variable)
			variable = 1;
#pragma omp taskwait depend(in : variable)
			total += variable;
			atomic_store(&ready, 1);
		}
	}
}

static void detach(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
			omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
			omp_fulfill_event(event);
#pragma omp taskwait
			atomic_store(&ready, 1);
		}
	}
}

static void doacross(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(static, 1)
	for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
		total++;
#pragma omp ordered depend(source)
	}
}

/* One thread requests cancellation, the other one observes it. */
static void cancel_parallel(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
		while (omp_get_cancellation()) {
#pragma omp cancellation point parallel
			usleep(100);
		}
	}
}

static void cancel_loop(void)
{
#pragma omp parallel num_threads(1)
#pragma omp for
	for (int i = 0; i < 4; i++) {
#pragma omp cancel for
	}
}

static void cancel_sections(void)
{
#pragma omp parallel num_threads(1)
#pragma omp sections
	{
#pragma omp section
		{
#pragma omp cancel sections
		}
	}
}

static void cancel_taskgroup(void)
{
#pragma omp parallel num_threads(2)
	{
		others_wait();
#pragma omp masked
		{
#pragma omp taskgroup
			{
#pragma omp task
				total++;
#pragma omp task
				total++;
#pragma omp task if (0)
				{
#pragma omp cancel taskgroup
				}
			}
			atomic_store(&ready, 1);
		}
	}
}

static void control_tool(void)
{
	omp_get_max_threads(); /* LLVM's runtime has no tool before it is initialized */
	printf("%d", omp_control_tool(omp_control_tool_flush, 0, NULL));
	printf(" %d", omp_control_tool(omp_control_tool_pause, 0, NULL));
	printf(" %d\n", omp_control_tool(omp_control_tool_start, 7, NULL));
}

/* What compilers since LLVM 16 generate for `#pragma omp error at(execution) severity(warning)`. */
void __kmpc_error(void *location, int severity, const char *message) __attribute__((weak));

static void error(void)
{
	struct {
		int reserved, flags, more, length;
		const char *text;
	} location = {0, 2, 0, 0, ";constructs.c;error;1;1;;"};

	if (__kmpc_error)
		__kmpc_error(&location, 1, "just a test");
}

static const struct {
	const char *name;
	void (*run)(void);
} constructs[] = {
#define X(name) {#name, name},
	X(parallel) X(serialized) X(nested) X(barrier) X(loop_static) X(loop_dynamic) X(loop_guided) X(loop_runtime)
		X(sections) X(single) X(scope) X(masked) X(teams) X(distribute) X(distribute_league)
			X(distribute_parallel_for) X(reduction) X(critical) X(atomic) X(ordered) X(flush) X(lock)
				X(nest_lock) X(task) X(undeferred) X(taskgroup) X(taskloop) X(taskyield) X(depend)
					X(taskwait_depend) X(detach) X(doacross) X(cancel_parallel) X(cancel_loop)
						X(cancel_sections) X(cancel_taskgroup) X(control_tool) X(error)
#undef X
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++) {
		if (argc < 2)
			puts(constructs[i].name);
		else if (strcmp(argv[1], constructs[i].name) == 0)
			constructs[i].run();
	}
	return total < 0;
}

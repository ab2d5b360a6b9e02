/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions since OpenSHMEM 1.5, which the installed library may lack. With -DLIBRARY: a library for PE 0 of three that
 * returns the arguments it was passed. Without: a program that calls it and prints the results. PE 1 is on the same
 * node, PE 2 on another.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void shmem_init(void);
int shmem_my_pe(void), shmem_n_pes(void);
void *shmem_ptr(const void *address, int pe);
void shmem_barrier_all(void);
void shmem_sync_all(void);
int shmem_team_my_pe(void *team), shmem_team_n_pes(void *team);
int shmem_team_split_2d(
	void *team, int range, const void *x, long x_mask, void *x_made, const void *y, long y_mask, void *y_made);
void shmem_team_destroy(void *team);
int shmem_double_broadcast(void *team, double *to, const double *from, size_t count, int root);
int shmem_float_fcollect(void *team, float *to, const float *from, size_t count);
int shmem_int_sum_reduce(void *team, int *to, const int *from, size_t count);
void shmem_long_put_signal(long *to, const long *from, size_t count, uint64_t *at, uint64_t signal, int how, int pe);
uint64_t shmem_signal_wait_until(uint64_t *at, int compare, uint64_t value);
void shmem_double_atomic_swap_nbi(double *fetched, double *to, double value, int pe);
size_t shmem_long_wait_until_some(long *at, size_t count, size_t *found, const int *status, int compare, long value);
void shmem_long_p(long *to, long value, int pe);
void shmem_pcontrol(int level, ...);
void shmem_quiet(void), shmem_fence(void);
void shmem_finalize(void);

#ifdef LIBRARY
static long sum; /* of the arguments of the last call */

void shmem_init(void)
{
}

int shmem_my_pe(void)
{
	return 0;
}

int shmem_n_pes(void)
{
	return 3;
}

void *shmem_ptr(const void *address, int pe)
{
	return pe < 2 ? (void *)(uintptr_t)address : NULL;
}

void shmem_barrier_all(void)
{
}

void shmem_sync_all(void)
{
	raise(SIGUSR1);
}

int shmem_team_my_pe(void *team)
{
	return team ? 0 : -1;
}

int shmem_team_n_pes(void *team)
{
	return team ? 4 : -1;
}

int shmem_team_split_2d(
	void *team, int range, const void *x, long x_mask, void *x_made, const void *y, long y_mask, void *y_made)
{
	*(void **)x_made = team;
	*(void **)y_made = x == y ? team : NULL;
	sum = range + x_mask + y_mask;
	return 0;
}

void shmem_team_destroy(void *team)
{
	sum = team != NULL;
}

int shmem_double_broadcast(void *team, double *to, const double *from, size_t count, int root)
{
	*to = *from;
	return team ? (int)count + root : -1;
}

int shmem_float_fcollect(void *team, float *to, const float *from, size_t count)
{
	*to = *from;
	return team ? (int)count : -1;
}

int shmem_int_sum_reduce(void *team, int *to, const int *from, size_t count)
{
	*to = *from * 2;
	return team ? (int)count : -1;
}

void shmem_long_put_signal(long *to, const long *from, size_t count, uint64_t *at, uint64_t signal, int how, int pe)
{
	*to = *from + (long)count;
	*at = signal + (uint64_t)(how + pe);
}

uint64_t shmem_signal_wait_until(uint64_t *at, int compare, uint64_t value)
{
	return *at + (uint64_t)compare + value;
}

void shmem_double_atomic_swap_nbi(double *fetched, double *to, double value, int pe)
{
	*fetched = *to;
	*to = value + pe;
}

size_t shmem_long_wait_until_some(long *at, size_t count, size_t *found, const int *status, int compare, long value)
{
	*found = count;
	return status ? 0 : (size_t)(*at + compare + value);
}

void shmem_long_p(long *to, long value, int pe)
{
	*to = value + pe;
}

void shmem_pcontrol(int level, ...)
{
	va_list more;
	va_start(more, level);
	printf("control %d %ld\n", level, va_arg(more, long));
	va_end(more);
}

void shmem_quiet(void)
{
}

void shmem_fence(void)
{
}

void shmem_finalize(void)
{
	printf("%ld\n", sum);
}
#else
static jmp_buf left;

static void leave(int signal)
{
	(void)signal;
	longjmp(left, 1);
}

/* Calls that are left by longjmp end at that moment. */
static void leave_calls(void)
{
	struct sigaction action = {.sa_handler = leave, .sa_flags = SA_NODEFER};
	sigaction(SIGUSR1, &action, NULL);
	for (volatile int i = 0; i < 5; i++)
		if (!setjmp(left))
			shmem_sync_all();
	shmem_fence();
}

int main(void)
{
	char team[1];
	void *x = NULL, *y = NULL;
	double from[3] = {1.5}, to[3] = {0}, fetched = 0;
	float real[2] = {2.5f}, reals[8] = {0};
	int number = 21, numbers[2] = {0};
	long value = 3, put = 0;
	uint64_t signal = 0;
	size_t found = 0;
	shmem_init();
	printf("%d %d\n", shmem_team_my_pe(team), shmem_team_n_pes(team));
	printf("%d\n", shmem_team_split_2d(team, 1, from, 2, &x, from, 4, &y));
	printf("%d %d\n", x == team, y == team);
	printf("%d %g\n", shmem_double_broadcast(team, to, from, 3, 0), to[0]);
	printf("%d %g\n", shmem_float_fcollect(team, reals, real, 2), reals[0]);
	printf("%d %d\n", shmem_int_sum_reduce(team, numbers, &number, 1), numbers[0]);
	shmem_long_put_signal(&put, &value, 5, &signal, 40, 2, 0);
	printf("%ld %lu\n", put, (unsigned long)signal);
	printf("%lu\n", (unsigned long)shmem_signal_wait_until(&signal, 1, 2));
	shmem_double_atomic_swap_nbi(&fetched, to, 7.5, 0);
	shmem_quiet();
	printf("%g %g\n", fetched, to[0]);
	printf("%zu", shmem_long_wait_until_some(&value, 9, &found, NULL, 1, 2));
	printf(" %zu\n", found);
	for (int i = 0; i < 4; i++)
		shmem_long_p(&put, 1, i < 3 ? i : 2);
	shmem_pcontrol(0, 11L);
	shmem_barrier_all();
	shmem_pcontrol(1, 12L);
	shmem_barrier_all();
	shmem_team_destroy(team);
	leave_calls();
	shmem_finalize();
	return 0;
}
#endif

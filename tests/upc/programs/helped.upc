/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeats each kind of access to another thread's memory (helpers.sh). */
#include <upc.h>

struct big {
	double values[12];
};
struct pair {
	double x, y;
};
struct bits {
	unsigned few : 5;
};
static strict shared int flags[THREADS];
static shared double cyclic[THREADS];
static shared [7] double blocked[7 * THREADS];
static shared struct big big[THREADS];
static shared struct pair pairs[THREADS];
static shared _Atomic int counters[THREADS];
static shared struct bits bits[THREADS];
static volatile double sink;

__attribute__((noinline)) static double use(struct big argument)
{
	return argument.values[3];
}

__attribute__((noinline)) static double use_pair(struct pair argument)
{
	return argument.x;
}

__attribute__((noinline)) static double work(int round)
{
	int next = (MYTHREAD + 1) % THREADS;
	double sum = cyclic[next], private[7];
	flags[next] = round;
	sum += flags[next];
	shared struct big *other = &big[next];
	struct big copy = *other;
	copy.values[2] = round;
	*other = copy;
	sum += use(*other) + use_pair(pairs[next]);
	shared [7] double *step = blocked;
	for (int i = 0; i < 7 * THREADS; i++)
		sum += *step++;
	for (int i = round; i < 7 * THREADS + round; i++)
		blocked[i % (7 * THREADS)] = round;
	counters[next]++;
	sum += counters[next];
	bits[next].few = (unsigned)round;
	upc_memget(private, &blocked[7 * next], sizeof(private));
	upc_memput(&blocked[7 * next], private, sizeof(private));
	int i;
	upc_forall(i = 0; i < 7 * THREADS; i++; &blocked[i])
		sum += blocked[i];
	return sum + (double)upc_threadof(step);
}

int main(void)
{
	for (int round = 0; round < 20000; round++)
		sink = work(round);
	upc_barrier;
	return 0;
}

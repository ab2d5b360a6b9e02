/* SPDX-License-Identifier: BSD-3-Clause */
/* Invalid accesses by thread 1; the argument selects one. */
#include <stdlib.h>
#include <upc.h>

static shared int x[THREADS];
struct pair {
	long one, two;
};

static void set(shared int *p)
{
	*p = 1; /* line 13 */
}

static int get(shared int *p)
{
	return *p; /* line 18 */
}

static long copy(shared struct pair *p)
{
	struct pair pair = *p; /* line 23 */
	return pair.one + pair.two;
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	upc_barrier;
	if (MYTHREAD == 1 && which == 1)
		set(NULL);
	if (MYTHREAD == 1 && which == 2)
		return get(&x[(long)THREADS << 40]);
	if (MYTHREAD == 1 && which == 3)
		return (int)copy(NULL);
	upc_barrier;
	return 0;
}

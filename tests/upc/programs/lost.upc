/* SPDX-License-Identifier: BSD-3-Clause */
/* Invalid accesses by thread 0, in code that the optimizer rearranges; the argument selects one (places.sh). */
#include <stdlib.h>
#include <upc_relaxed.h>

#define N (64 * THREADS)
#define FAR_AWAY (1L << 30)
#define APART __attribute__((noinline)) static

struct big {
	long v[20];
};
static shared [64] double x[N], y[N];
static shared [] double *flat;
static shared struct big *nothing;
static shared int cyclic[THREADS];
static double private[64];
static volatile double sink;

static long use(struct big big)
{
	return big.v[3];
}

APART void stencil(int from)
{
	int j;
	upc_forall(j = from; j < N - 1; j++; j)
		y[j] = x[j - 1] + x[j + 1]; /* bad 1 */
}

APART void sum(long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += flat[i]; /* bad 2 */
	sink = sum;
}

APART void scale(long n)
{
	for (long i = 0; i < n; i++)
		flat[i] = flat[i] * 2; /* bad 3 */
}

APART void clear(long n)
{
	for (long i = 0; i < n; i++)
		flat[i] = 0; /* bad 4 */
}

APART void read_again(shared int *p, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += *p + i; /* bad 5 */
	sink = (double)sum;
}

APART void choose(shared int *p, shared int *q, int which)
{
	if (which)
		sink = *p; /* bad 6 */
	else
		sink = *q + 1;
}

APART void by_value(void)
{
	sink = (double)use(*nothing); /* bad 7 */
}

APART void get(void)
{
	upc_memget(private, &cyclic[(long)THREADS << 33], sizeof(private)); /* bad 8 */
}

APART void put(void)
{
	upc_memput(&cyclic[(long)THREADS << 33], private, sizeof(private)); /* bad 9 */
}

APART void copy(void)
{
	upc_memcpy(&cyclic[(long)THREADS << 33], x, sizeof(private)); /* bad 10 */
}

APART void set(void)
{
	upc_memset(NULL, 0, sizeof(private)); /* bad 11 */
}

int main(int argc, char **argv)
{
	int which = MYTHREAD == 0 && argc > 1 ? atoi(argv[1]) : 0;
	flat = (shared [] double *)x;
	switch (which) {
	case 1:
		stencil(0);
		break;
	case 2:
		sum(FAR_AWAY);
		break;
	case 3:
		scale(FAR_AWAY);
		break;
	case 4:
		clear(FAR_AWAY);
		break;
	case 5:
		read_again(NULL, argc);
		break;
	case 6:
		choose(NULL, cyclic, argc);
		break;
	case 7:
		by_value();
		break;
	case 8:
		get();
		break;
	case 9:
		put();
		break;
	case 10:
		copy();
		break;
	case 11:
		set();
		break;
	default:
		break;
	}
	upc_barrier;
	return 0;
}

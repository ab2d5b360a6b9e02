/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters, results, typedefs, pointers to pointers, dynamic memory, and plain C beside UPC. */
#include "check.h"

#include <stdarg.h>
#include <string.h>

extern char **environ;
typedef shared [4] int *vector;
typedef shared int cell;
typedef struct list {
	int n;
	shared [] struct list *next;
} list;
shared [4] int data[16 * THREADS];
shared [4] int grid[THREADS][8];
cell cells[THREADS];

static int sum_array(shared [4] int a[], int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}

static int sum_grid(shared [4] int a[][8])
{
	int sum = 0;
	for (int i = 0; i < 8; i++)
		sum += a[THREADS - 1][i];
	return sum;
}

static vector advance(vector v, int n)
{
	return v + n;
}

static shared [4] int *find(shared [4] int *from, int value)
{
	while (*from != value)
		from++;
	return from;
}

static void move(shared [4] int **p, shared void **q)
{
	(*p)++;
	*q = *p;
}

/* Static variables with the names of the versions of functions. */
static int counted(shared [4] const int *p)
{
	static int plain, general = 1, door = 2;
	plain += *p;
	return plain + general++ + door++;
}

static int variadic(int n, ...)
{
	va_list list;
	va_start(list, n);
	int sum = 0;
	while (n-- > 0)
		sum += *va_arg(list, vector);
	va_end(list);
	return sum;
}

static inline int read(const shared [4] int *p)
{
	return *p;
}

int main(int argc, char **argv, char **environment)
{
	CHECK(argc == 1 && argv[0] != NULL && environment == environ);
	if (MYTHREAD == 0)
		for (int i = 0; i < 16 * THREADS; i++)
			data[i] = i;
	upc_forall (int t = 0; t < THREADS; t++; t) {
		cells[t] = t;
		for (int i = 0; i < 8; i++)
			grid[t][i] = t + i;
	}
	upc_barrier;
	CHECK(sum_array(data, 16 * THREADS) == 16 * THREADS * (16 * THREADS - 1) / 2);
	CHECK(sum_grid(grid) == 8 * (THREADS - 1) + 28 && cells[THREADS - 1] == THREADS - 1);
	CHECK(*advance(data, 9) == 9 && find(data, 7) - data == 7 && read(&data[5]) == 5);
	static shared int plain, general;
	CHECK(counted(&data[3]) == 6 && counted(&data[3]) == 11 && upc_threadof(&plain) == 0 && &plain != &general);
	vector v = data + 2;
	shared void *any;
	move(&v, &any);
	CHECK(v == data + 3 && any == v && upc_phaseof(any) == 3 && variadic(3, data, v, data + 5) == 8);
	vector several[3] = {data, data + 1, data + 6};
	CHECK(*several[2] == 6 && several[1][3] == 4);
	vector (*call)(vector, int) = advance;
	CHECK(*call(several[2], 3) == 9);
	/* Memory from the runtime. */
	shared [2] long *dynamic = upc_all_alloc(THREADS, 2 * sizeof(long));
	dynamic[2 * MYTHREAD] = MYTHREAD;
	dynamic[2 * MYTHREAD + 1] = -MYTHREAD;
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		CHECK(dynamic[2 * t] == t && dynamic[2 * t + 1] == -t && upc_threadof(&dynamic[2 * t]) == t);
	shared [] list *head = NULL;
	for (int i = 0; i < 5; i++) {
		shared [] list *one = upc_alloc(sizeof(list));
		one->n = i;
		one->next = head;
		head = one;
	}
	int sum = 0;
	for (shared [] list *at = head; at != NULL; at = at->next)
		sum = 10 * sum + at->n;
	CHECK(sum == 43210);
	int local[8];
	upc_memget(local, &grid[THREADS - 1][0], 4 * sizeof(int));
	CHECK(local[3] == THREADS + 2);
	struct list strange[3];
	memset(strange, 0, sizeof strange);
	int shadow[THREADS + 1]; /* a private array of variable length */
	shadow[THREADS] = 3;
	CHECK(sizeof shadow == (THREADS + 1) * sizeof(int) && shadow[THREADS] == 3 && strange[1].next == NULL);
	return failures != 0;
}

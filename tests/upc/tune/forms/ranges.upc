/* --variable table */
/* Rows of a table: what is read is in front of what is written. */
/* has: heddle_cache_at\(table_cache, row \+ c - shift, int\) */
#include <stdio.h>
#include <upc_relaxed.h>
#define COLUMNS 61
#define ROWS 7
static shared int *table;

static void next_row(int last, int row, int shift)
{
	int next = row + last + 1;

	upc_forall (int c = 0; c < shift; c++; &table[row + c])
		table[next + c] = table[row + c];
	upc_forall (int c = shift; c <= last; c++; &table[row + c]) { /* here */
		int with = table[row + c - shift] + 3;

		table[next + c] = table[row + c] > with ? table[row + c] : with;
	}
	upc_barrier;
}

int main(void)
{
	table = upc_all_alloc(ROWS * COLUMNS, sizeof(int));
	upc_forall (int c = 0; c < COLUMNS; c++; c)
		table[c] = c * 7 % 23;
	upc_barrier;
	for (int row = 0; row + 1 < ROWS; row++)
		next_row(COLUMNS - 1, row * COLUMNS, 2 + (unsigned)row * 2654435761u % 11);
	if (MYTHREAD == 0)
		for (int c = 0; c < COLUMNS; c++)
			printf("%d\n", table[(ROWS - 1) * COLUMNS + c]);
	return 0;
}

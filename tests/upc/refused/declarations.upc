/* SPDX-License-Identifier: BSD-3-Clause */
/* Types and objects that do not exist in UPC. */
struct s {
	shared int member; /* refuse: 13 cannot be shared */
	shared int *fine;
};
shared int function(void); /* refuse: 12 cannot return a shared type */
int parameter(shared int x); /* refuse: 26 a parameter cannot be shared */
shared void object; /* refuse: 13 incomplete type */
typedef shared void nothing, *to_nothing;
to_nothing some;
const nothing *any, *more;
nothing none; /* refuse: 9 incomplete type */
shared [2] shared [3] int twice; /* refuse: 12 two layouts */
strict int not_shared; /* refuse: 1 needs a shared type */
strict relaxed shared int both; /* refuse: 1 both 'strict' and 'relaxed' */
shared [-1] int negative; /* refuse: 9 negative */
shared [600000] int large; /* refuse: 9 UPC_MAX_BLOCK_SIZE */
shared [*] int *pointer; /* refuse: 1 cannot be the layout of what a pointer points to */
typedef shared [*] int spread_type; /* refuse: 9 cannot be in a typedef */
shared [*] int spread[10]; /* refuse: 1 needs THREADS in the array's bounds */
shared [*] int given[] = {1, 2, 3}; /* refuse: 1 needs THREADS in the array's bounds */
shared [*] int one[THREADS], other[3 * THREADS]; /* refuse: 30 declare arrays of different bounds separately */
shared [*] int same[THREADS], size[THREADS];
int n;
shared [n] int variable[10 * THREADS]; /* refuse: 1 must be an integer constant */
void f(void)
{
	shared int automatic; /* refuse: 13 static storage duration */
	THREADS = 3; /* refuse: 10 const */
	MYTHREAD++; /* refuse: 10 const */
	static shared int fine;
}
struct nowhere;
shared [*] struct nowhere incomplete[THREADS]; /* refuse: 37 incomplete element type 'shared [*] struct nowhere' */

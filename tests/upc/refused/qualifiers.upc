/* SPDX-License-Identifier: BSD-3-Clause */
/* Qualifiers that contradict each other or their type, directly and through typedefs. */
typedef shared int element;
typedef shared [3] int threes[30];
typedef shared [2] int two;
typedef strict shared int ordered;
typedef relaxed shared int loose;
typedef int plain;
struct s {
	int x;
};
shared [5] void *with_layout; /* refuse: 8 'shared void' cannot have a layout */
shared [] void *with_empty_layout; /* refuse: 8 'shared void' cannot have a layout */
void takes(shared [*] void *p); /* refuse: 19 'shared void' cannot have a layout */
shared [5] threes of_threes[THREADS]; /* refuse: 1 two layouts */
shared [3] two twice_two; /* refuse: 1 two layouts */
shared [] two none_of_two; /* refuse: 1 two layouts */
int *shared [2] shared [3] pointer; /* refuse: 17 two layouts */
shared [2] int shared [4] apart; /* refuse: 16 two layouts */
relaxed ordered contradiction; /* refuse: 1 both 'strict' and 'relaxed' */
loose strict other_way; /* refuse: 7 both 'strict' and 'relaxed' */
strict plain private_typedef; /* refuse: 1 'strict' needs a shared type */
strict struct s private_structure; /* refuse: 1 'strict' needs a shared type */
int *relaxed private_pointer; /* refuse: 6 'relaxed' needs a shared type */
shared int *strict pointer_itself; /* refuse: 13 'strict' needs a shared type */
element result(void); /* refuse: 9 cannot return a shared type */
int *shared shared_result(void); /* refuse: 13 cannot return a shared type */
shared struct s structure_result(void) /* refuse: 17 cannot return a shared type */
{
}
void parameter(element x); /* refuse: 24 a parameter cannot be shared */
void pointer_parameter(int *shared x); /* refuse: 36 a parameter cannot be shared */
struct member {
	element x; /* refuse: 10 cannot be shared */
	int *shared p; /* refuse: 14 cannot be shared */
	union {
		shared [] int y[4]; /* refuse: 17 cannot be shared */
	} u;
};
shared [1.5] int real[THREADS]; /* refuse: 1 a block size must be an integer constant */
shared [THREADS] int by_threads[THREADS]; /* refuse: 9 a block size that contains THREADS needs static THREADS */
shared [1l << 40] int far[THREADS]; /* refuse: 1 the block size is more than UPC_MAX_BLOCK_SIZE */
shared [*] int (*rows)[10 * THREADS]; /* refuse: 1 cannot be the layout of what a pointer points to */
extern shared [*] int unknown[]; /* refuse: 8 needs an array whose bounds are known */
shared struct incomplete hole; /* refuse: 26 never completed */
/* Repeating a qualifier is not a contradiction. */
shared shared [2] int fine_a[2 * THREADS];
shared [2] two fine_b[2 * THREADS];
shared two *fine_c = fine_b;
strict shared strict element fine_d;
shared const threes *fine_e;
void f(int n)
{
	element automatic; /* refuse: 10 must have static storage duration */
	int *shared pointer; /* refuse: 14 must have static storage duration */
	register shared int in_register; /* refuse: 22 must have static storage duration */
	for (shared int i = 0;;) /* refuse: 18 must have static storage duration */
		;
	static shared int variable[n]; /* refuse: 20 variable length array */
	(shared int){3}; /* refuse: 2 a compound literal in a function cannot be shared */
	static element fine;
	extern strict element fine_d;
}

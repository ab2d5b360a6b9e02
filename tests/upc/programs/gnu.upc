/* SPDX-License-Identifier: BSD-3-Clause */
/* C99, C11 and GNU C beside UPC: each with shared objects or pointers to them. */
#include "check.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef struct {
	shared [2] int *p;
	shared void *v;
	int n;
	int tail[];
} flexible;
struct fields {
	unsigned a : 3, b : 13;
	signed c : 5;
	_Bool d : 1;
	unsigned long e : 40;
	union {
		int i;
		float f;
	};
	struct {
		char x, y;
	} inner[3];
};
enum tone { LOW = -1, HIGH = 9 };

shared [2] int a[6 * THREADS];
shared struct fields fields[THREADS];
shared [] four vectors[4];
shared long double wide[THREADS];
shared [3] double _Complex numbers[3 * THREADS];
shared enum tone tones[THREADS];
shared _Atomic(int) bracketed[THREADS], *of_atomic = bracketed;
shared union {
	long l;
	char c[8];
	struct {
		int low, high;
	};
} mixed;
shared __int128 large;
shared [4] struct {
	int row[3];
	struct {
		double d[2];
		shared [2] int *p;
	} in[2];
} deep[4 * THREADS];
__attribute__((unused)) static shared int attributed __attribute__((aligned(64)));
__attribute__((used)) static shared int kept = 5;
__attribute__((annotate("note"))) shared [2] struct noted {
	int first;
	int numbers[3] __attribute__((annotate("note")));
} noted[2 * THREADS];
shared _Alignas(32) char aligned_chars[THREADS];
static jmp_buf back;
static __thread shared [2] int *of_thread;
shared [2] int *volatile changing = &a[3];

static int sum_of(int n, ...)
{
	va_list list, copy;
	va_start(list, n);
	va_copy(copy, list);
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += *va_arg(list, shared [2] int *);
	for (int i = 0; i < n; i++)
		sum += *va_arg(copy, shared [2] int *);
	shared void *last = va_arg(list, shared void *);
	double d = va_arg(list, double);
	shared int *other = va_arg(list, shared int *);
	CHECK(last == &a[1] && d == 2.5 && other == NULL);
	va_end(copy);
	va_end(list);
	return sum;
}

static int vsum(shared [2] const int *p, va_list list)
{
	return *p + va_arg(list, int);
}

static int through(shared [2] const int *p, ...)
{
	va_list list;
	va_start(list, p);
	int sum = vsum(p, list);
	va_end(list);
	return sum;
}

static int by_length(int n, shared [2] int p[n], int private[static n])
{
	return p[n - 1] + private[n - 1];
}

static inline __attribute__((always_inline)) int inlined(shared [2] int *p)
{
	return *p + 1;
}

static __attribute__((noinline, pure)) int apart(shared [2] int *p)
{
	return p[1];
}

static int old_style(p, n)
	shared [2] int *p;
	int n;
{
	return p[n];
}

static void jump(shared [2] int *p)
{
	*p += 100;
	longjmp(back, 3);
}

static void clean(shared [2] int **p)
{
	**p = 1000;
}

static shared int large_enough[THREADS], *_Atomic atomic_pointer;
static _Atomic(shared [2] int *) atomic_blocked;

/* Pointers-to-shared that are themselves atomic. */
static void atomic_pointers(shared int *p, shared [2] int *q)
{
	shared int *_Atomic local = p;

	CHECK(atomic_pointer == 0 && !atomic_blocked && atomic_pointer == NULL && local != 0);
	atomic_pointer = local;
	atomic_blocked = q + 1;
	CHECK(atomic_pointer == p && atomic_blocked == q + 1 && atomic_pointer != 0 && local == atomic_pointer);
}

int main(void)
{
	atomic_pointers(&large_enough[MYTHREAD], &a[2 * MYTHREAD]);
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i;
	upc_barrier;
	/* Statement expressions, typeof, conditional with the middle left out, comma, _Generic. */
	__typeof__(a[0]) *p = &a[1], *null = NULL;
	__typeof__(p) q = ({
		shared [2] int *t = p;
		t + 2;
	});
	CHECK(q == &a[3] && (null ?: q) == q && ((void)p, q) == q && __builtin_choose_expr(1, p, 0) != q);
	CHECK(_Generic(p, shared [2] int *: 2, shared int *: 1, default: 0) == 2);
	CHECK(_Generic(&a[1], shared [] int *: 0, shared [2] int *: 2, default: 1) == 2);
	CHECK(_Generic((shared void *)p, int *: 0, shared void *: 3, default: 1) == 3 && _Generic(a[1], int: 1, default: 0));
	CHECK(__builtin_types_compatible_p(__typeof__(p), shared [2] int *) && !__builtin_types_compatible_p(__typeof__(p), int *));
	/* Designated initializers, compound literals, flexible members, variable length, nested functions' absence. */
	struct {
		shared [2] int *first;
		shared void *any[3];
		int n;
	} s = {.any = {[1] = p, [2] = q}, .n = a[5]};
	CHECK(s.first == NULL && s.any[0] == NULL && s.any[1] == &a[1] && s.any[2] == &a[3] && s.n == 5);
	CHECK((*((shared [2] int *[]){p, q, &a[4]})[2] == 4 && (struct fields){.b = a[4], .i = 3}.b == 4));
	flexible *f = malloc(sizeof *f + 3 * sizeof(int));
	*f = (flexible){.p = q, .v = p, .n = 3};
	f->tail[2] = f->p[1];
	CHECK(f->tail[2] == 4 && f->v == p);
	free(f);
	int length = a[4], variable[length], private[5] = {1, [3] = 7, 9};
	shared [2] int *pointers[length + 1];
	memset(variable, 0, sizeof variable);
	pointers[length] = &a[length];
	CHECK(sizeof variable == 16 && sizeof pointers == 40 && *pointers[4] == 4 && by_length(4, a, private) == 3 + 7);
	/* Variable arguments, inlining, old style, attributes, goto through addresses, switch ranges. */
	CHECK(sum_of(2, p, q, &a[1], 2.5, NULL) == 8 && through(q, 4) == 7 && inlined(q) == 4 && apart(q) == 4);
	CHECK(old_style(a, 5) == 5 && upc_threadof(&attributed) == 0);
	CHECK((upc_addrfield(&attributed) & 63) == 0 && (upc_addrfield(&aligned_chars[0]) & 31) == 0);
	void *target = &&landed;
	goto *target;
	CHECK(!"goto");
landed:
	switch (a[3]) {
	case 1 ... 3:
		break;
	default:
		CHECK(!"case range");
	}
	/* Inline assembly with values and with local memory. */
	int doubled = a[3];
	aligned_chars[MYTHREAD] = 5;
	char *near = (char *)&aligned_chars[MYTHREAD];
#if defined(__x86_64__)
	__asm__ volatile("addl %1, %0" : "+r"(doubled) : "r"(a[3]) : "cc");
	__asm__ volatile("incb %0" : "+m"(*near));
#else
	__asm__ volatile("" : "+r"(doubled) : "r"(a[3]) : "cc");
	__asm__ volatile("" : "+m"(*near));
	doubled += a[3];
	++*near;
#endif
	CHECK(doubled == 6);
	CHECK(aligned_chars[MYTHREAD] == 6);
	of_thread = p;
	CHECK(*of_thread == 1 && *changing == 3);
	/* Attributes that other tools read. */
	int at = 2;
	shared [2] struct noted *note = &noted[2 * MYTHREAD];
	note[1].numbers[at--] = 7;
	note[1].numbers[at] = kept;
	CHECK(noted[2 * MYTHREAD + 1].numbers[2] == 7 && noted[2 * MYTHREAD + 1].numbers[1] == 5);
	/* Bit-fields, anonymous unions, nested arrays. */
	shared struct fields *m = &fields[(MYTHREAD + 1) % THREADS];
	upc_barrier;
	m->a = 5, m->b = 8191, m->c = -16, m->d = 7, m->e = 1ul << 39, m->f = 1.0f, m->inner[2].y = 'y';
	m->b -= 91;
	m->c++;
	m->a ^= 2;
	CHECK(m->a == 7 && m->b == 8100 && m->c == -15 && m->d == 1 && m->e >> 39 == 1 && m->i == 0x3f800000);
	CHECK(m->inner[2].y == 'y' && m->inner[0].x == 0 && sizeof(m->inner) == 6);
	/* Other types of objects. */
	wide[MYTHREAD] = 1.0L / 3;
	numbers[3 * MYTHREAD + 1] = 1 + 2 * I;
	tones[MYTHREAD] = MYTHREAD % 2 ? LOW : HIGH;
	of_atomic[0]++;
	if (MYTHREAD == 0) {
		vectors[1] = (four){1, 2, 3, 4};
		vectors[2] = vectors[1] * 2;
		mixed.low = 5, mixed.high = 1;
		large = (__int128)1 << 100;
		deep[5 % (4 * THREADS)].in[1].d[1] = 2.5;
		deep[5 % (4 * THREADS)].in[1].p = &a[2];
		deep[5 % (4 * THREADS)].row[2] = 8;
	}
	upc_barrier;
	int next = (MYTHREAD + 1) % THREADS;
	CHECK(wide[next] == 1.0L / 3 && cimag(numbers[3 * next + 1]) == 2 && tones[next] == (next % 2 ? LOW : HIGH));
	CHECK(bracketed[0] == THREADS);
	four v = vectors[2];
	CHECK(v[3] == 8 && mixed.l == (1l << 32 | 5) && mixed.c[4] == 1 && large >> 100 == 1);
	shared [4] __typeof__(deep[0]) *d = &deep[5 % (4 * THREADS)];
	shared [] double *inner = d->in[1].d;
	CHECK(inner[1] == 2.5 && *d->in[1].p == 2 && d->in[1].p[1] == 3 && d->row[2] == 8 && (&d->row[0])[2] == 8);
	__real__ numbers[3 * MYTHREAD] = 4;
	CHECK(creal(numbers[3 * MYTHREAD]) == 4);
	/* Structures to and from functions' results, setjmp, cleanup. */
	upc_barrier;
	shared [2] int *volatile mine = &a[2 * MYTHREAD];
	int before = *mine;
	if (setjmp(back) == 0)
		jump(mine);
	CHECK(*mine == before + 100);
	{
		__attribute__((cleanup(clean))) shared [2] int *left = mine;
		CHECK(*left == before + 100);
	}
	CHECK(*mine == 1000);
	/* Atomics of C11 and of GNU C. */
	upc_barrier;
	__atomic_store_n(&a[0], 0, __ATOMIC_SEQ_CST);
	upc_barrier;
	__atomic_add_fetch(&a[0], 2, __ATOMIC_RELAXED);
	__sync_fetch_and_add(&a[0], 1);
	int old;
	do
		old = __atomic_load_n(&a[0], __ATOMIC_ACQUIRE);
	while (!__sync_bool_compare_and_swap(&a[0], old, old + 10));
	upc_barrier;
	CHECK(a[0] == 13 * THREADS);
	return failures != 0;
}

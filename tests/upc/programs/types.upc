/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of every type in shared memory, and the operators on them. */
#include "check.h"

#include <complex.h>
#include <stdbool.h>

#define EACH(type, name, value)                                                                                        \
	static void check_##name(void)                                                                                 \
	{                                                                                                              \
		static shared [2] type array[6 * THREADS];                                                             \
		static shared type one;                                                                                \
		int last = 6 * THREADS - 1;                                                                            \
		upc_barrier;                                                                                           \
		if (MYTHREAD == THREADS - 1)                                                                           \
			array[last] = (value), one = (value), array[0] = array[last];                                      \
		upc_barrier;                                                                                           \
		CHECK(array[last] == (type)(value) && one == (type)(value) && array[0] == one);                        \
		type private = array[last];                                                                            \
		CHECK(private == (type)(value));                                                                       \
		upc_barrier;                                                                                           \
		shared [2] type *p = &array[MYTHREAD];                                                                 \
		*p = (type)1;                                                                                          \
		*p += (type)1;                                                                                         \
		CHECK(*p == (type)((type)1 + (type)1) && p[0] == *p);                                                  \
		upc_barrier;                                                                                           \
	}
EACH(char, char, 'x')
EACH(signed char, schar, -3)
EACH(unsigned char, uchar, 200)
EACH(short, short, -30000)
EACH(unsigned short, ushort, 60000)
EACH(int, int, -2000000000)
EACH(unsigned, unsigned, 4000000000u)
EACH(long, long, -(1l << 60))
EACH(unsigned long, ulong, ~0ul)
EACH(long long, llong, 1ll << 61)
EACH(float, float, 1.25f)
EACH(double, double, -1e300)
EACH(long double, ldouble, 1.5L)
EACH(_Bool, bool, 1)
EACH(double _Complex, complex, 1.0 + 2.0 * I)

enum color { RED, GREEN = 7 };
shared enum color color;
shared int counter;
shared [4] int v[8 * THREADS];
int *shared private_pointer;
shared int *shared shared_pointer;
int (*shared function)(int);

static int twice(int x)
{
	return 2 * x;
}

int main(void)
{
	check_char(), check_schar(), check_uchar(), check_short(), check_ushort(), check_int(), check_unsigned();
	check_long(), check_ulong(), check_llong(), check_float(), check_double(), check_ldouble(), check_bool();
	check_complex();
	if (MYTHREAD == 0) {
		color = GREEN;
		counter = 5;
		counter++, ++counter, counter -= 2, counter <<= 3, counter |= 1, counter %= 30;
		shared_pointer = &counter;
		function = twice;
		v[3] = v[5] = 9;
		v[3]++, --v[5], v[6] = v[3] * v[5];
	}
	upc_barrier;
	CHECK(color == GREEN && counter == 11 && *shared_pointer == 11 && function(4) == 8);
	CHECK(v[3] == 10 && v[5] == 8 && v[6] == 80 && (v[3] > v[5] ? v[3] : v[5]) == 10 && -v[3] == -10 && !v[7]);
	upc_barrier;
	__atomic_fetch_add(&v[0], 2, __ATOMIC_SEQ_CST);
	__sync_fetch_and_add(&v[0], 1);
	upc_barrier;
	CHECK(v[0] == 3 * THREADS);
	switch (color) {
	case GREEN:
		break;
	default:
		CHECK(!"switch on a shared value");
	}
	return failures != 0;
}

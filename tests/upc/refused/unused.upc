/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds that are not allowed with dynamic THREADS, of arrays that are not used. */
static shared [] int unused[THREADS]; /* refuse: 22 cannot contain THREADS */
extern shared [] int elsewhere[THREADS]; /* refuse: 22 cannot contain THREADS */
typedef shared [] int type[2 * THREADS]; /* refuse: 23 cannot contain THREADS */
static shared int first[THREADS], second[10]; /* refuse: 35 needs THREADS as a factor */
extern shared [3] int third[2][5]; /* refuse: 23 needs THREADS as a factor */
static shared [2] int twice[THREADS][3][THREADS]; /* refuse: 23 one bound */
static shared int cast[(int)THREADS]; /* refuse: 29 can only be multiplied */
static shared int sum[THREADS + 1]; /* refuse: 23 can only be multiplied */
static shared int quotient[(10 * THREADS) / 2]; /* refuse: 34 can only be multiplied */
static shared int half[THREADS / 2]; /* refuse: 24 can only be multiplied */
static shared int divisor[60 / THREADS]; /* refuse: 32 can only be multiplied */
static shared int modulus[10 % THREADS]; /* refuse: 32 can only be multiplied */
static shared int difference[4 * THREADS - 1]; /* refuse: 34 can only be multiplied */
static shared int term[8 / 2 + 2 * THREADS]; /* refuse: 36 can only be multiplied */
static shared int divided[2 * THREADS * 6 / 4]; /* refuse: 31 can only be multiplied */
static shared int within[60 / (2 * THREADS)]; /* refuse: 36 can only be multiplied */
static shared int shifted[THREADS << 2]; /* refuse: 27 can only be multiplied */
static shared int argument[sizeof(char[THREADS])]; /* refuse: 40 can only be multiplied */
static shared int square[THREADS * THREADS]; /* refuse: 19 one bound */
/* Right: */
typedef shared int row[10];
static row rows[THREADS];
static shared int products[(3 + 1) * (THREADS)*sizeof(int)][2];
extern shared int open_ended[];
static shared [] int flat[10];
static shared int of_quotient[60 / 4 * THREADS], before[THREADS * 2], between[2 * THREADS * 3], of_sum[(4 + 1) * THREADS];
static shared int nested[(60 / 4 * (THREADS * 2)) * 3], remainder[60 % 7 * THREADS], sized[2 * sizeof(long) * THREADS];
static shared int negated[-(-3) * THREADS], of_choice[(1 ? 2 : 3) * THREADS * (7 - 2)];

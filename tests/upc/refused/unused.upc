/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds that dynamic THREADS doesn't allow, of arrays that nothing uses. */
static shared [] int unused[THREADS]; /* refuse: 22 cannot contain THREADS */
extern shared [] int elsewhere[THREADS]; /* refuse: 22 cannot contain THREADS */
typedef shared [] int type[2 * THREADS]; /* refuse: 23 cannot contain THREADS */
static shared int first[THREADS], second[10]; /* refuse: 35 needs THREADS as a factor */
extern shared [3] int third[2][5]; /* refuse: 23 needs THREADS as a factor */
static shared [2] int twice[THREADS][3][THREADS]; /* refuse: 23 one bound */
static shared int cast[(int)THREADS]; /* refuse: 29 can only be multiplied */
static shared int sum[THREADS + 1]; /* refuse: 23 can only be multiplied */
static shared int quotient[(10 * THREADS) / 2]; /* refuse: 34 can only be multiplied */
/* Right: */
typedef shared int row[10];
static row rows[THREADS];
static shared int products[(3 + 1) * (THREADS)*sizeof(int)][2];
extern shared int open_ended[];
static shared [] int flat[10];

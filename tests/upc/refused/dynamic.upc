/* SPDX-License-Identifier: BSD-3-Clause */
/* Correct with static THREADS only. */
shared int no_threads[10]; /* refuse: 12 needs THREADS as a factor */
shared [4] int twice[THREADS][THREADS]; /* refuse: 16 one bound */
shared [] int indefinite[THREADS]; /* refuse: 15 cannot contain THREADS */
shared [] int fine[10];
shared int (*pointer)[THREADS][2 * THREADS]; /* refuse: 22 one bound */
typedef shared [3] int (*named)[THREADS][5][THREADS]; /* refuse: 32 one bound */
void take(shared int (*right)[3][THREADS], shared int *(*also_right)[3]);
int twice_in_type = sizeof(shared int[THREADS][THREADS]); /* refuse: 38 one bound */

/* SPDX-License-Identifier: BSD-3-Clause */
/* Right with static THREADS only. */
shared int no_threads[10]; /* refuse: 12 needs THREADS as a factor */
shared [4] int twice[THREADS][THREADS]; /* refuse: 16 one bound */
shared [] int indefinite[THREADS]; /* refuse: 15 cannot contain THREADS */
shared [] int fine[10];

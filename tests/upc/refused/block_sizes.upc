/* SPDX-License-Identifier: BSD-3-Clause */
/* A block size is a constant; THREADS is not one if it is dynamic. */
shared [2 * THREADS] int block[THREADS]; /* refuse: 13 needs static THREADS */
shared [THREADS] int *pointer = block; /* refuse: 9 needs static THREADS */
shared void *follows = block;

/* SPDX-License-Identifier: BSD-3-Clause */
/* What upc_access.upc and its plain C half share. */
#ifndef BENCH_UPC_ACCESS_H
#define BENCH_UPC_ACCESS_H

#define SIZE 1024 /* elements of a thread: they stay in the first-level cache */

/* One element after the other: vectors are for another comparison. */
#define SCALAR _Pragma("clang loop vectorize(disable) unroll(disable)")
#define APART __attribute__((__noinline__))

struct pair {
	long x, y;
};

long plain_read(void);
long plain_write(void);
long plain_read_pair(void);
long plain_write_pair(void);
long plain_read_atomic(void);
long plain_write_atomic(void);
long plain_read_vector(void);
long plain_write_vector(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by upc_access.upc and its plain C counterpart. */
#ifndef BENCH_UPC_ACCESS_H
#define BENCH_UPC_ACCESS_H

#define SIZE 1024 /* elements per thread: these fit into the first-level cache */

/* Element by element, without vectorization, which is compared separately. */
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

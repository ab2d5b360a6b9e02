/* SPDX-License-Identifier: BSD-3-Clause */
/* For driver.sh: shared by its parts. */
#ifndef BLOCK
#define BLOCK 3
#endif
typedef shared[BLOCK] int cell;
extern cell common[BLOCK * THREADS];
extern shared int their[];
extern cell *pointer;
void fill(void);
int plain_c(int x);

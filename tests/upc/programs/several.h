/* SPDX-License-Identifier: BSD-3-Clause */
/* For driver.sh: what the parts share. */
#ifndef BLOCK
#define BLOCK 3
#endif
extern shared [BLOCK] int common[BLOCK * THREADS];
extern shared int their[];
extern shared [BLOCK] int *pointer;
void fill(void);
int plain_c(int x);

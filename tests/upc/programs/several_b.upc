/* SPDX-License-Identifier: BSD-3-Clause */
/* For driver.sh: another part. */
#include "several.h"

#include <upc.h>

shared int their[THREADS];
shared [BLOCK] int *pointer = &common[2];
static shared int mine[2 * THREADS]; /* differs from the one in several_a.upc */

void fill(void)
{
	upc_forall (int i = 0; i < BLOCK * THREADS; i++; &common[i])
		common[i] = i;
	their[MYTHREAD] = 5;
	mine[MYTHREAD] = 3;
}

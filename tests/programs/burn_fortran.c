/* SPDX-License-Identifier: BSD-3-Clause */
/* burn_ms for Fortran: returns the ns that it took. Compiled with the program that calls it. */
#include "burn.h"

int64_t burn_fortran(double ms);

int64_t burn_fortran(double ms)
{
	return (int64_t)burn_ms(ms);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with regions and values of Caliper's C interface; with LIBRARY, the stand-in for Caliper's library. */
#include <stdio.h>

void cali_begin_region(const char *name);
void cali_end_region(const char *name);
void cali_set_double_byname(const char *name, double value);
void cali_set_int_byname(const char *name, int value);
void cali_set_string_byname(const char *name, const char *value);

#ifdef LIBRARY
static int depth;

void cali_begin_region(const char *name)
{
	depth++;
	(void)name;
}

void cali_end_region(const char *name)
{
	printf("%s at %d\n", name, depth--);
}

void cali_set_double_byname(const char *name, double value)
{
	printf("%s = %g\n", name, value);
}

void cali_set_int_byname(const char *name, int value)
{
	printf("%s = %d\n", name, value);
}

void cali_set_string_byname(const char *name, const char *value)
{
	printf("%s = %s\n", name, value);
}
#else
int main(void)
{
	cali_set_string_byname("solver", "cg");
	for (int i = 0; i < 6; i++) {
		cali_begin_region("loop");
		cali_begin_region("body");
		cali_set_double_byname("residual", 0.5 * i);
		cali_set_int_byname("step", i);
		cali_end_region("body");
		cali_end_region("loop");
	}
	return 0;
}
#endif

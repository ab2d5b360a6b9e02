/* SPDX-License-Identifier: BSD-3-Clause */
#include <heddle/heddle.h>
#include <stdio.h>

static int leave_early(int i)
{
	HEDDLE_PHASE("block");
	if (i % 2)
		return i;
	HEDDLE_PHASE("inner");
	return 0;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 6; i++)
		sum += leave_early(i);
	printf("%d\n", sum + heddle_value("sum", sum) + heddle_value("", 1) + heddle_value(NULL, 1));
	return 0;
}

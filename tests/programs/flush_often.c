/* SPDX-License-Identifier: BSD-3-Clause */
/* flush_often COUNT: flushes the profile COUNT times, whether it can be written or not. */
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 20;
	for (int i = 0; i < count; i++)
		heddle_flush();
	printf("flushed %d times\n", count);
	return 0;
}

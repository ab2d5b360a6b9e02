/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For packaging/cross-cases: code without call frame information that uses the frame pointer and the link register for
 * other values, as kernels in assembler may. Samples in it have a partial path; no sample may crash the program.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

void spin(uint64_t count, uint64_t value);

__asm__(".text\n"
	".globl spin\n"
	".type spin, %function\n"
	"spin:\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x30, x1\n"
	"	mov x29, x1\n"
	"1:	subs x0, x0, #1\n"
	"	b.ne 1b\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ret\n"
	".size spin, . - spin\n");

int main(void)
{
	static const uint64_t values[] = {0, 1, 0x100000, 0x5f00aaaabbbb, 0xffff000000000000, 0x0000ffffffffff00};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 10;)
			spin(1000000, values[i]);
	}
	puts("survived");
	return 0;
}

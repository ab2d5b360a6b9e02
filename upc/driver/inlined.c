/* SPDX-License-Identifier: BSD-3-Clause */
/* The bitcode of upc/lower/inline.c, as it was built. UPC_INLINED names the file. */
extern const char upc__inlined[], upc__inlined_end[];

__asm__(".section .rodata\n"
	".globl upc__inlined, upc__inlined_end\n"
	"upc__inlined:\n"
	".incbin \"" UPC_INLINED "\"\n"
	"upc__inlined_end:\n"
	".previous\n");

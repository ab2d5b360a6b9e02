/* SPDX-License-Identifier: BSD-3-Clause */
/* Embeds the bitcode of upc/lower/inline.c; UPC_INLINED is the path of its file. No code here. */
extern const char upc__inlined[], upc__inlined_end[];

__asm__(".section .rodata\n"
	".globl upc__inlined, upc__inlined_end\n"
	"upc__inlined:\n"
	".incbin \"" UPC_INLINED "\"\n"
	"upc__inlined_end:\n"
	".previous\n");

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions called at entries and exits of functions, for entries.c: the compiler's hooks, or a trampoline that a
 * patched entry calls and another one to which the function returns instead of its caller. Each only records the
 * function on a separate stack.
 */
#include <stdint.h>

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);
void note_entry(uintptr_t function, uintptr_t *return_address);
uintptr_t note_exit(void);
extern const char trampoline_exit[];

static __thread struct {
	uintptr_t function, return_address;
} stack[1000];
static __thread unsigned int depth;
int exits; /* true: patched functions return to the trampoline */

void __cyg_profile_func_enter(void *function, void *call_site)
{
	stack[depth].function = (uintptr_t)function;
	stack[depth++].return_address = (uintptr_t)call_site;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function, (void)call_site;
	depth--;
}

void note_entry(uintptr_t function, uintptr_t *return_address)
{
	stack[depth].function = function;
	stack[depth].return_address = *return_address;
	if (!exits)
		return;
	depth++;
	*return_address = (uintptr_t)trampoline_exit;
}

uintptr_t note_exit(void)
{
	return stack[--depth].return_address;
}

/* Save the registers of integer arguments and results; saving those of floating point would cost more. */
__asm__(".text\n"
	".globl trampoline_entry, trampoline_exit\n"
	".type trampoline_entry, @function\n"
	".type trampoline_exit, @function\n"
	"trampoline_entry:\n"
	"	push %rax; push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9\n"
	"	mov 56(%rsp), %rdi\n"
	"	lea 64(%rsp), %rsi\n"
	"	call note_entry@plt\n"
	"	pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi; pop %rax\n"
	"	ret\n"
	"trampoline_exit:\n"
	"	push %rax; push %rax; push %rdx; sub $8, %rsp\n"
	"	call note_exit@plt\n"
	"	mov %rax, 24(%rsp)\n"
	"	add $8, %rsp; pop %rdx; pop %rax\n"
	"	ret\n");

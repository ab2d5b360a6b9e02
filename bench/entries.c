/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entries: nanoseconds of a call of an empty function beyond that of an uninstrumented one, the minimum of many rounds,
 * as "name ns" lines: with the compiler's hooks; with an entry of -fpatchable-function-entry, unpatched, patched to
 * call a trampoline, and patched so that the exit calls one, too. With XRAY: with XRay's sleds, off and on.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "clocks.h"

#define ROUNDS 3000
#define CALLS 2000

#ifdef XRAY
#include <xray/xray_interface.h>
#define PLAIN __attribute__((xray_never_instrument, noinline))
#define SLED __attribute__((xray_always_instrument, noinline))
#else
#define PLAIN __attribute__((no_instrument_function, noinline))
#define ENTRY 16 /* bytes */
extern void trampoline_entry(void);
extern int exits;
#endif

PLAIN static void plain(void)
{
	__asm__ volatile("");
}

PLAIN static double per_call(void (*function)(void))
{
	double least = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		double start = wall_seconds();
		for (int i = 0; i < CALLS; i++)
			function();
		double each = (wall_seconds() - start) / CALLS * 1e9;
		least = each < least ? each : least;
	}
	return least;
}

PLAIN static void print(const char *name, void (*function)(void))
{
	double more = per_call(function) - per_call(plain);
	printf("%s %.3f\n", name, more > 0 ? more : 0);
}

#ifdef XRAY
static thread_local struct {
	int32_t function;
} noted[1000];
static thread_local unsigned int depth;

PLAIN static void note(int32_t function, enum XRayEntryType type)
{
	if (type == XRayEntryType::ENTRY)
		noted[depth++].function = function;
	else
		depth--;
}

SLED static void sled(void)
{
	__asm__ volatile("");
}

PLAIN int main(void)
{
	print("xray_off", sled);
	__xray_set_handler(note);
	__xray_patch();
	print("xray", sled);
	return 0;
}
#else
__attribute__((noinline)) static void hooked(void)
{
	__asm__ volatile("");
}

__attribute__((noinline, no_instrument_function, patchable_function_entry(ENTRY, 0))) static void patched(void)
{
	__asm__ volatile("");
}

/* Writes movabs $trampoline_entry, %r11; call *%r11 at the entry, after endbr64 if there is one. */
PLAIN static int patch(void)
{
	uint64_t to = (uint64_t)(uintptr_t)trampoline_entry;
	uint8_t code[ENTRY] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xd3, 0x90, 0x90, 0x90};
	uint8_t *entry = (uint8_t *)(uintptr_t)patched;
	entry += memcmp(entry, "\xf3\x0f\x1e\xfa", 4) ? 0 : 4;
	memcpy(code + 2, &to, sizeof(to));
	if (mprotect((void *)((uintptr_t)entry & ~(uintptr_t)4095), 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
		return -1;
	memcpy(entry, code, sizeof(code));
	return 0;
}

PLAIN int main(void)
{
	print("hooks", hooked);
	print("patchable_off", patched);
	if (patch())
		return 1;
	print("patched_entry", patched);
	exits = 1;
	print("patched_both", patched);
	return 0;
}
#endif

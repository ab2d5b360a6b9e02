/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. Names that a program gives (user phases), each once, for the process's life. */
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/process.h"

#define LIMIT 4096u
#define LENGTH_LIMIT 200u

static const char *_Atomic strings[LIMIT];

static const char *keep(const char *text, size_t length)
{
	char *copy = heddle__alloc(length + 1);
	return copy ? memcpy(copy, text, length) : NULL;
}

uint32_t heddle__string_number(const char *text)
{
	size_t length = strnlen(text, LENGTH_LIMIT);
	const char *copy = NULL;
	for (uint32_t i = 0; i < LIMIT; i++) {
		const char *there = atomic_load_explicit(&strings[i], memory_order_acquire);
		if (!there) {
			if (!copy && !(copy = keep(text, length)))
				return UINT32_MAX;
			if (atomic_compare_exchange_strong(&strings[i], &there, copy))
				return i;
		}
		if (strncmp(there, text, length) == 0 && !there[length])
			return i;
	}
	return UINT32_MAX;
}

uint32_t heddle__string_count(void)
{
	uint32_t n = 0;
	while (n < LIMIT && atomic_load_explicit(&strings[n], memory_order_acquire))
		n++;
	return n;
}

const char *heddle__string(uint32_t number)
{
	return number < LIMIT ? atomic_load_explicit(&strings[number], memory_order_acquire) : NULL;
}

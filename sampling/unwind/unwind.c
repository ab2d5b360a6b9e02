/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the unwinder that this build samples with. */
#include "sampling/unwind/unwind.h"

const struct heddle_unwinder *heddle__unwinder(void)
{
#if (defined(__x86_64__) && defined(__LP64__)) || (defined(__aarch64__) && defined(__AARCH64EL__))
	return &heddle__unwinder_tables;
#else
	return &heddle__unwinder_chain;
#endif
}

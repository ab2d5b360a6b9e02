/* SPDX-License-Identifier: BSD-3-Clause */
/* The bounds of a procedure, from its module's unwind table. */
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/unwind.h"
#include "sampling/unwind/unwind_table.h"

struct heddle_procedure heddle__procedure_of(uintptr_t at)
{
	struct heddle_procedure unknown = {0, 0};
	struct heddle_module_range range;
	if (!heddle__module_lookup(at, true, &range))
		return unknown;
	const struct heddle__unwind_table *table = atomic_load_explicit(&range.module->unwind, memory_order_acquire);
	uintptr_t next = table ? heddle__unwind_table_count(table, (uint32_t)(at - range.base)) : 0;
	if (next == 0)
		return unknown;
	uintptr_t low = heddle__unwind_table_start(table, next - 1);
	uintptr_t high = next < table->count ? heddle__unwind_table_start(table, next) : range.high - range.base;
	return (struct heddle_procedure){.place = HEDDLE_PLACE(range.module->id, low), .size = (uint32_t)(high - low)};
}

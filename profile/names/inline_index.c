/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libdw's own dwarf_getscopes walks a whole unit for each query, and its look-up of units needs .debug_aranges, which
 * clang does not write. Therefore this index has units by their own ranges, functions of a unit from one walk, and
 * inlined calls of a function from one walk, each made by the first query that needs it.
 */
#include "profile/names/inline_index.h"

#include "profile/base/intern.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#define NESTING_LIMIT 256 /* nesting of scopes in debug information: deeper only in broken files */

static int add_range(struct profile_ranges *ranges, const struct profile_code_range *range)
{
	int error = profile_reserve(&ranges->at, &ranges->capacity, ranges->count + 1, sizeof(*ranges->at));
	if (!error)
		ranges->at[ranges->count++] = *range;
	return error;
}

/* Calls `add` for each contiguous piece of a DIE's code. */
static int each_range(Dwarf_Die *die, int (*add)(void *, const struct profile_code_range *), void *context,
	struct profile_code_range range)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	int error = 0;
	range.die = *die;
	while (!error && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		range.low = low;
		range.high = high;
		if (low < high && low != 0)
			error = add(context, &range);
	}
	return error;
}

static int by_low(const void *a, const void *b)
{
	const struct profile_code_range *x = a, *y = b;
	return x->low != y->low ? (x->low < y->low ? -1 : 1) : (x->high > y->high) - (x->high < y->high);
}

/* ---- units ---- */

static int add_unit_range(void *context, const struct profile_code_range *range)
{
	return add_range(context, range);
}

static int add_unit(struct profile_inline_index *index, const Dwarf_Die *die, const Dwarf_Die *body)
{
	int error = profile_reserve(&index->units, &index->unit_capacity, index->unit_count + 1, sizeof(*index->units));
	if (error)
		return error;
	struct profile_unit *unit = &index->units[index->unit_count];
	*unit = (struct profile_unit){.die = *die, .body = *body};
	struct profile_code_range range = {.tag = (uint32_t)index->unit_count++};
	return each_range(&unit->die, add_unit_range, &index->unit_ranges, range);
}

int profile_inline_index_open(struct profile_inline_index *index, Dwarf *dwarf)
{
	*index = (struct profile_inline_index){0};
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, body;
	uint8_t type;
	int error = 0;
	while (!error && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &body) == 0) {
		if (type == DW_UT_compile || type == DW_UT_partial)
			error = add_unit(index, &die, &die);
		else if (type == DW_UT_skeleton)
			error = add_unit(index, &die, body.addr ? &body : &die);
	}
	if (index->unit_ranges.count)
		qsort(index->unit_ranges.at, index->unit_ranges.count, sizeof(*index->unit_ranges.at), by_low);
	return error;
}

static void close_unit(struct profile_unit *unit)
{
	for (size_t f = 0; f < unit->function_count; f++)
		free(unit->functions[f].inlined.at);
	free(unit->functions);
}

void profile_inline_index_close(struct profile_inline_index *index)
{
	for (size_t u = 0; u < index->unit_count; u++)
		close_unit(&index->units[u]);
	free(index->units);
	free(index->unit_ranges.at);
	*index = (struct profile_inline_index){0};
}

static struct profile_unit *find_unit(struct profile_inline_index *index, uint64_t offset)
{
	const struct profile_ranges *ranges = &index->unit_ranges;
	size_t low = 0, high = ranges->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (ranges->at[middle].low <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || offset >= ranges->at[low - 1].high)
		return NULL;
	return &index->units[ranges->at[low - 1].tag];
}

/* ---- functions of a unit ---- */

static int add_function(void *context, const struct profile_code_range *range)
{
	struct profile_unit *unit = context;
	int error = profile_reserve(
		&unit->functions, &unit->function_capacity, unit->function_count + 1, sizeof(*unit->functions));
	if (!error)
		unit->functions[unit->function_count++] = (struct profile_function_ranges){.range = *range};
	return error;
}

/*
 * Entries that contain functions: units, namespaces, modules (Fortran), classes, functions (contained ones in Fortran),
 * and blocks of functions (GCC's outlined functions, at their constructs).
 */
static bool may_hold_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static int index_functions(struct profile_unit *unit, Dwarf_Die *parent, int nesting)
{
	Dwarf_Die die;
	int error = 0, more = nesting < NESTING_LIMIT ? dwarf_child(parent, &die) : 1;
	for (; more == 0 && !error; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram)
			error = each_range(&die, add_function, unit, (struct profile_code_range){0});
		if (!error && may_hold_functions(tag) && dwarf_haschildren(&die) > 0)
			error = index_functions(unit, &die, nesting + 1);
	}
	return error;
}

static int index_unit(struct profile_unit *unit)
{
	if (unit->indexed)
		return 0;
	unit->indexed = true;
	int error = index_functions(unit, &unit->body, 0);
	if (unit->function_count)
		qsort(unit->functions, unit->function_count, sizeof(*unit->functions), by_low);
	return error;
}

static struct profile_function_ranges *find_function(struct profile_unit *unit, uint64_t offset)
{
	size_t low = 0, high = unit->function_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (unit->functions[middle].range.low <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || offset >= unit->functions[low - 1].range.high)
		return NULL;
	return &unit->functions[low - 1];
}

/* ---- inlined calls of a function ---- */

static int add_inlined(void *context, const struct profile_code_range *range)
{
	return add_range(context, range);
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

static int index_inlined(struct profile_ranges *ranges, Dwarf_Die *parent, uint32_t depth, int nesting)
{
	Dwarf_Die die;
	int error = 0, more = nesting < NESTING_LIMIT ? dwarf_child(parent, &die) : 1;
	for (; more == 0 && !error; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);
		bool inlined = tag == DW_TAG_inlined_subroutine;
		if (inlined)
			error = each_range(&die, add_inlined, ranges, (struct profile_code_range){.depth = depth + 1});
		if (!error && is_scope(tag) && dwarf_haschildren(&die) > 0)
			error = index_inlined(ranges, &die, depth + inlined, nesting + 1);
	}
	return error;
}

static int index_function(struct profile_function_ranges *function)
{
	if (function->indexed)
		return 0;
	function->indexed = true;
	return index_inlined(&function->inlined, &function->range.die, 0, 0);
}

int profile_inline_index_find(struct profile_inline_index *index, uint64_t offset, struct profile_inline_place *place)
{
	place->depth = 0;
	struct profile_unit *unit = find_unit(index, offset);
	place->unit = unit ? &unit->die : NULL;
	int error = unit ? index_unit(unit) : 0;
	struct profile_function_ranges *function = unit && !error ? find_function(unit, offset) : NULL;
	if (!function || (error = index_function(function)) != 0)
		return error;
	place->chain[place->depth++] = &function->range;
	for (size_t i = 0; i < function->inlined.count && place->depth < HEDDLE_INLINE_DEPTH; i++) {
		struct profile_code_range *call = &function->inlined.at[i];
		if (call->low <= offset && offset < call->high && call->depth == place->depth)
			place->chain[place->depth++] = call;
	}
	return 0;
}

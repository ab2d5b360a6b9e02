/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies the call frame information of files, on a normal thread. Finding rules in copies RUNS IN SIGNAL HANDLERS.
 * Memory is mapped, never taken from the program's heap. A table is one mapping, and is never changed or freed.
 */
#include "sampling/unwind/unwind_table.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "core/base/mapping.h"

#define PADDING 15 /* a gap of at most this size is alignment, and belongs to the procedure before it */

/* ---- the copy ---- */

/* A range of addresses in the file. */
struct range {
	uintptr_t low, high;
};

static uintptr_t address_of(const struct heddle__cfi_bytes *memory)
{
	return (uintptr_t)memory->at + memory->moved;
}

/* Returns the bytes from `address` to the end; none if it is outside. */
static struct heddle__cfi_bytes bytes_from(struct heddle__cfi_bytes memory, uintptr_t address)
{
	uintptr_t distance = address - address_of(&memory), size = (uintptr_t)(memory.end - memory.at);
	memory.at += distance < size ? distance : size;
	return memory;
}

/* Returns the range in which FDEs start that are in memory; low > high: none is. */
static struct range range_of_fdes(
	struct range memory, uintptr_t hdr, const struct heddle__cfi_entry *entries, uintptr_t count)
{
	struct range range = {UINTPTR_MAX, 0};
	for (uintptr_t i = 0; i < count; i++) {
		uintptr_t fde = hdr + (uintptr_t)(intptr_t)entries[i].fde;

		if (fde < memory.low || fde >= memory.high)
			continue; /* damaged */
		range.low = fde < range.low ? fde : range.low;
		range.high = fde > range.high ? fde : range.high;
	}
	return range;
}

/*
 * Returns the range from the start of .eh_frame according to the header, or else from the CIE of the lowest FDE, to the
 * end of the highest FDE. Empty: the index is damaged.
 */
static struct range range_of_frames(
	struct heddle__cfi_bytes memory, const struct heddle__cfi_index *index, const struct heddle__cfi_entry *entries)
{
	uintptr_t low = address_of(&memory), end = low + (uintptr_t)(memory.end - memory.at);
	struct range fdes = range_of_fdes((struct range){low, end}, index->hdr, entries, index->count);
	if (fdes.low > fdes.high)
		return (struct range){0, 0};
	struct heddle__cfi_bytes last = bytes_from(memory, fdes.high);
	uintptr_t start = index->frames >= low && index->frames < fdes.low
				  ? index->frames
				  : heddle__cfi_cie_of(bytes_from(memory, fdes.low));
	uint64_t length = heddle__cfi_unsigned(&last, 4);
	if (start < low || start >= fdes.low)
		start = fdes.low;
	return (struct range){start, !last.bad && length < end - fdes.high - 4 ? fdes.high + 4 + length : end};
}

static struct heddle__unwind_table *copy(
	const struct heddle__unwind_table *of, struct heddle__cfi_bytes memory, struct range frames)
{
	size_t index_size = of->count * sizeof(*of->entries), frames_size = frames.high - frames.low;
	size_t size = sizeof(struct heddle__unwind_table) + index_size + frames_size;
	char *to = heddle__private_mapping(size);
	struct heddle__unwind_table *table = (void *)to;
	if (!to)
		return NULL;
	*table = *of;
	table->size = size;
	to += sizeof(*table);
	memcpy(to, of->entries, index_size);
	table->entries = (const void *)to;
	to += index_size;
	memcpy(to, bytes_from(memory, frames.low).at, frames_size);
	table->frames = (struct heddle__cfi_bytes){.at = (const uint8_t *)to,
		.end = (const uint8_t *)to + frames_size,
		.moved = frames.low - (uintptr_t)to};
	return table;
}

struct heddle__unwind_table *heddle__unwind_table_make(
	uintptr_t base, uintptr_t hdr, struct heddle__cfi_bytes memory, uintptr_t entry)
{
	struct heddle__cfi_bytes header = bytes_from(memory, hdr);
	struct heddle__cfi_index index;
	if (heddle__cfi_read_index(hdr, header, &index) || index.count == 0)
		return NULL;
	struct heddle__cfi_bytes entries = bytes_from(memory, index.entries);
	if (index.count > (size_t)(entries.end - entries.at) / sizeof(struct heddle__cfi_entry))
		return NULL;
	struct heddle__unwind_table table = {
		.base = base, .hdr = hdr, .entry = entry, .entries = (const void *)entries.at, .count = index.count};
	struct range frames = range_of_frames(memory, &index, table.entries);
	return frames.low < frames.high ? copy(&table, memory, frames) : NULL;
}

/* ---- rules ---- */

static bool read_fde(const struct heddle__unwind_table *table, uintptr_t number, struct heddle__cfi_cie *cie,
	struct heddle__cfi_fde *fde)
{
	uintptr_t address = table->hdr + (uintptr_t)(intptr_t)table->entries[number].fde;
	struct heddle__cfi_bytes record = bytes_from(table->frames, address);
	uintptr_t cie_address = heddle__cfi_cie_of(record);
	return cie_address && heddle__cfi_read_cie(bytes_from(table->frames, cie_address), cie) == 0 &&
	       heddle__cfi_read_fde(record, cie, fde) == 0;
}

/* The row that contains `pc`. */
struct wanted {
	uintptr_t pc;
	struct heddle__cfi_rule *rule;
};

static void visit_row(void *context, uintptr_t from, const struct heddle__cfi_rule *rule)
{
	const struct wanted *wanted = context;
	if (from <= wanted->pc)
		*wanted->rule = *rule;
}

static uint32_t rule_in(const struct heddle__unwind_table *table, const struct heddle__cfi_cie *cie,
	const struct heddle__cfi_fde *fde, uintptr_t pc, struct heddle__cfi_rule *rule)
{
	struct wanted wanted = {pc, rule};
	if (fde->low == table->entry)
		return HEDDLE_RULE_OUTERMOST;
	if (!heddle__rows_of_code(cie, fde, visit_row, &wanted) && heddle__cfi_rule_at(cie, fde, pc, rule)) {
		memset(rule, 0, sizeof(*rule));
		return HEDDLE_RULE_NONE;
	}
	return heddle__rule_pack(rule);
}

/*
 * Returns the rule in code without information, [from, to). The dynamic linker's first procedure has none, and is an
 * outermost frame. makecontext stores the procedure's address as the return address of a coroutine's first one, so a
 * walk reaches the byte before it.
 */
static uint32_t rule_between(const struct heddle__unwind_table *table, uintptr_t from, uintptr_t to, uintptr_t pc)
{
	if (!table->entry || table->entry < from || table->entry > to || pc + 1 < table->entry)
		return HEDDLE_RULE_NONE;
	if (table->entry == to)
		return HEDDLE_RULE_NOT_BEGUN;
	return pc >= table->entry ? HEDDLE_RULE_END : HEDDLE_RULE_NONE;
}

uint32_t heddle__unwind_table_rule(const struct heddle__unwind_table *table, uint32_t pc, struct heddle__cfi_rule *rule)
{
	uintptr_t at = table->base + pc, covered = table->base, next = UINTPTR_MAX;
	uintptr_t count = heddle__unwind_table_count(table, pc);
	struct heddle__cfi_cie cie;
	struct heddle__cfi_fde fde;
	memset(rule, 0, sizeof(*rule));
	if (table->count == 0)
		return HEDDLE_RULE_NONE;
	bool known = count > 0 && read_fde(table, count - 1, &cie, &fde);
	if (known && at < fde.high)
		return rule_in(table, &cie, &fde, at, rule);
	if (known)
		covered = fde.high;
	if (count < table->count)
		next = table->base + heddle__unwind_table_start(table, count);
	uint32_t between = rule_between(table, covered, next, at);
	if (between != HEDDLE_RULE_NONE || !known || next - covered > PADDING ||
		(table->entry >= covered && table->entry < next))
		return between;
	return rule_in(table, &cie, &fde, fde.high - 1, rule);
}

uintptr_t heddle__unwind_table_count(const struct heddle__unwind_table *table, uint32_t pc)
{
	int64_t offset = (int64_t)(table->base + pc - table->hdr);
	uintptr_t low = 0, high = table->count;
	while (low < high) {
		uintptr_t middle = low + (high - low) / 2;

		if (table->entries[middle].code <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- modules ---- */

static void unused_coroutine(void)
{
}

/* Returns the code that the C library executes when a coroutine's first procedure has returned. */
static uintptr_t coroutine_end(void)
{
	char stack[1024];
	ucontext_t context = {.uc_stack = {.ss_sp = stack, .ss_size = sizeof(stack)}};
	makecontext(&context, unused_coroutine, 0);
	const uintptr_t *registers = heddle__context_registers(&context);
	if (HEDDLE_CALLS_BY_REGISTER)
		return registers[heddle__context_index(HEDDLE_DWARF_RA)];
	uintptr_t sp = registers[HEDDLE_CONTEXT_SP];
	return sp - (uintptr_t)stack <= sizeof(stack) - sizeof(sp) ? *(const uintptr_t *)sp : 0;
}

/*
 * Returns a procedure without a caller: the entry point of the module that the kernel started (the executable or the
 * dynamic linker); in the C library, the end of coroutines; else 0.
 */
static uintptr_t entry_of(const struct heddle_module *module)
{
	uintptr_t entry = getauxval(AT_ENTRY), end = coroutine_end();
	if (end >= module->low && end < module->high)
		return end;
	if (module->base && module->base == getauxval(AT_BASE))
		entry = module->base + ((const ElfW(Ehdr) *)module->base)->e_entry;
	return entry >= module->low && entry < module->high ? entry : 0;
}

/* The segment that the loader mapped around .eh_frame_hdr: .eh_frame is in the same one. */
struct segment {
	uintptr_t hdr, low, high;
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *data)
{
	struct segment *segment = data;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || segment->hdr < low || segment->hdr >= low + p->p_memsz)
			continue;
		segment->low = low;
		segment->high = low + p->p_memsz;
		return 1;
	}
	return 0;
}

void heddle__unwind_table_build(struct heddle_module *module)
{
	static struct heddle__unwind_table none;
	struct segment segment = {.hdr = (uintptr_t)module->eh_frame_hdr};
	struct heddle__unwind_table *table = NULL;
	if (atomic_load_explicit(&module->unwind, memory_order_relaxed))
		return;
	if (segment.hdr && dl_iterate_phdr(find_segment, &segment)) {
		struct heddle__cfi_bytes memory = {.at = (void *)segment.low, .end = (void *)segment.high};

		table = heddle__unwind_table_make(module->base, segment.hdr, memory, entry_of(module));
	}
	atomic_store_explicit(&module->unwind, table ? table : &none, memory_order_release);
}

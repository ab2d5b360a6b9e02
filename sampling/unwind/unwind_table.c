/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds unwind tables, on a normal thread; and looks up rows, which RUNS IN SIGNAL HANDLERS. Memory is mapped, never
 * taken from the program's heap. A finished table is one mapping, and is never changed or freed.
 */
#include "sampling/unwind/unwind_table.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "core/base/mapping.h"

#define PADDING 15 /* a gap of at most this size is alignment, and assigned to the procedure before it */
#define SETS 4096  /* hash slots for finding equal register sets */
#define NO_SAVES 0

/* A growing array of trivially copyable items. */
struct list {
	void *items;
	size_t item, count, room;
};

struct builder {
	uintptr_t base;
	struct list rows, row_saves, saves, full, bytes;
	uint16_t sets[SETS];          /* 1 + index into saves, by hash */
	struct heddle__cfi_rule last; /* the rule of `last_saves`: the next row usually has the same */
	uint16_t last_saves;
	bool failed;
};

static void free_list(struct list *list)
{
	if (list->items)
		heddle__remove_mapping(list->items, list->room * list->item);
}

/* Reserves space for `count` more items at the end; NULL: no memory. */
static void *list_add(struct list *list, size_t count)
{
	if (list->count + count > list->room) {
		size_t room = (list->count + count) * 2 + 4096 / list->item;
		void *items = list->items
				      ? heddle__resized_mapping(list->items, list->room * list->item, room * list->item)
				      : heddle__private_mapping(room * list->item);

		if (!items)
			return NULL;
		list->items = items;
		list->room = room;
	}
	list->count += count;
	return (char *)list->items + (list->count - count) * list->item;
}

static void add_row(struct builder *builder, uint32_t pc, uint32_t rule, uint16_t saves)
{
	struct heddle__unwind_row *rows = builder->rows.items, *row;
	uint16_t *row_saves = builder->row_saves.items;
	size_t n = builder->rows.count;
	if (n > 0 && pc < rows[n - 1].pc)
		return; /* overlapping procedures: the first one counts */
	if (n > 0 && pc == rows[n - 1].pc) {
		rows[n - 1].rule = rule;
		row_saves[n - 1] = saves;
		return;
	}
	if (n > 0 && rows[n - 1].rule == rule && row_saves[n - 1] == saves)
		return;
	row = list_add(&builder->rows, 1);
	row_saves = list_add(&builder->row_saves, 1);
	if (!row || !row_saves) {
		builder->failed = true;
		builder->rows.count = builder->row_saves.count = n;
		return;
	}
	*row = (struct heddle__unwind_row){pc, rule};
	*row_saves = saves;
}

/* Converts a location to a form without an expression; keeps [frame pointer + n], as in realigned stacks. */
static void save_of(struct heddle__unwind_saves *saves, int i, const struct heddle__cfi_location *location)
{
	int64_t offset = location->offset;
	saves->registers[i].how = (uint8_t)location->how;
	if (location->how == HEDDLE_CFI_AT_EXPRESSION) {
		struct heddle__cfi_bytes bytes = {
			.at = location->expression, .end = location->expression + location->expression_size};
		bool fp = heddle__cfi_unsigned(&bytes, 1) == 0x70 + HEDDLE_DWARF_FP;

		offset = heddle__cfi_sleb(&bytes);
		if (!fp || bytes.bad || bytes.at != bytes.end)
			saves->registers[i].how = HEDDLE_CFI_UNDEFINED;
	}
	if (offset % 8 || offset / 8 != (int16_t)(offset / 8))
		saves->registers[i].how = HEDDLE_CFI_UNDEFINED;
	else
		saves->registers[i].offset = (int16_t)(offset / 8);
}

static uint32_t hash_saves(const struct heddle__unwind_saves *saves)
{
	const uint8_t *bytes = (const uint8_t *)saves;
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < sizeof(*saves); i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash % SETS;
}

/* The index of this set of saved registers; equal sets are shared. Index 0, the empty set, if there are too many. */
static uint16_t add_saves(struct builder *builder, const struct heddle__cfi_rule *rule)
{
	struct heddle__unwind_saves saves, *added;
	uint32_t slot;
	memset(&saves, 0, sizeof(saves)); /* padding too: sets are compared as bytes */
	for (int i = 0; i < HEDDLE_CFI_SAVED; i++)
		save_of(&saves, i, &rule->registers[i]);
	slot = hash_saves(&saves);
	for (uint32_t i = 0; i < SETS; i++, slot = (slot + 1) % SETS) {
		uint16_t index = builder->sets[slot];

		if (index == 0)
			break;
		added = (struct heddle__unwind_saves *)builder->saves.items + index - 1;
		if (!memcmp(added, &saves, sizeof(saves))) /* NOLINT: padding was cleared */
			return (uint16_t)(index - 1);
	}
	if (builder->saves.count >= SETS - 1 || !(added = list_add(&builder->saves, 1)))
		return NO_SAVES;
	*added = saves;
	builder->sets[slot] = (uint16_t)builder->saves.count;
	return (uint16_t)(builder->saves.count - 1);
}

static uint16_t intern_saves(struct builder *builder, const struct heddle__cfi_rule *rule)
{
	/* Padding may differ: then the look-up only finds nothing. NOLINTNEXTLINE */
	if (memcmp(builder->last.registers, rule->registers, HEDDLE_CFI_SAVED * sizeof(rule->registers[0])) != 0) {
		builder->last = *rule;
		builder->last_saves = add_saves(builder, rule);
	}
	return builder->last_saves;
}

/* Copies an expression; until the table is finished, its pointer is an offset into the copies, plus one. */
static bool copy_expression(struct builder *builder, struct heddle__cfi_location *location)
{
	uint8_t *copy;
	if (location->how != HEDDLE_CFI_AT_EXPRESSION && location->how != HEDDLE_CFI_IS_EXPRESSION)
		return true;
	copy = list_add(&builder->bytes, location->expression_size);
	if (!copy)
		return false;
	memcpy(copy, location->expression, location->expression_size);
	location->expression = (const uint8_t *)(uintptr_t)(copy - (uint8_t *)builder->bytes.items + 1);
	return true;
}

static uint32_t add_full(struct builder *builder, const struct heddle__cfi_rule *rule)
{
	struct heddle__cfi_rule *full = list_add(&builder->full, 1);
	bool copied;
	if (!full || builder->full.count >> 28) {
		builder->failed = true;
		return HEDDLE_RULE_NONE;
	}
	*full = *rule;
	copied = copy_expression(builder, &full->cfa);
	for (int i = 0; i < HEDDLE_CFI_REGISTERS; i++)
		copied = copied && copy_expression(builder, &full->registers[i]);
	builder->failed |= !copied;
	return HEDDLE_RULE_FULL | (uint32_t)(builder->full.count - 1) << 4;
}

static void visit_row(void *context, uintptr_t from, const struct heddle__cfi_rule *rule)
{
	struct builder *builder = context;
	uintptr_t pc = from - builder->base;
	uint32_t packed;
	if (pc > UINT32_MAX)
		return;
	packed = heddle__rule_pack(rule);
	if (packed == HEDDLE_RULE_FULL)
		packed = add_full(builder, rule);
	add_row(builder, (uint32_t)pc, packed, intern_saves(builder, rule));
}

static void add_gap(struct builder *builder, uintptr_t from, uint32_t rule)
{
	if (from - builder->base <= UINT32_MAX)
		add_row(builder, (uint32_t)(from - builder->base), rule, NO_SAVES);
}

static bool read_fde(
	struct heddle__cfi_bytes memory, uintptr_t address, struct heddle__cfi_cie *cie, struct heddle__cfi_fde *fde)
{
	struct heddle__cfi_bytes record = memory;
	uintptr_t low = (uintptr_t)memory.at + memory.moved, size = (uintptr_t)(memory.end - memory.at), cie_address;
	if (address - low >= size)
		return false;
	record.at += address - low;
	cie_address = heddle__cfi_cie_of(record);
	if (!cie_address || cie_address - low >= size)
		return false;
	if (cie->address != cie_address) {
		struct heddle__cfi_bytes at = memory;

		at.at += cie_address - low;
		if (heddle__cfi_read_cie(at, cie)) {
			cie->address = 0;
			return false;
		}
	}
	return heddle__cfi_read_fde(record, cie, fde) == 0;
}

/*
 * makecontext stores the procedure's address as the return address of a coroutine's first one, so a walk comes to the
 * byte before it, which must belong to no other procedure.
 */
static void add_outermost(struct builder *builder, uintptr_t covered, uintptr_t low)
{
	if (low > covered)
		add_gap(builder, low - 1, HEDDLE_RULE_NOT_BEGUN);
	add_gap(builder, low, HEDDLE_RULE_OUTERMOST);
}

/*
 * Adds uncovered code from `from` on. The dynamic linker's first procedure has no information, and is an outermost
 * frame.
 */
static void add_uncovered(struct builder *builder, uintptr_t from, uintptr_t to, uintptr_t entry)
{
	add_gap(builder, from, HEDDLE_RULE_NONE);
	if (entry >= from && entry < to)
		add_gap(builder, entry, HEDDLE_RULE_END);
}

static void add_procedures(struct builder *builder, struct heddle__cfi_bytes memory,
	const struct heddle__cfi_index *index, uintptr_t entry)
{
	const struct heddle__cfi_entry *entries = (const void *)(index->entries - memory.moved);
	struct heddle__cfi_cie cie = {.address = 0};
	struct heddle__cfi_fde fde;
	uintptr_t covered = builder->base;
	for (uintptr_t i = 0; i < index->count && !builder->failed; i++) {
		if (!read_fde(memory, index->hdr + (uintptr_t)(intptr_t)entries[i].fde, &cie, &fde))
			continue;
		if (fde.low > covered && (covered == builder->base || fde.low - covered > PADDING ||
						 (entry >= covered && entry < fde.low)))
			add_uncovered(builder, covered, fde.low, entry);
		if (fde.low == entry)
			add_outermost(builder, covered, fde.low);
		else if (!heddle__rows_of_code(&cie, &fde, visit_row, builder) &&
			 heddle__cfi_rows(&cie, &fde, visit_row, builder))
			add_gap(builder, fde.low, HEDDLE_RULE_NONE);
		if (fde.high > covered)
			covered = fde.high;
	}
	add_uncovered(builder, covered, UINTPTR_MAX, entry);
}

static void fill_pages(const struct heddle__unwind_table *table, uint32_t *pages)
{
	uint32_t row = 0;
	for (uint32_t page = 0; page <= table->page_count; page++) {
		uint64_t start = (uint64_t)(table->first_page + page) << HEDDLE_UNWIND_PAGE_SHIFT;

		while (row < table->row_count && table->rows[row].pc <= start)
			row++;
		pages[page] = row;
	}
}

static size_t append(char *memory, size_t at, const struct list *list)
{
	if (list->count)
		memcpy(memory + at, list->items, list->count * list->item);
	return (at + list->count * list->item + 7) & ~(size_t)7;
}

static void point_at_copies(struct heddle__cfi_rule *rule, const uint8_t *bytes)
{
	if (rule->cfa.expression)
		rule->cfa.expression += (uintptr_t)bytes - 1;
	for (int i = 0; i < HEDDLE_CFI_REGISTERS; i++)
		if (rule->registers[i].expression)
			rule->registers[i].expression += (uintptr_t)bytes - 1;
}

static size_t list_size(const struct list *list)
{
	return (list->count * list->item + 7) & ~(size_t)7;
}

/* Copies everything into one mapping. */
static struct heddle__unwind_table *finish(const struct builder *builder)
{
	const struct heddle__unwind_row *rows = builder->rows.items;
	uint32_t first = rows[0].pc >> HEDDLE_UNWIND_PAGE_SHIFT;
	uint32_t pages = (rows[builder->rows.count - 1].pc >> HEDDLE_UNWIND_PAGE_SHIFT) - first + 1;
	size_t size = sizeof(struct heddle__unwind_table) + list_size(&builder->rows) + list_size(&builder->row_saves) +
		      list_size(&builder->saves) + list_size(&builder->full) + list_size(&builder->bytes) +
		      ((size_t)pages + 1) * sizeof(uint32_t);
	char *memory = heddle__private_mapping(size);
	struct heddle__unwind_table *table = (void *)memory;
	size_t at = sizeof(*table);
	struct heddle__cfi_rule *full;
	if (!memory)
		return NULL;
	*table = (struct heddle__unwind_table){.row_count = (uint32_t)builder->rows.count,
		.first_page = first,
		.page_count = pages,
		.full_count = (uint32_t)builder->full.count,
		.saves_count = (uint32_t)builder->saves.count,
		.size = size};
	table->rows = (void *)(memory + at);
	at = append(memory, at, &builder->rows);
	table->row_saves = (void *)(memory + at);
	at = append(memory, at, &builder->row_saves);
	table->saves = (void *)(memory + at);
	at = append(memory, at, &builder->saves);
	table->full = full = (void *)(memory + at);
	at = append(memory, at, &builder->full);
	for (uint32_t i = 0; i < table->full_count; i++)
		point_at_copies(&full[i], (const uint8_t *)memory + at);
	at = append(memory, at, &builder->bytes);
	table->pages = (void *)(memory + at);
	fill_pages(table, (void *)(memory + at));
	return table;
}

struct heddle__unwind_table *heddle__unwind_table_make(
	uintptr_t base, uintptr_t hdr, struct heddle__cfi_bytes memory, uintptr_t entry)
{
	struct builder *builder = heddle__private_mapping(sizeof(*builder));
	struct heddle__unwind_table *table = NULL;
	struct heddle__cfi_index index;
	struct heddle__cfi_bytes header = memory;
	struct heddle__cfi_rule nothing = {.signal_frame = false};
	if (!builder)
		return NULL;
	builder->base = base;
	builder->rows.item = sizeof(struct heddle__unwind_row);
	builder->row_saves.item = sizeof(uint16_t);
	builder->saves.item = sizeof(struct heddle__unwind_saves);
	builder->full.item = sizeof(struct heddle__cfi_rule);
	builder->bytes.item = 1;
	add_saves(builder, &nothing); /* index NO_SAVES */
	header.at += hdr - ((uintptr_t)memory.at + memory.moved);
	if (!heddle__cfi_read_index(hdr, header, &index) &&
		index.count <= (size_t)(memory.end - header.at) / sizeof(struct heddle__cfi_entry)) {
		add_procedures(builder, memory, &index, entry);
		if (!builder->failed && builder->rows.count > 0)
			table = finish(builder);
	}
	free_list(&builder->rows);
	free_list(&builder->row_saves);
	free_list(&builder->saves);
	free_list(&builder->full);
	free_list(&builder->bytes);
	heddle__remove_mapping(builder, sizeof(*builder));
	return table;
}

static void unused_coroutine(void)
{
}

/* What the C library executes when a coroutine's first procedure has returned. */
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
 * A procedure without a caller: the entry point of the module that the kernel started (the executable or the dynamic
 * linker); in the C library, the end of coroutines; else 0.
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

int64_t heddle__unwind_table_find(const struct heddle__unwind_table *table, uint32_t pc)
{
	uint32_t page = (pc >> HEDDLE_UNWIND_PAGE_SHIFT) - table->first_page;
	uint32_t low, high;
	if (table->row_count == 0 || pc < table->rows[0].pc)
		return -1;
	if (page >= table->page_count)
		return (int64_t)table->row_count - 1;
	low = table->pages[page] ? table->pages[page] - 1 : 0;
	high = table->pages[page + 1];
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (table->rows[middle].pc <= pc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

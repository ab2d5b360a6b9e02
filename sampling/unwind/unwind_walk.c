/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS. The walk by tables. A module's range is looked up and validated when the walk enters it;
 * after that every frame is one probe of a cache of rules, keyed by file and address in the file. An entry is valid
 * forever, because a file's table never changes.
 */
#include "core/base/frame.h"
#include "core/base/likely.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/unwind.h"
#include "sampling/unwind/unwind_step.h"
#include "sampling/unwind/unwind_table.h"
#if defined(__aarch64__)
#include "sampling/unwind/leave_aarch64.h"
#else
#include "sampling/unwind/leave_x86_64.h"
#endif

/*
 * The cache. A key is (module id, address in the module), 46 bits. Multiplication by an odd number permutes the keys.
 * The product, in the upper 46 bits of a word, is a spot: 14 bits for the index and the other 32 as the tag identify a
 * key exactly. An entry is one atomic word: tag << 32 | rule.
 */
#define CACHE_BITS 14
#define KEY_BITS (32 + CACHE_BITS)
#define KEY_MULTIPLIER (0x2545f4914f6cdd1dull << (64 - KEY_BITS))

static _Atomic uint64_t cache[1 << CACHE_BITS];

static inline uint64_t spot_of(uint32_t id, uint32_t pc)
{
	return ((uint64_t)id << 32 | pc) * KEY_MULTIPLIER;
}

static inline _Atomic uint64_t *spot_entry(uint64_t spot)
{
	return &cache[spot >> (64 - CACHE_BITS)];
}

static inline uint32_t spot_tag(uint64_t spot)
{
	return (uint32_t)(spot >> (64 - KEY_BITS));
}

static inline uint32_t find_rule(const struct heddle__cursor *cursor, uint32_t pc)
{
	uint32_t id = cursor->range.module->id;
	uint64_t spot = spot_of(id, pc);
	_Atomic uint64_t *entry = spot_entry(spot);
	uint64_t held = atomic_load_explicit(entry, memory_order_relaxed);
	struct heddle__cfi_rule full;
	uint32_t rule;

	if (HEDDLE_UNLIKELY(id >> CACHE_BITS))
		return heddle__unwind_table_rule(cursor->table, pc, &full); /* too large for a unique key */
	if (HEDDLE_LIKELY(held >> 32 == spot_tag(spot) && (uint32_t)held != HEDDLE_RULE_NONE))
		return (uint32_t)held;
	rule = heddle__unwind_table_rule(cursor->table, pc, &full);
	atomic_store_explicit(entry, (uint64_t)spot_tag(spot) << 32 | rule, memory_order_relaxed);
	return rule;
}

static inline enum heddle__step step(struct heddle__cursor *cursor, uintptr_t at)
{
	uint32_t pc = (uint32_t)(at - cursor->range.base), rule;
	if (HEDDLE_UNLIKELY(!cursor->table))
		return heddle__step_fresh(cursor, at);
	if (HEDDLE_UNLIKELY(cursor->following && cursor->registers))
		heddle__cursor_take_saved(cursor);
	rule = find_rule(cursor, pc);
	return step_by_rule(cursor, pc, rule);
}

/* True if walk_fast() may continue from here. Addresses beyond 32 bits would reach into the id. */
static inline bool is_fast(const struct heddle__cursor *cursor)
{
	return !cursor->exact && !cursor->following && cursor->table && cursor->range.module->id >> CACHE_BITS == 0 &&
	       cursor->range.low >= cursor->range.base && cursor->range.high - cursor->range.base <= UINT32_MAX;
}

/*
 * The fast path of enter, fill and step below, for most callers: in the current module, with a cached rule based on the
 * stack or the frame pointer. It stops at any other frame. The state stays in processor registers, which halves the
 * cost of a frame. Its speed is bound by the chain from one program counter through its spot and rule to the next one,
 * so a spot is computed as pc * multiplier + constant. Returns the number of frames stored.
 */
static size_t walk_fast(struct heddle__cursor *cursor, uintptr_t stop, struct heddle_frame *frames, size_t max)
{
	const struct heddle_module_range range = cursor->range;
	const uintptr_t low = cursor->stack.low, limit = cursor->stack.limit;
	const uint8_t role = atomic_load_explicit(&range.module->role, memory_order_relaxed);
	const uint64_t place = HEDDLE_PLACE(range.module->id, 0);
	const uint64_t spot_of_zero = spot_of(range.module->id, 0) - (range.base + 1) * KEY_MULTIPLIER;
	uintptr_t pc = cursor->pc, sp = cursor->sp, bp = cursor->bp;
	size_t n = 0;
	while (n < max && sp < stop) {
		uint64_t spot = spot_of_zero + pc * KEY_MULTIPLIER, held;
		struct heddle_frame *frame = &frames[n];
		uintptr_t cfa, saved;
		uint8_t flags = 0;

		if (pc - 1 - range.low >= range.high - range.low)
			break;
		held = atomic_load_explicit(spot_entry(spot), memory_order_relaxed);
		if (held >> 32 != spot_tag(spot))
			break;
		const uint32_t rule = (uint32_t)held, words = heddle__rule_fp_words(rule);
		if (heddle__rule_kind(rule) == HEDDLE_RULE_CFA_SP)
			cfa = sp + (uintptr_t)heddle__rule_offset(rule);
		else if (heddle__rule_kind(rule) == HEDDLE_RULE_CFA_FP)
			cfa = bp + (uintptr_t)heddle__rule_offset(rule), flags = HEDDLE_FRAME_BY_BP;
		else
			break;
		saved = cfa - 8 * (uintptr_t)words;
		if (cfa <= sp || cfa > limit || (cfa & 7) || !heddle__rule_is_simple(rule) || saved < low ||
			!heddle__rule_returns_above(rule, cfa, low))
			break;
		frame->pc = pc;
		frame->cfa = cfa;
		frame->place = place | (pc - 1 - range.base);
		frame->role = role;
		frame->flags = flags;
		frame->bp_words = (uint16_t)words;
		frame->ra_words = (uint16_t)heddle__rule_ra_words(rule);
		n++;
		if (words)
			bp = heddle__stack_word(saved);
		pc = heddle__unsigned_code(heddle__stack_word(cfa - 8 * (uintptr_t)heddle__rule_ra_words(rule)));
		sp = cfa;
	}
	cursor->pc = pc;
	cursor->sp = sp;
	cursor->bp = bp;
	return n;
}

/*
 * Walks often alternate between two modules (a library and the program that it calls back), so the previous one is
 * cached.
 */
static void enter_module(struct heddle__cursor *cursor, uintptr_t at)
{
	struct heddle__visited left = {cursor->range, cursor->table};
	if (at - cursor->left.range.low < cursor->left.range.high - cursor->left.range.low) {
		cursor->range = cursor->left.range;
		cursor->table = cursor->left.table;
	} else {
		cursor->table = NULL;
		if (heddle__module_lookup(at, cursor->certain, &cursor->range))
			cursor->table = atomic_load_explicit(&cursor->range.module->unwind, memory_order_acquire);
	}
	cursor->left = left;
}

/* Fills the frame at the cursor, except the members that the step out of it determines. */
static inline void fill_frame(const struct heddle__cursor *cursor, uintptr_t at, struct heddle_frame *frame)
{
	const struct heddle_module *module = cursor->range.module;
	frame->pc = cursor->pc;
	frame->place = module ? HEDDLE_PLACE(module->id, at - cursor->range.base) : HEDDLE_PLACE(0, at);
	frame->role = module ? atomic_load_explicit(&module->role, memory_order_relaxed) : HEDDLE_MODULE_OTHER;
	frame->flags = 0;
	frame->bp_words = HEDDLE_FRAME_COMPLEX;
	frame->ra_words = 0;
}

static void cursor_init(struct heddle__cursor *cursor, const struct heddle_unwind_start *start, uintptr_t stack_high)
{
	const ucontext_t *context = start->context;
	cursor->exact = context;
	cursor->certain = true;
	cursor->known = 0;
	cursor->range = (struct heddle_module_range){0};
	cursor->table = NULL;
	cursor->left.range.low = cursor->left.range.high = 0;
	cursor->stack_high = stack_high;
	cursor->alternate_low = cursor->alternate_high = 0;
	cursor->fresh_steps = 0;
	if (context) {
		cursor->registers = heddle__context_registers(context);
		cursor->pc = cursor->registers[HEDDLE_CONTEXT_PC];
		cursor->sp = cursor->registers[HEDDLE_CONTEXT_SP];
		cursor->bp = cursor->registers[HEDDLE_CONTEXT_FP];
		heddle__cursor_note_alternate(cursor, (uintptr_t)context->uc_stack.ss_sp, context->uc_stack.ss_size,
			context->uc_stack.ss_flags);
	} else {
		cursor->registers = NULL;
		cursor->pc = start->pc;
		cursor->sp = start->sp;
		cursor->bp = start->bp;
	}
	heddle__cursor_enter_stack(cursor, cursor->sp);
}

/* A trampoline is not called: its place is its own pc (usually its first byte), not the byte before. */
static void mark_trampoline(struct heddle_frame *frame, uintptr_t at)
{
	frame->flags = HEDDLE_FRAME_TRAMPOLINE;
	frame->place += frame->pc - at;
}

/* stop_cfa is an address on one stack; frames on another stack are not compared with it. */
static inline bool reached(const struct heddle__stack *stack, uintptr_t cfa, uintptr_t stop_cfa)
{
	return stop_cfa && cfa >= stop_cfa && (!stack->foreign || stop_cfa >= stack->low);
}

/* The address at which walk_fast() stops; it does not change stacks. */
static inline uintptr_t fast_stop(const struct heddle__stack *stack, uintptr_t stop_cfa)
{
	return stop_cfa && (!stack->foreign || stop_cfa >= stack->low) ? stop_cfa : UINTPTR_MAX;
}

static size_t walk_frames(struct heddle__cursor *cursor, uintptr_t stop_cfa, struct heddle_frame *frames, size_t max,
	enum heddle__step *last)
{
	size_t n = 0;
	for (;;) {
		uintptr_t at = cursor->pc - !cursor->exact;
		struct heddle_frame *frame = &frames[n];
		size_t fast = 0;

		if (at - cursor->range.low >= cursor->range.high - cursor->range.low)
			enter_module(cursor, at);
		if (is_fast(cursor))
			fast = walk_fast(cursor, fast_stop(&cursor->stack, stop_cfa), frame, max - n);
		n += fast;
		if (fast == 0) {
			n++;
			fill_frame(cursor, at, frame);
			*last = step(cursor, at);
			frame->cfa = cursor->sp;
			if (*last != HEDDLE_STEP_OUT)
				return n - (*last == HEDDLE_STEP_ENDED && n > 1);
			if (cursor->exact)
				mark_trampoline(frame, at);
		}
		if (HEDDLE_UNLIKELY(cursor->pc == 0)) {
			*last = HEDDLE_STEP_END;
			return n;
		}
		*last = HEDDLE_STEP_OUT;
		if (n == max || reached(&cursor->stack, cursor->sp, stop_cfa))
			return n;
	}
}

static size_t walk(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
	struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end)
{
	struct heddle__cursor cursor;
	enum heddle__step last;
	size_t n;
	cursor.following = false;
	cursor_init(&cursor, start, stack_high);
	n = walk_frames(&cursor, stop_cfa, frames, max, &last);
	if (HEDDLE_UNLIKELY(last == HEDDLE_STEP_AGAIN)) {
		cursor.following = true;
		cursor_init(&cursor, start, stack_high);
		n = walk_frames(&cursor, stop_cfa, frames, max, &last);
	}
	if (last == HEDDLE_STEP_END || last == HEDDLE_STEP_ENDED)
		*end = HEDDLE_UNWIND_COMPLETE;
	else if (last != HEDDLE_STEP_OUT)
		*end = HEDDLE_UNWIND_BROKEN;
	else
		*end = reached(&cursor.stack, cursor.sp, stop_cfa) ? HEDDLE_UNWIND_STOPPED : HEDDLE_UNWIND_FULL;
	return n;
}

static bool leave_frame(struct heddle_call *call, uintptr_t end)
{
	const struct heddle_unwind_start start = {.pc = call->pc, .sp = call->sp, .bp = call->bp};
	struct heddle__cursor cursor;
	cursor.following = false;
	cursor_init(&cursor, &start, end);
	enter_module(&cursor, call->pc - 1);
	if (!cursor.table || step(&cursor, call->pc - 1) != HEDDLE_STEP_OUT)
		return false;
	*call = (struct heddle_call){.pc = cursor.pc, .sp = cursor.sp, .bp = cursor.bp};
	return true;
}

static int init(void)
{
	return heddle__modules_init(heddle__unwind_table_build);
}

const struct heddle_unwinder heddle__unwinder_tables = {
	.name = "tables", .init = init, .walk = walk, .procedure = heddle__procedure_of, .leave = leave_frame};

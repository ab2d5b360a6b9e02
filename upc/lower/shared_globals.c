/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared variables with static storage: slots for their addresses, and the records from which the runtime allocates
 * them.
 */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/debug_types.h"
#include "upc/lower/lowering.h"

/*
 * A variable's declaration in debug information. clang gives partly initialized arrays types of its own; debug
 * information has the declared type.
 */
struct declaration {
	char name[256];
	char type[256];
	LLVMTypeRef element; /* LLVM's element type, as far as it shows */
	uint64_t bytes;
	uint64_t element_size;
};

static void name_type(struct lowering *lowering, LLVMMetadataRef type, char *name, size_t size)
{
	size_t length = 0;
	const char *text = type ? LLVMDITypeGetName(type, &length) : NULL;
	if (text && length > 0) {
		snprintf(name, size, "%.*s", (int)length, text);
		return;
	}
	snprintf(name, size, "%s", type ? "" : "void");
	if (!type || LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind)
		return;
	char base[200];
	name_type(lowering, upc__named_type(lowering, type), base, sizeof base);
	snprintf(name, size, "%s%s", base, LLVMDITypeGetSizeInBits(type) ? " *" : "");
}

static void read_declaration(struct lowering *lowering, LLVMValueRef global, struct declaration *declaration)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);
	*declaration = (struct declaration){.element = upc__element(type)};
	snprintf(declaration->name, sizeof declaration->name, "%s", name);
	declaration->bytes = upc__size(lowering, type);
	declaration->element_size = upc__size(lowering, declaration->element);
	LLVMMetadataRef variable = upc__debug_variable(global);
	if (!variable)
		return;
	unsigned size = 0;
	if ((name = upc__debug_name(lowering, variable, &size)) != NULL)
		snprintf(declaration->name, sizeof declaration->name, "%.*s", (int)size, name);
	LLVMMetadataRef at = upc__named_type(lowering, variable), element = at;
	LLVMMetadataRef stripped = upc__strip_qualifiers(lowering, at);
	if (!stripped)
		return;
	uint64_t bits = LLVMDITypeGetSizeInBits(stripped);
	while (upc__is_debug_array(lowering, stripped)) {
		element = upc__named_type(lowering, stripped);
		stripped = upc__strip_qualifiers(lowering, element);
	}
	name_type(lowering, element, declaration->type, sizeof declaration->type);
	uint64_t element_bits = stripped ? LLVMDITypeGetSizeInBits(stripped) : 0;
	if (bits >= 8 && element_bits >= 8) {
		declaration->bytes = bits / 8;
		declaration->element_size = element_bits / 8;
	}
}

uint64_t upc__element_size(struct lowering *lowering, LLVMValueRef global, LLVMTypeRef *element)
{
	for (int i = 0; i < lowering->global_count; i++)
		if (lowering->globals[i].global == global) {
			*element = lowering->globals[i].element;
			return lowering->globals[i].element_size;
		}
	*element = upc__element(LLVMGlobalGetValueType(global));
	return upc__size(lowering, *element);
}

LLVMValueRef upc__slot(const struct lowering *lowering, LLVMValueRef global)
{
	for (int i = 0; i < lowering->global_count; i++)
		if (lowering->globals[i].global == global)
			return lowering->globals[i].slot;
	return NULL;
}

/* With dynamic THREADS, a definite block size needs THREADS once, in one bound: otherwise shares would be unequal. */
static void check_bounds(struct lowering *lowering, LLVMValueRef global, const struct shared_global *shared)
{
	unsigned block = upc__block(LLVMTypeOf(global));
	uint64_t elements = shared->element_size ? shared->bytes / shared->element_size : 0;
	if (block > UPCRT_MAX_BLOCK_SIZE)
		upc__refuse_at(lowering, global, "block size %u is more than UPC_MAX_BLOCK_SIZE (%d)", block,
			UPCRT_MAX_BLOCK_SIZE);
	bool array = shared->bytes != shared->element_size;
	if (lowering->options->static_threads != 0 || !array || LLVMIsDeclaration(global))
		return;
	if (!upc__has_threads(elements)) {
		if (block != 0)
			upc__refuse_at(lowering, global,
				"with dynamic THREADS, a shared array that isn't indefinitely blocked needs THREADS as "
				"a factor of a bound");
		return;
	}
	if (block == 0)
		upc__refuse_at(lowering, global,
			"with dynamic THREADS, the bounds of an indefinitely blocked array cannot contain THREADS");
	else if (upc__has_threads(elements / (uint64_t)UPC_THREADS_FACTOR))
		upc__refuse_at(
			lowering, global, "with dynamic THREADS, THREADS may occur in only one bound of an array");
}

static void add_global(struct lowering *lowering, LLVMValueRef global)
{
	struct shared_global *globals =
		realloc(lowering->globals, (size_t)(lowering->global_count + 1) * sizeof *globals);
	if (!globals)
		exit(1);
	lowering->globals = globals;
	struct shared_global *shared = &globals[lowering->global_count++];
	struct declaration declaration;
	read_declaration(lowering, global, &declaration);
	*shared = (struct shared_global){.global = global,
		.element = declaration.element,
		.bytes = declaration.bytes,
		.element_size = declaration.element_size,
		.name = strdup(declaration.name),
		.type = strdup(declaration.type)};
	check_bounds(lowering, global, shared);
	upc__position(lowering, global, &shared->file, &shared->line);
}

/* The slot takes the variable's name, so that object files agree on it. */
static void make_slot(struct lowering *lowering, struct shared_global *shared)
{
	size_t length;
	char *name = strdup(LLVMGetValueName2(shared->global, &length));
	LLVMSetValueName2(shared->global, "", 0);
	LLVMGlobalClearMetadata(shared->global);
	shared->slot = LLVMAddGlobal(lowering->module, lowering->i64, name ? name : "");
	free(name);
	LLVMSetAlignment(shared->slot, 8);
	LLVMSetVisibility(shared->slot, LLVMGetVisibility(shared->global));
	if (LLVMIsDeclaration(shared->global))
		return;
	LLVMSetInitializer(shared->slot, upc__constant(lowering, 0));
	LLVMSetLinkage(shared->slot, LLVMGetLinkage(shared->global));
}

/* Makes a list of the module, or replaces it, since it cannot be appended to; removes it if there are no entries. */
static void replace_list(
	struct lowering *lowering, const char *name, LLVMTypeRef type, LLVMValueRef *entries, unsigned count)
{
	LLVMValueRef old = LLVMGetNamedGlobal(lowering->module, name);
	if (old)
		LLVMDeleteGlobal(old);
	if (count == 0)
		return;
	LLVMValueRef list = LLVMConstArray(type, entries, count);
	LLVMValueRef made = LLVMAddGlobal(lowering->module, LLVMTypeOf(list), name);
	LLVMSetInitializer(made, list);
	LLVMSetLinkage(made, LLVMAppendingLinkage);
	LLVMSetSection(made, "llvm.metadata");
}

/*
 * Removes shared variables from the lists of variables to keep (__attribute__((used))) and of annotations for other
 * tools: shared variables have records, which are kept, and no symbols.
 */
static void leave_lists(struct lowering *lowering)
{
	static const char *const names[] = {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		LLVMValueRef list = LLVMGetNamedGlobal(lowering->module, names[i]);
		LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
		if (!entries || !upc__mentions_shared(entries))
			continue;
		unsigned before = (unsigned)LLVMGetNumOperands(entries), count = 0;
		LLVMValueRef *kept = calloc(before, sizeof *kept);
		if (!kept)
			exit(1);
		for (unsigned j = 0; j < before; j++)
			if (!upc__mentions_shared(LLVMGetOperand(entries, j)))
				kept[count++] = LLVMGetOperand(entries, j);
		replace_list(lowering, names[i], LLVMGetElementType(LLVMTypeOf(entries)), kept, count);
		free(kept);
	}
}

void upc__collect_globals(struct lowering *lowering)
{
	leave_lists(lowering);
	for (LLVMValueRef global = LLVMGetFirstGlobal(lowering->module); global; global = LLVMGetNextGlobal(global)) {
		unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
		if (space > LAST_OTHER_SPACE && space < UPC_SPACE)
			upc__refuse_at(lowering, global, "block size is negative");
		if (upc__is_shared(LLVMTypeOf(global)))
			add_global(lowering, global);
	}
	for (int i = 0; i < lowering->global_count; i++)
		make_slot(lowering, &lowering->globals[i]);
	for (LLVMValueRef global = LLVMGetFirstGlobal(lowering->module); global; global = LLVMGetNextGlobal(global)) {
		LLVMValueRef initializer = LLVMIsDeclaration(global) ? NULL : LLVMGetInitializer(global);
		if (!initializer || upc__is_shared(LLVMTypeOf(global)) || !upc__mentions_shared(initializer))
			continue;
		LLVMSetInitializer(global, upc__initializer(lowering, global, global, initializer));
		LLVMSetGlobalConstant(global, false);
	}
}

/* The number of parts of a constant before trailing zeros. */
static unsigned parts_before_zeros(LLVMValueRef constant, unsigned count)
{
	bool data = LLVMIsAConstantDataSequential(constant);
	while (count > 0) {
		LLVMValueRef part =
			data ? LLVMGetAggregateElement(constant, count - 1) : LLVMGetOperand(constant, count - 1);
		if (!LLVMIsNull(part) && !LLVMIsUndef(part))
			break;
		count--;
	}
	return count;
}

/* A constant without trailing zeros: with dynamic THREADS, an array may seem to have very many elements. */
static LLVMValueRef without_tail(struct lowering *lowering, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
	if ((!array && LLVMGetTypeKind(type) != LLVMStructTypeKind) || LLVMIsAConstantExpr(constant))
		return constant;
	unsigned count = array ? LLVMGetArrayLength(type) : LLVMCountStructElementTypes(type);
	unsigned kept = parts_before_zeros(constant, count);
	if (kept == count || kept == 0)
		return constant;
	LLVMValueRef *parts = calloc(kept, sizeof(LLVMValueRef));
	if (!parts)
		exit(1);
	bool data = LLVMIsAConstantDataSequential(constant);
	for (unsigned i = 0; i < kept; i++)
		parts[i] = data ? LLVMGetAggregateElement(constant, i) : LLVMGetOperand(constant, i);
	LLVMValueRef made = array ? LLVMConstArray(LLVMGetElementType(type), parts, kept)
				  : LLVMConstStructInContext(lowering->context, parts, kept, LLVMIsPackedStruct(type));
	free(parts);
	return made;
}

static LLVMValueRef initial_data(struct lowering *lowering, LLVMValueRef global, uint64_t *size)
{
	LLVMValueRef initializer = LLVMGetInitializer(global);
	*size = 0;
	if (!initializer || LLVMIsNull(initializer) || LLVMIsUndef(initializer))
		return LLVMConstNull(lowering->bytes);
	initializer = without_tail(lowering, initializer);
	LLVMValueRef data = LLVMAddGlobal(lowering->module, LLVMTypeOf(initializer), ".upc.initial");
	LLVMSetLinkage(data, LLVMInternalLinkage);
	LLVMSetInitializer(data, upc__initializer(lowering, global, data, initializer));
	*size = upc__size(lowering, LLVMTypeOf(initializer));
	return data;
}

static LLVMValueRef int32(struct lowering *lowering, uint64_t value)
{
	return LLVMConstInt(lowering->i32, value, false);
}

/* Builds a struct upcrt_shared_record. */
static LLVMValueRef record_of(struct lowering *lowering, const struct shared_global *shared)
{
	uint64_t elements = shared->element_size ? shared->bytes / shared->element_size : 1;
	bool per_thread = lowering->options->static_threads == 0 && upc__has_threads(elements);
	if (per_thread)
		elements /= (uint64_t)UPC_THREADS_FACTOR;
	uint64_t initial_size;
	LLVMValueRef initial = initial_data(lowering, shared->global, &initial_size);
	LLVMValueRef fields[] = {shared->slot, upc__string(lowering, shared->name), upc__string(lowering, shared->type),
		shared->file, initial, upc__constant(lowering, (int64_t)elements),
		upc__constant(lowering, (int64_t)shared->element_size),
		upc__constant(lowering, upc__block(LLVMTypeOf(shared->global))),
		upc__constant(lowering, (int64_t)initial_size), int32(lowering, LLVMGetAlignment(shared->global)),
		shared->line, int32(lowering, per_thread ? UPCRT_TIMES_THREADS : 0), int32(lowering, 0)};
	return LLVMConstStructInContext(lowering->context, fields, sizeof fields / sizeof *fields, false);
}

static LLVMValueRef place_record(struct lowering *lowering, LLVMValueRef record, const char *section)
{
	LLVMValueRef global = LLVMAddGlobal(lowering->module, LLVMTypeOf(record), ".upc.record");
	LLVMSetInitializer(global, record);
	LLVMSetSection(global, section);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetAlignment(global, 8);
	return global;
}

/* Adds the records to llvm.used, because nothing refers to them. */
static void keep(struct lowering *lowering, LLVMValueRef *kept, unsigned count)
{
	LLVMValueRef old = LLVMGetNamedGlobal(lowering->module, "llvm.used");
	unsigned before = old ? (unsigned)LLVMGetNumOperands(LLVMGetInitializer(old)) : 0;
	LLVMValueRef *all = calloc(before + count, sizeof(LLVMValueRef));
	if (!all)
		exit(1);
	for (unsigned i = 0; i < before; i++)
		all[i] = LLVMGetOperand(LLVMGetInitializer(old), i);
	memcpy(all + before, kept, count * sizeof *kept);
	replace_list(lowering, "llvm.used", lowering->bytes, all, before + count);
	free(all);
}

/* Builds a struct upcrt_unit_record. */
static LLVMValueRef unit_record(struct lowering *lowering)
{
	const struct upc_lower_options *options = lowering->options;
	uint64_t flags = (options->inst ? UPCRT_UNIT_INST : 0) | (options->inst_local ? UPCRT_UNIT_INST_LOCAL : 0) |
			 (options->inst_functions ? UPCRT_UNIT_INST_FUNCTIONS : 0);
	size_t length;
	const char *name = LLVMGetSourceFileName(lowering->module, &length);
	LLVMValueRef start = lowering->start ? lowering->start : LLVMConstNull(lowering->bytes);
	LLVMValueRef fields[] = {int32(lowering, UPCRT_ABI_VERSION), int32(lowering, flags),
		int32(lowering, (uint64_t)options->static_threads), int32(lowering, 0), start,
		upc__file_string(lowering, name)};
	return LLVMConstStructInContext(lowering->context, fields, sizeof fields / sizeof *fields, false);
}

void upc__write_records(struct lowering *lowering)
{
	LLVMValueRef *kept = calloc((size_t)lowering->global_count + 1, sizeof(LLVMValueRef));
	unsigned count = 0;
	if (!kept)
		exit(1);
	for (int i = 0; i < lowering->global_count; i++)
		if (!LLVMIsDeclaration(lowering->globals[i].global))
			kept[count++] = place_record(
				lowering, record_of(lowering, &lowering->globals[i]), UPCRT_SHARED_SECTION);
	kept[count++] = place_record(lowering, unit_record(lowering), UPCRT_UNIT_SECTION);
	keep(lowering, kept, count);
	free(kept);
}

void upc__remove_globals(struct lowering *lowering)
{
	for (int i = 0; i < lowering->global_count; i++) {
		LLVMValueRef global = lowering->globals[i].global;
		LLVMReplaceAllUsesWith(global, LLVMConstNull(LLVMTypeOf(global)));
		LLVMDeleteGlobal(global);
		free(lowering->globals[i].name);
		free(lowering->globals[i].type);
	}
	free(lowering->globals);
}

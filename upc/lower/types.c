/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries about LLVM's types and values, and the basic instructions that the lowering is built from. */
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

bool upc__is_shared(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) >= UPC_SPACE;
}

unsigned upc__block(LLVMTypeRef type)
{
	return LLVMGetPointerAddressSpace(type) - UPC_SPACE;
}

bool upc__is_generic(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == UPC_GENERIC_SPACE;
}

LLVMTypeRef upc__element(LLVMTypeRef type)
{
	while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		type = LLVMGetElementType(type);
	return type;
}

uint64_t upc__size(struct lowering *lowering, LLVMTypeRef type)
{
	return LLVMTypeIsSized(type) ? LLVMABISizeOfType(lowering->layout, type) : 1;
}

/* Divides sizes: LLVMGetArrayLength has 32 bits only. */
uint64_t upc__elements(struct lowering *lowering, LLVMTypeRef type)
{
	uint64_t count = 1;
	while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
		LLVMTypeRef inner = LLVMGetElementType(type);
		uint64_t size = upc__size(lowering, inner);
		count *= size > 0 ? upc__size(lowering, type) / size : LLVMGetArrayLength(type);
		type = inner;
	}
	return count;
}

bool upc__has_threads(uint64_t number)
{
	return number != 0 && number % (uint64_t)UPC_THREADS_FACTOR == 0;
}

LLVMValueRef upc__constant(struct lowering *lowering, int64_t value)
{
	return LLVMConstInt(lowering->i64, (unsigned long long)value, true);
}

LLVMValueRef upc__threads(struct lowering *lowering)
{
	LLVMValueRef variable = LLVMGetNamedGlobal(lowering->module, "THREADS");
	LLVMValueRef value = LLVMBuildLoad2(lowering->builder, lowering->i32, variable, "");
	return LLVMBuildZExt(lowering->builder, value, lowering->i64, "threads");
}

LLVMValueRef upc__number(struct lowering *lowering, uint64_t number)
{
	if (!upc__has_threads(number) || lowering->options->static_threads != 0)
		return upc__constant(lowering, (int64_t)number);
	LLVMValueRef one = upc__constant(lowering, (int64_t)(number / (uint64_t)UPC_THREADS_FACTOR));
	return LLVMBuildMul(lowering->builder, upc__threads(lowering), one, "");
}

LLVMValueRef upc__size_at_run_time(struct lowering *lowering, LLVMValueRef size)
{
	if (LLVMIsAConstantInt(size))
		return upc__number(lowering, LLVMConstIntGetZExtValue(size));
	if (lowering->options->static_threads != 0)
		return size;
	LLVMValueRef factor = upc__constant(lowering, UPC_THREADS_FACTOR);
	LLVMValueRef rest = LLVMBuildURem(lowering->builder, size, factor, "");
	LLVMValueRef one = LLVMBuildUDiv(lowering->builder, size, factor, "");
	LLVMValueRef product = LLVMBuildMul(lowering->builder, upc__threads(lowering), one, "");
	LLVMValueRef has = LLVMBuildICmp(lowering->builder, LLVMIntEQ, rest, upc__constant(lowering, 0), "");
	return LLVMBuildSelect(lowering->builder, has, product, size, "");
}

static size_t slot_of(const struct marks *marks, LLVMValueRef value)
{
	size_t i = ((uintptr_t)value >> 4) * 0x9e3779b97f4a7c15u >> 20;
	for (;; i++)
		if (marks->table[i & (marks->capacity - 1)].value == value ||
			!marks->table[i & (marks->capacity - 1)].value)
			return i & (marks->capacity - 1);
}

static void grow(struct marks *marks)
{
	struct marks old = *marks;
	marks->capacity = old.capacity == 0 ? 1024 : 2 * old.capacity;
	marks->table = calloc(marks->capacity, sizeof *marks->table);
	if (!marks->table)
		exit(1);
	for (size_t i = 0; i < old.capacity; i++)
		if (old.table[i].value)
			marks->table[slot_of(marks, old.table[i].value)] = old.table[i];
	free(old.table);
}

void upc__mark(struct lowering *lowering, LLVMValueRef value, unsigned mark)
{
	struct marks *marks = &lowering->marks;
	if (2 * (marks->used + 1) > marks->capacity)
		grow(marks);
	struct marked *marked = &marks->table[slot_of(marks, value)];
	marks->used += !marked->value;
	marked->value = value;
	marked->marks |= mark;
}

bool upc__is_marked(const struct lowering *lowering, LLVMValueRef value, unsigned mark)
{
	const struct marks *marks = &lowering->marks;
	return marks->capacity > 0 && (marks->table[slot_of(marks, value)].marks & mark) != 0;
}

LLVMValueRef upc__call(struct lowering *lowering, const char *name, LLVMValueRef *arguments, unsigned count)
{
	LLVMValueRef function = LLVMGetNamedFunction(lowering->module, name);
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	LLVMValueRef call = LLVMBuildCall2(lowering->builder, type, function, arguments, count, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	return call;
}

const char *upc__called_name(LLVMValueRef call)
{
	size_t length;
	LLVMValueRef function = LLVMGetCalledValue(call);
	while (LLVMIsAConstantExpr(function))
		function = LLVMGetOperand(function, 0);
	return LLVMIsAFunction(function) ? LLVMGetValueName2(function, &length) : "";
}

bool upc__is_call_of(LLVMValueRef value, const char *prefix)
{
	return LLVMIsACallInst(value) && strncmp(upc__called_name(value), prefix, strlen(prefix)) == 0;
}

void upc__note(
	struct lowering *lowering, LLVMValueRef instruction, const char *kind, LLVMMetadataRef *what, size_t count)
{
	LLVMMetadataRef node = LLVMMDNodeInContext2(lowering->context, what, count);
	LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(lowering->context, kind, (unsigned)strlen(kind)),
		LLVMMetadataAsValue(lowering->context, node));
}

void upc__expect(struct lowering *lowering, LLVMValueRef branch, bool likely)
{
	LLVMMetadataRef weights[] = {LLVMMDStringInContext2(lowering->context, "branch_weights", 14),
		LLVMValueAsMetadata(LLVMConstInt(lowering->i32, likely ? 2000 : 1, false)),
		LLVMValueAsMetadata(LLVMConstInt(lowering->i32, likely ? 1 : 2000, false))};
	upc__note(lowering, branch, "prof", weights, 3);
}

LLVMValueRef upc__as_integer(struct lowering *lowering, LLVMValueRef pointer)
{
	if (LLVMIsAIntToPtrInst(pointer) && LLVMTypeOf(LLVMGetOperand(pointer, 0)) == lowering->i64 &&
		upc__is_marked(lowering, pointer, MARK_OWN))
		return LLVMGetOperand(pointer, 0);
	return LLVMBuildPtrToInt(lowering->builder, pointer, lowering->i64, "");
}

LLVMValueRef upc__as_pointer(struct lowering *lowering, LLVMValueRef integer, LLVMTypeRef type)
{
	LLVMValueRef pointer = LLVMBuildIntToPtr(lowering->builder, integer, type, "");
	if (LLVMIsAInstruction(pointer))
		upc__mark(lowering, pointer, MARK_OWN);
	return pointer;
}

bool upc__is_instrumented(const struct lowering *lowering)
{
	LLVMBasicBlockRef block = LLVMGetInsertBlock(lowering->builder);
	return block && upc__is_marked(lowering, LLVMGetBasicBlockParent(block), MARK_INSTRUMENTED);
}

/*
 * Returns true if POINTER is itself a sum with the same element and block size: then one sum serves both indices, as in
 * a[i][j].
 */
static bool is_sum(LLVMValueRef pointer, const char *function, LLVMValueRef size, LLVMValueRef block)
{
	size_t length;
	LLVMValueRef called = LLVMIsACallInst(pointer) ? LLVMGetCalledValue(pointer) : NULL;
	return called && LLVMIsAFunction(called) && strcmp(LLVMGetValueName2(called, &length), function) == 0 &&
	       LLVMGetArgOperand(pointer, 2) == size && (!block || LLVMGetArgOperand(pointer, 3) == block);
}

LLVMValueRef upc__add(
	struct lowering *lowering, LLVMValueRef pointer, LLVMValueRef index, uint64_t size, unsigned block)
{
	LLVMValueRef bytes = upc__constant(lowering, (int64_t)size);
	bool next = LLVMIsAConstantInt(index) && LLVMConstIntGetSExtValue(index) == 1;
	if (block == 0)
		return LLVMBuildAdd(lowering->builder, pointer, LLVMBuildMul(lowering->builder, index, bytes, ""), "");
	LLVMValueRef blocks = block == 1 ? NULL : upc__constant(lowering, block);
	static const char *const names[2][2] = {
		{"__upci_add_cyclic", "__upci_called_add_cyclic"}, {"__upci_add_blocked", "__upci_called_add_blocked"}};
	const char *add = names[blocks ? 1 : 0][upc__is_instrumented(lowering)];
	if (is_sum(pointer, add, bytes, blocks)) {
		index = LLVMBuildAdd(lowering->builder, LLVMGetArgOperand(pointer, 1), index, "");
		pointer = LLVMGetArgOperand(pointer, 0);
		next = false;
	}
	if (!blocks) {
		LLVMValueRef arguments[] = {pointer, next ? bytes : index, bytes};
		return upc__call(lowering, next ? "__upci_next_cyclic" : add, arguments, next ? 2 : 3);
	}
	LLVMValueRef arguments[] = {pointer, next ? bytes : index, next ? blocks : bytes, blocks};
	return upc__call(lowering, next ? "__upci_next_blocked" : add, arguments, next ? 3 : 4);
}

void upc__unmark(struct lowering *lowering, LLVMValueRef value)
{
	if (lowering->marks.capacity > 0)
		lowering->marks.table[slot_of(&lowering->marks, value)].marks = 0;
}

static const char *position(LLVMValueRef instruction, unsigned *length)
{
	const char *name = LLVMGetDebugLocFilename(instruction, length);
	return !name || *length == 0 ? NULL : name;
}

void upc__refuse_at(struct lowering *lowering, LLVMValueRef instruction, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *message = NULL, *file = NULL;
	if (vasprintf(&message, format, arguments) < 0)
		message = NULL;
	va_end(arguments);
	unsigned length = 0;
	const char *name = position(instruction, &length);
	if (name)
		file = strndup(name, length);
	const char *source = file ? upc__source_name(lowering->options->translation, file) : "<unknown>";
	lowering->options->refuse(lowering->options->context, source, file ? (int)LLVMGetDebugLocLine(instruction) : 0,
		file ? (int)LLVMGetDebugLocColumn(instruction) : 0, message ? message : format);
	free(file);
	free(message);
	lowering->failed = true;
}

LLVMValueRef upc__string(struct lowering *lowering, const char *text)
{
	LLVMValueRef value = LLVMConstStringInContext(lowering->context, text, (unsigned)strlen(text), false);
	LLVMValueRef global = LLVMAddGlobal(lowering->module, LLVMTypeOf(value), ".upc.string");
	LLVMSetInitializer(global, value);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	return global;
}

LLVMValueRef upc__file_string(struct lowering *lowering, const char *text)
{
	for (int i = 0; i < lowering->file_count; i++)
		if (strcmp(lowering->files[i].name, text) == 0)
			return lowering->files[i].string;
	struct file_string *files = realloc(lowering->files, (size_t)(lowering->file_count + 1) * sizeof *files);
	if (!files)
		exit(1);
	lowering->files = files;
	files[lowering->file_count] = (struct file_string){strdup(text), upc__string(lowering, text)};
	return files[lowering->file_count++].string;
}

void upc__position(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef *file, LLVMValueRef *line)
{
	unsigned length = 0;
	const char *name = position(instruction, &length);
	*line = LLVMConstInt(lowering->i32, name ? LLVMGetDebugLocLine(instruction) : 0, false);
	char *ended = name ? strndup(name, length) : NULL;
	const char *source = ended ? upc__source_name(lowering->options->translation, ended) : NULL;
	*file = source ? upc__file_string(lowering, source) : LLVMConstNull(lowering->bytes);
	free(ended);
}

bool upc__within(LLVMValueRef instruction, const struct upc_ranges *ranges)
{
	unsigned length = 0;
	const char *name = ranges->count > 0 ? position(instruction, &length) : NULL;
	char *ended = name ? strndup(name, length) : NULL;
	bool within = ended && upc__range_has(ranges, ended, (int)LLVMGetDebugLocLine(instruction));
	free(ended);
	return within;
}

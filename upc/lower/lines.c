/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces the debug information of second versions of functions (direct_versions.c) to functions and lines. A full copy
 * would describe each type and variable twice, and debuggers would find variables without a location.
 *
 * Before clang's passes no function is inlined, so a line needs no inlined frames.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

struct line {
	LLVMValueRef instruction;
	unsigned line, column;
	char *file; /* NULL: that of the function */
};

/* A function, and those of its instructions that have a line. */
struct function {
	LLVMValueRef value;
	unsigned line;
	char *file, *directory;
	struct line *lines;
	size_t count;
};

struct lines {
	LLVMDIBuilderRef builder;
	struct function *functions;
	size_t count;
};

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);
	if (!memory)
		exit(1);
	return memory;
}

static char *copy_text(const char *text, unsigned length)
{
	char *copy = text ? strndup(text, length) : strdup("");
	if (!copy)
		exit(1);
	return copy;
}

static void read_line(struct function *function, LLVMValueRef instruction)
{
	unsigned length = 0;
	if (!LLVMInstructionGetDebugLoc(instruction) || upc__is_call_of(instruction, "llvm.dbg."))
		return;
	const char *file = LLVMGetDebugLocFilename(instruction, &length);
	bool own = !file || (strlen(function->file) == length && strncmp(file, function->file, length) == 0);
	function->lines[function->count++] = (struct line){instruction, LLVMGetDebugLocLine(instruction),
		LLVMGetDebugLocColumn(instruction), own ? NULL : copy_text(file, length)};
}

static void read_function(struct function *function, LLVMValueRef value)
{
	size_t count = 0;
	unsigned length = 0;
	function->value = value;
	function->line = LLVMGetDebugLocLine(value);
	const char *file = LLVMGetDebugLocFilename(value, &length);
	function->file = copy_text(file, length);
	const char *directory = LLVMGetDebugLocDirectory(value, &length);
	function->directory = copy_text(directory, length);
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(value); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
			count++;
	function->lines = allocate(count, sizeof *function->lines);
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(value); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
			read_line(function, at);
}

static LLVMMetadataRef file_of(const struct lines *lines, const char *name, const char *directory)
{
	return LLVMDIBuilderCreateFile(lines->builder, name, strlen(name), directory, strlen(directory));
}

static void write_function(struct lowering *lowering, const struct lines *lines, const struct function *function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function->value, &length);
	size_t shown = strlen(name);
	const char *end = strstr(name, ".checked");
	if (end)
		shown = (size_t)(end - name);
	LLVMMetadataRef file = file_of(lines, function->file, function->directory);
	LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(lines->builder, file, NULL, 0, LLVMDIFlagZero);
	LLVMMetadataRef subprogram = LLVMDIBuilderCreateFunction(lines->builder, file, name, shown, "", 0, file,
		function->line, type, true, true, function->line, LLVMDIFlagZero, true);
	LLVMSetSubprogram(function->value, subprogram);
	for (size_t i = 0; i < function->count; i++) {
		const struct line *line = &function->lines[i];
		LLVMMetadataRef scope = subprogram;
		if (line->file)
			scope = LLVMDIBuilderCreateLexicalBlockFile(
				lines->builder, subprogram, file_of(lines, line->file, function->directory), 0);
		LLVMInstructionSetDebugLoc(line->instruction,
			LLVMDIBuilderCreateDebugLocation(lowering->context, line->line, line->column, scope, NULL));
	}
}

static void write_lines(struct lowering *lowering, LLVMModuleRef module, struct lines *lines)
{
	static const char producer[] = "clang (UPC, checked versions)";
	lines->builder = LLVMCreateDIBuilder(module);
	LLVMMetadataRef file = file_of(lines, lines->functions[0].file, lines->functions[0].directory);
	LLVMDIBuilderCreateCompileUnit(lines->builder, LLVMDWARFSourceLanguageC99, file, producer, sizeof producer - 1,
		true, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, true, false, "", 0, "", 0);
	for (size_t i = 0; i < lines->count; i++)
		write_function(lowering, lines, &lines->functions[i]);
	LLVMDIBuilderFinalize(lines->builder);
	LLVMDisposeDIBuilder(lines->builder);
}

static void release(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		for (size_t j = 0; j < lines->functions[i].count; j++)
			free(lines->functions[i].lines[j].file);
		free(lines->functions[i].lines);
		free(lines->functions[i].file);
		free(lines->functions[i].directory);
	}
	free(lines->functions);
}

void upc__keep_lines(struct lowering *lowering, LLVMModuleRef module)
{
	size_t count = 0;
	struct lines lines = {0};
	for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
		count++;
	lines.functions = allocate(count, sizeof *lines.functions);
	for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
		if (!LLVMIsDeclaration(at) && LLVMGetSubprogram(at))
			read_function(&lines.functions[lines.count++], at);
	LLVMStripModuleDebugInfo(module);
	if (lines.count > 0)
		write_lines(lowering, module, &lines);
	release(&lines);
}

/* Returns true for a call of the program. Its return address shows, by the column, which of a line's calls it is. */
static bool is_user_call(LLVMValueRef instruction)
{
	size_t length;
	LLVMValueRef called = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	return called && LLVMIsAFunction(called) && !LLVMGetIntrinsicID(called) &&
	       strncmp(LLVMGetValueName2(called, &length), "__upc", 5) != 0;
}

void upc__drop_column(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
	if (place && LLVMDILocationGetColumn(place) != 0 && !is_user_call(instruction))
		LLVMInstructionSetDebugLoc(
			instruction, LLVMDIBuilderCreateDebugLocation(lowering->context, LLVMDILocationGetLine(place),
					     0, LLVMDILocationGetScope(place), LLVMDILocationGetInlinedAt(place)));
}

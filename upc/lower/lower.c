/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the lowering steps; reads and writes bitcode. */
#include "upc/lower/lower.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"
#include "upc/translate/tokens.h"

#define INLINED "__upci_"

/* A call costs about as much as this number of instructions. */
#define MOST_INLINE 6

/* Replaces constants that contain addresses of shared variables, in the instructions that use them. */
static void materialize_operands(struct lowering *lowering, LLVMValueRef instruction)
{
	bool phi = LLVMIsAPHINode(instruction);
	int count = LLVMGetNumOperands(instruction);
	for (int i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		if (!operand || !LLVMIsAConstant(operand) || !upc__mentions_shared(operand))
			continue;
		LLVMValueRef before = instruction;
		if (phi)
			before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, (unsigned)i));
		upc__before(lowering, before);
		lowering->at = instruction;
		LLVMSetOperand(instruction, (unsigned)i, upc__materialize(lowering, operand));
	}
}

static void lower_instruction(struct lowering *lowering, LLVMValueRef instruction)
{
	upc__before(lowering, instruction);
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMGetElementPtr:
		upc__lower_element(lowering, instruction);
		break;
	case LLVMLoad:
		upc__lower_load(lowering, instruction);
		break;
	case LLVMStore:
		upc__lower_store(lowering, instruction);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		upc__lower_atomic(lowering, instruction);
		break;
	case LLVMAddrSpaceCast:
	case LLVMIntToPtr:
		upc__lower_cast(lowering, instruction);
		break;
	case LLVMICmp:
		upc__lower_comparison(lowering, instruction);
		break;
	case LLVMCall:
		upc__lower_call(lowering, instruction);
		break;
	default:
		break;
	}
}

static bool is_inlined(LLVMValueRef function)
{
	size_t length;
	return strncmp(LLVMGetValueName2(function, &length), INLINED, strlen(INLINED)) == 0;
}

static void for_each_instruction_of(
	struct lowering *lowering, LLVMModuleRef module, void (*visit)(struct lowering *, LLVMValueRef))
{
	for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
		if (is_inlined(function))
			continue;
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
			block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
				next = LLVMGetNextInstruction(at);
				visit(lowering, at);
			}
	}
}

static void for_each_instruction(struct lowering *lowering, void (*visit)(struct lowering *, LLVMValueRef))
{
	for_each_instruction_of(lowering, lowering->module, visit);
}

/* Returns true if nothing uses the result of INSTRUCTION, which has no other effect. */
static bool is_unused(LLVMValueRef instruction)
{
	static const char *const sums[] = {"__upci_add_", "__upci_called_add_"};
	if (LLVMGetFirstUse(instruction))
		return false;
	if (!LLVMIsACallInst(instruction))
		return LLVMIsACastInst(instruction) || LLVMIsABinaryOperator(instruction) ||
		       (LLVMIsALoadInst(instruction) && !LLVMGetVolatile(instruction) &&
			       LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic);
	size_t length;
	LLVMValueRef called = LLVMGetCalledValue(instruction);
	const char *name = LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
	return strncmp(name, sums[0], strlen(sums[0])) == 0 || strncmp(name, sums[1], strlen(sums[1])) == 0;
}

/* Removes unused pointers of elements found by their block: otherwise their computation would be inlined first. */
static void remove_unused_pointers(struct lowering *lowering)
{
	for (LLVMValueRef function = LLVMGetFirstFunction(lowering->module); function;
		function = LLVMGetNextFunction(function)) {
		if (is_inlined(function))
			continue;
		for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function); block;
			block = LLVMGetPreviousBasicBlock(block))
			for (LLVMValueRef at = LLVMGetLastInstruction(block), previous; at; at = previous) {
				previous = LLVMGetPreviousInstruction(at);
				if (is_unused(at))
					upc__erase(lowering, at);
			}
	}
}

static bool read_bitcode(LLVMContextRef context, LLVMMemoryBufferRef buffer, LLVMModuleRef *module)
{
	bool failed = LLVMParseBitcodeInContext2(context, buffer, module) != 0;
	LLVMDisposeMemoryBuffer(buffer);
	return !failed;
}

/*
 * Makes THREADS and MYTHREAD ordinary variables: as declared (translate.c), clang reads them by an intrinsic function.
 */
static void make_usual(LLVMModuleRef module)
{
	static const char *const names[] = {"MYTHREAD", "THREADS"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		LLVMValueRef global = LLVMGetNamedGlobal(module, names[i]);
		if (global)
			LLVMSetThreadLocal(global, false);
		for (LLVMUseRef use = global ? LLVMGetFirstUse(global) : NULL; use;) {
			LLVMValueRef call = LLVMGetUser(use);
			use = LLVMGetNextUse(use);
			if (!upc__is_call_of(call, "llvm.threadlocal.address"))
				continue;
			LLVMReplaceAllUsesWith(call, global);
			LLVMInstructionEraseFromParent(call);
			use = LLVMGetFirstUse(global); /* uses were added */
		}
	}
}

/* read_file prints messages: without a handler, LLVM would print them and end the process. */
static void ignore_diagnostic(LLVMDiagnosticInfoRef diagnostic, void *context)
{
	(void)diagnostic;
	(void)context;
}

/* The first file that the text names, for messages. */
static const char *source_of(const struct tokens *tokens)
{
	for (int i = 0; i < tokens->file_count; i++)
		if (tokens->files[i][0] != '\0' && tokens->files[i][0] != '<')
			return tokens->files[i];
	return "<unknown>";
}

static LLVMModuleRef read_file(LLVMContextRef context, const char *input, const struct upc_lower_options *options)
{
	char *message = NULL;
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	if (LLVMCreateMemoryBufferWithContentsOfFile(input, &buffer, &message)) {
		fprintf(stderr, "heddle-upcc1: cannot read %s: %s\n", input, message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	LLVMContextSetDiagnosticHandler(context, ignore_diagnostic, NULL);
	bool read = read_bitcode(context, buffer, &module);
	LLVMContextSetDiagnosticHandler(context, NULL, NULL);
	if (read) {
		make_usual(module);
		return module;
	}
	/* clang generates such code for a shared variable that a task of OpenMP copies. */
	fprintf(stderr, "heddle-upcc1: error: %s: clang cannot compile a use of shared memory%s\n",
		source_of(options->translation->tokens),
		"; does a clause of OpenMP copy a shared variable? Copy it to a private one first");
	return NULL;
}

static void set_constant(struct lowering *lowering, const char *name, LLVMTypeRef type, uint64_t value)
{
	LLVMValueRef global = LLVMGetNamedGlobal(lowering->module, name);
	if (!global)
		global = LLVMAddGlobal(lowering->module, type, name);
	LLVMSetInitializer(global, LLVMConstInt(type, value, false));
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMInternalLinkage);
}

/*
 * Gives all functions of inline.c the prefix by which tools recognize the compiler's functions
 * (models/upc/upc_model.c): functions that are not inlined appear below the user's code in call paths.
 */
static void name_inlined(LLVMModuleRef inlined)
{
	for (LLVMValueRef function = LLVMGetFirstFunction(inlined); function;
		function = LLVMGetNextFunction(function)) {
		size_t length;
		char *name = NULL;
		if (LLVMIsDeclaration(function) || is_inlined(function))
			continue;
		if (asprintf(&name, INLINED "%s", LLVMGetValueName2(function, &length)) < 0)
			exit(1);
		LLVMSetValueName2(function, name, strlen(name));
		free(name);
	}
}

/* Returns true if the function only computes, and has more instructions than a call costs. */
static bool is_worth_a_call(LLVMValueRef function)
{
	int count = 0;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at), count++)
			if (LLVMIsACallInst(at) && !upc__is_call_of(at, "llvm."))
				return false;
	return count > MOST_INLINE;
}

/*
 * Without optimization, inlined copies would take longer to compile and be slower than calls. Functions that call the
 * runtime stay inlined: they pass their return address, which must be in a function of the program.
 */
static void keep_calls(struct lowering *lowering, LLVMValueRef function)
{
	LLVMAttributeIndex index = LLVMAttributeFunctionIndex;
	if (!is_worth_a_call(function))
		return;
	LLVMRemoveEnumAttributeAtIndex(function, index, LLVMGetEnumAttributeKindForName("alwaysinline", 12));
	LLVMAddAttributeAtIndex(function, index,
		LLVMCreateEnumAttribute(lowering->context, LLVMGetEnumAttributeKindForName("noinline", 8), 0));
}

/* Removes the unused functions of inline.c: without optimization, they would be compiled. */
static void remove_unused(struct lowering *lowering)
{
	bool removed = true;
	while (removed) {
		removed = false;
		for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module), next; at; at = next) {
			next = LLVMGetNextFunction(at);
			if (!is_inlined(at) || LLVMGetFirstUse(at))
				continue;
			LLVMDeleteFunction(at);
			removed = true;
		}
	}
}

/* Links the functions of inline.c into the module. Their target attributes must fit any processor. */
static bool add_inlined(struct lowering *lowering)
{
	const struct upc_lower_options *options = lowering->options;
	LLVMMemoryBufferRef buffer =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(options->inlined, options->inlined_size, "inline");
	LLVMModuleRef inlined;
	if (!read_bitcode(lowering->context, buffer, &inlined))
		return false;
	name_inlined(inlined);
	if (LLVMLinkModules2(lowering->module, inlined) != 0)
		return false;
	for (LLVMValueRef function = LLVMGetFirstFunction(lowering->module); function;
		function = LLVMGetNextFunction(function)) {
		if (!is_inlined(function) || LLVMIsDeclaration(function))
			continue;
		LLVMSetLinkage(function, LLVMInternalLinkage);
		static const char *const features[] = {"target-cpu", "target-features", "tune-cpu"};
		for (size_t i = 0; i < sizeof features / sizeof *features; i++)
			LLVMRemoveStringAttributeAtIndex(
				function, LLVMAttributeFunctionIndex, features[i], (unsigned)strlen(features[i]));
		if (!options->optimize)
			keep_calls(lowering, function);
	}
	uint64_t threads = (uint64_t)options->static_threads;
	set_constant(lowering, "__upci_static", lowering->i32, threads != 0);
	if (threads != 0)
		set_constant(lowering, "THREADS", lowering->i32, threads);
	else if (!LLVMGetNamedGlobal(lowering->module, "THREADS"))
		LLVMSetGlobalConstant(LLVMAddGlobal(lowering->module, lowering->i32, "THREADS"), true);
	return true;
}

/* The environment, which C libraries pass to main as a third argument. */
static LLVMValueRef build_environment(struct lowering *lowering, LLVMTypeRef type)
{
	static const char name[] = "__environ"; /* reserved: programs may use environ for something else */
	LLVMValueRef variable = LLVMGetNamedGlobal(lowering->module, name);
	if (!variable)
		variable = LLVMAddGlobal(lowering->module, type, name);
	return LLVMBuildLoad2(lowering->builder, type, variable, "");
}

/*
 * The runtime defines the C main. The user's main stays as a local symbol, so that tools still show it as main; the
 * runtime calls it through a wrapper of another name.
 */
static void rename_main(struct lowering *lowering)
{
	LLVMValueRef function = LLVMGetNamedFunction(lowering->module, "main");
	if (!function || LLVMIsDeclaration(function))
		return;
	LLVMSetLinkage(function, LLVMInternalLinkage);
	LLVMTypeRef own = LLVMGlobalGetValueType(function);
	LLVMTypeRef pointers = lowering->bytes;
	LLVMTypeRef parameters[] = {lowering->i32, pointers, pointers};
	LLVMTypeRef type = LLVMFunctionType(lowering->i32, parameters, 2, false);
	LLVMValueRef entry = LLVMAddFunction(lowering->module, "__upcrt_user_main", type);
	upc__make_unwindable(lowering, entry);
	LLVMPositionBuilderAtEnd(lowering->builder, LLVMAppendBasicBlockInContext(lowering->context, entry, ""));
	LLVMSetCurrentDebugLocation2(lowering->builder, NULL);
	LLVMValueRef arguments[] = {LLVMGetParam(entry, 0), LLVMGetParam(entry, 1), NULL};
	unsigned count = LLVMCountParams(function) > 2 ? 3 : 2;
	if (count > 2)
		arguments[2] = build_environment(lowering, pointers);
	LLVMTypeRef called = LLVMFunctionType(lowering->i32, parameters, count, false);
	LLVMValueRef chooser = LLVMGetNamedFunction(lowering->module, "main.entry"); /* entry.c */
	LLVMValueRef any = chooser ? chooser : function;
	bool returns = LLVMGetReturnType(own) == lowering->i32;
	LLVMValueRef result = LLVMBuildCall2(lowering->builder, called, any, arguments, count, "");
	LLVMSetTailCall(result, true);
	LLVMBuildRet(lowering->builder, returns ? result : LLVMConstInt(lowering->i32, 0, false));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(lowering->context, LLVMGetEnumAttributeKindForName("noinline", 8), 0));
}

static int finish(struct lowering *lowering, const char *output)
{
	char *message = NULL;
	if (!lowering->options->keep_debug)
		LLVMStripModuleDebugInfo(lowering->module);
	else if (lowering->options->optimize)
		for_each_instruction(lowering, upc__drop_column);
	if (LLVMVerifyModule(lowering->module, LLVMReturnStatusAction, &message)) {
		fprintf(stderr, "heddle-upcc1: internal error: %s\n", message);
		LLVMDisposeMessage(message);
		return 1;
	}
	LLVMDisposeMessage(message);
	if (LLVMWriteBitcodeToFile(lowering->module, output) != 0) {
		fprintf(stderr, "heddle-upcc1: cannot write %s\n", output);
		return 1;
	}
	return 0;
}

static bool has_returns_twice(LLVMModuleRef module)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
	for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
		if (LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind))
			return true;
	return false;
}

static int lower_module(struct lowering *lowering, LLVMModuleRef copy, const char *output)
{
	LLVMModuleRef modules[] = {lowering->module, copy};
	for (int i = 0; i < 2 && modules[i]; i++) {
		for_each_instruction_of(lowering, modules[i], upc__show_steps);
		for_each_instruction_of(lowering, modules[i], upc__remove_index_mark);
	}
	upc__check_aliases(lowering);
	for_each_instruction(lowering, upc__check);
	if (lowering->options->inst)
		for_each_instruction(lowering, upc__note_line_call);
	if (copy && !upc__make_direct_versions(lowering, copy)) {
		fputs("heddle-upcc1: internal error: cannot make the direct versions of functions\n", stderr);
		return 1;
	}
	if (!add_inlined(lowering)) {
		fputs("heddle-upcc1: internal error: cannot add the inlined functions\n", stderr);
		return 1;
	}
	lowering->returns_twice = has_returns_twice(lowering->module);
	upc__collect_globals(lowering);
	upc__write_records(lowering);
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at))
		upc__keep_last_calls(lowering, at);
	upc__deal_iterations(lowering);
	if (lowering->options->optimize)
		upc__test_before_loops(lowering);
	for_each_instruction(lowering, materialize_operands);
	for_each_instruction(lowering, lower_instruction);
	if (!lowering->failed) {
		for_each_instruction(lowering, upc__check_lowered);
		upc__check_lowered_globals(lowering);
	}
	upc__remove_globals(lowering);
	if (lowering->options->inst_functions)
		upc__instrument_functions(lowering);
	rename_main(lowering);
	if (lowering->options->optimize)
		remove_unused_pointers(lowering);
	else
		remove_unused(lowering);
	return lowering->failed ? 1 : finish(lowering, output);
}

int upc__lower(const char *input, const char *output, const struct upc_lower_options *options)
{
	struct lowering lowering = {.options = options, .context = LLVMContextCreate()};
	bool two_versions = options->optimize; /* debugging is simpler with one */
	lowering.module = read_file(lowering.context, input, options);
	LLVMModuleRef copy = two_versions && lowering.module ? read_file(lowering.context, input, options) : NULL;
	if (!lowering.module || (two_versions && !copy))
		return 1;
	lowering.layout = LLVMGetModuleDataLayout(lowering.module);
	lowering.builder = LLVMCreateBuilderInContext(lowering.context);
	lowering.i8 = LLVMInt8TypeInContext(lowering.context);
	lowering.i32 = LLVMInt32TypeInContext(lowering.context);
	lowering.i64 = LLVMInt64TypeInContext(lowering.context);
	lowering.bytes = LLVMPointerType(lowering.i8, 0);
	int status = lower_module(&lowering, copy, output);
	for (int i = 0; i < lowering.file_count; i++)
		free(lowering.files[i].name);
	free(lowering.files);
	upc__free_line_calls(&lowering);
	free(lowering.dealt);
	free(lowering.marks.table);
	LLVMDisposeBuilder(lowering.builder);
	LLVMDisposeModule(lowering.module);
	LLVMContextDispose(lowering.context);
	return status;
}

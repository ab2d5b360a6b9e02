/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lowers calls: those that the translator put in place of UPC statements and operators, and those of the UPC library.
 */
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "upc/lower/lowering.h"

static LLVMValueRef runtime(struct lowering *lowering, const char *name, LLVMValueRef *arguments, unsigned count)
{
	LLVMTypeRef types[4];
	for (unsigned i = 0; i < count; i++)
		types[i] = LLVMTypeOf(arguments[i]);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(lowering->context), types, count, false);
	LLVMValueRef function = LLVMGetNamedFunction(lowering->module, name);
	if (!function)
		function = LLVMAddFunction(lowering->module, name, type);
	return LLVMBuildCall2(lowering->builder, type, function, arguments, count, "");
}

/* upc_barrier, upc_notify, upc_wait. */
static void lower_statement(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	char function[32], event[32] = "GASP_UPC_";
	snprintf(function, sizeof function, "__upcrt_%s", name);
	size_t at = strlen(event);
	for (; *name != '\0' && at + 1 < sizeof event; name++)
		event[at++] = (char)toupper((unsigned char)*name);
	event[at] = '\0';
	upc__mark_site(lowering, call, event);
	if (LLVMGetNumArgOperands(call) == 0) {
		runtime(lowering, function, NULL, 0);
	} else {
		LLVMValueRef arguments[4] = {LLVMGetArgOperand(call, 0), LLVMGetArgOperand(call, 1)};
		upc__position(lowering, call, &arguments[2], &arguments[3]);
		runtime(lowering, function, arguments, 4);
	}
	upc__erase(lowering, call);
}

/* The typing pass adds whether the affinity is unsigned: LLVM types have no signedness. */
static void lower_affinity(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	(void)name;
	LLVMValueRef value = LLVMGetArgOperand(call, 0);
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef answer;
	if (upc__is_shared(type) || upc__is_generic(type)) {
		value = upc__as_integer(lowering, value);
		answer = upc__call(lowering, "__upci_affinity_pointer", &value, 1);
	} else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) {
		bool is_unsigned = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 1));
		if (type != lowering->i64)
			value = is_unsigned ? LLVMBuildZExt(lowering->builder, value, lowering->i64, "")
					    : LLVMBuildSExt(lowering->builder, value, lowering->i64, "");
		answer = upc__call(lowering,
			LLVMGetIntTypeWidth(type) <= 32 ? "__upci_affinity_small"
			: is_unsigned                   ? "__upci_affinity_unsigned"
							: "__upci_affinity_signed",
			&value, 1);
	} else {
		upc__refuse_at(
			lowering, call, "the affinity of 'upc_forall' must be an integer or a pointer-to-shared");
		answer = LLVMConstInt(lowering->i32, 0, false);
	}
	upc__replace(lowering, call, answer);
}

static void report_forall(struct lowering *lowering, LLVMValueRef call, const char *function)
{
	if (!upc__wants_event(lowering, call, "GASP_UPC_FORALL"))
		return;
	LLVMValueRef arguments[2];
	upc__position(lowering, call, &arguments[0], &arguments[1]);
	upc__call(lowering, function, arguments, 2);
}

/* NAME is affinity_enter, affinity_leave, every_enter or every_leave. */
static void lower_forall(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	bool counts = strncmp(name, "affinity", 8) == 0;
	if (strstr(name, "enter")) {
		report_forall(lowering, call, "__upci_forall_start");
		LLVMValueRef depth = counts ? upc__call(lowering, "__upci_forall_enter", NULL, 0)
					    : LLVMConstInt(lowering->i32, 0, false);
		upc__replace(lowering, call, depth);
		return;
	}
	if (counts)
		upc__call(lowering, "__upci_forall_leave", NULL, 0);
	report_forall(lowering, call, "__upci_forall_end");
	upc__erase(lowering, call);
}

/* The arguments of a upc_localsizeof whose result is not constant: the typing pass adds them after a null pointer. */
enum sizeof_argument {
	SIZEOF_ELEMENT = 1,
	SIZEOF_COUNT = 2,
	SIZEOF_WHOLE = 3, /* the size of an array of variable length */
};

static void lower_localsizeof(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	(void)name;
	unsigned block = upc__block(LLVMTypeOf(LLVMGetArgOperand(call, 0)));
	uint64_t count = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, SIZEOF_COUNT));
	bool dynamic = lowering->options->static_threads == 0, factor = dynamic && upc__has_threads(count);
	/* An array without THREADS in its bounds may belong to one thread: the result is an upper bound. */
	bool per_thread = factor || (dynamic && block != 0);
	LLVMValueRef element = LLVMGetArgOperand(call, SIZEOF_ELEMENT);
	LLVMValueRef elements =
		upc__constant(lowering, (int64_t)(factor ? count / (uint64_t)UPC_THREADS_FACTOR : count));
	LLVMValueRef whole = LLVMGetNumArgOperands(call) > SIZEOF_WHOLE ? LLVMGetArgOperand(call, SIZEOF_WHOLE) : NULL;
	if (whole && !LLVMIsAConstantInt(whole) && !LLVMIsNull(element)) {
		per_thread = false;
		elements = LLVMBuildUDiv(lowering->builder, upc__size_at_run_time(lowering, whole), element, "");
	}
	LLVMValueRef arguments[] = {elements, element, upc__constant(lowering, block),
		LLVMConstInt(LLVMInt1TypeInContext(lowering->context), per_thread, false)};
	upc__replace(lowering, call, upc__call(lowering, "__upci_localsizeof", arguments, 4));
}

/* A sizeof whose result may contain the factor for THREADS. */
static void lower_size(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	(void)name;
	upc__replace(lowering, call, upc__size_at_run_time(lowering, LLVMGetArgOperand(call, 0)));
}

/* upc_memget -> GASP_UPC_MEMGET, upc_all_reduceI -> GASP_UPC_ALL_REDUCE */
static void library_event(const char *name, char *event, size_t size)
{
	size_t length = strlen(name);
	const char *reduce = strstr(name, "reduce");
	if (reduce)
		length = (size_t)(reduce - name) + strlen("reduce");
	snprintf(event, size, "GASP_%.*s", (int)length, name);
	for (char *c = event; *c != '\0'; c++)
		*c = (char)toupper((unsigned char)*c);
}

static const struct {
	const char *prefix; /* of the function's name; the handler gets the rest */
	void (*lower)(struct lowering *, LLVMValueRef, const char *);
} handlers[] = {
	{"__upc_forall_", lower_forall},
	{"__upc_affinity", lower_affinity},
	{"__upc_size", lower_size},
	{"__upc_difference", upc__lower_difference},
	{"__upc_order", upc__lower_difference},
	{"__upc_localsizeof", lower_localsizeof},
	{"__upc_barrier", lower_statement},
	{"__upc_notify", lower_statement},
	{"__upc_wait", lower_statement},
	{"__upc_fence", lower_statement},
};

/* Returns true if a function only computes a result from its arguments, so that its call can be moved. */
static bool only_computes(LLVMValueRef function)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("readnone", 8);
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

/*
 * Keeps the call of a library function from becoming a jump: messages of that function name the line of its return
 * address. The inline assembly after the call is empty.
 */
static void keep_call(struct lowering *lowering, LLVMValueRef call)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(lowering->context), NULL, 0, false);
	LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
	upc__before(lowering, LLVMGetNextInstruction(call));
	if (place)
		LLVMSetCurrentDebugLocation2(lowering->builder, place);
	LLVMBuildCall2(lowering->builder, type, nothing, NULL, 0, "");
}

void upc__lower_call(struct lowering *lowering, LLVMValueRef call)
{
	LLVMValueRef function = LLVMGetCalledValue(call);
	while (LLVMIsAConstantExpr(function) && LLVMGetConstOpcode(function) == LLVMBitCast)
		function = LLVMGetOperand(function, 0);
	if (!LLVMIsAFunction(function))
		return;
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	if (upc__lower_memory(lowering, call, name))
		return;
	if (strncmp(name, "llvm.ptr.annotation.", 20) == 0 && upc__is_shared(LLVMTypeOf(call))) {
		upc__replace(lowering, call, LLVMGetArgOperand(call, 0));
		return;
	}
	for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
		size_t prefix = strlen(handlers[i].prefix);
		if (strncmp(name, handlers[i].prefix, prefix) == 0) {
			/* A handler gets the name after __upc_ or, for upc_forall, after its own prefix. */
			handlers[i].lower(lowering, call, i == 0 ? name + prefix : name + strlen("__upc_"));
			return;
		}
	}
	/* A function that allocates for its caller: reports name the variable that its result is assigned to. */
	if (upc__is_generic(LLVMTypeOf(call)) && !LLVMIsTailCall(call) && strncmp(name, "upc_", 4) != 0 && *name != '_')
		keep_call(lowering, call);
	bool library = strncmp(name, "upc_", 4) == 0 || strncmp(name, "pupc_", 5) == 0;
	if (!library || !LLVMIsDeclaration(function))
		return;
	char event[80];
	library_event(name, event, sizeof event);
	upc__mark_site(lowering, call, event);
	if (!only_computes(function) && !LLVMIsTailCall(call))
		keep_call(lowering, call);
}

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

/* The kind of an affinity expression, which the translator passes: LLVM types have no signedness. */
enum affinity_kind {
	AFFINITY_SIGNED,
	AFFINITY_UNSIGNED = 1,
	AFFINITY_SMALL = 2, /* of 32 bits or less; set by the lowering */
};

static void lower_affinity(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	(void)name;
	LLVMValueRef value = LLVMGetArgOperand(call, 0), kind = LLVMGetArgOperand(call, 1);
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef answer;
	unsigned long long kind_number = LLVMConstIntGetZExtValue(kind);
	if (upc__is_shared(type) || upc__is_generic(type)) {
		value = upc__as_integer(lowering, value);
		answer = upc__call(lowering, "__upci_affinity_pointer", &value, 1);
	} else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) {
		bool small = LLVMGetIntTypeWidth(type) <= 32;
		if (type != lowering->i64)
			value = kind_number == AFFINITY_SIGNED
					? LLVMBuildSExt(lowering->builder, value, lowering->i64, "")
					: LLVMBuildZExt(lowering->builder, value, lowering->i64, "");
		kind_number = small ? AFFINITY_SMALL : kind_number;
		static const char *const names[] = {[AFFINITY_SIGNED] = "__upci_affinity_signed",
			[AFFINITY_UNSIGNED] = "__upci_affinity_unsigned",
			[AFFINITY_SMALL] = "__upci_affinity_small"};
		answer = upc__call(lowering, names[kind_number & 3] ? names[kind_number & 3] : names[0], &value, 1);
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

/* The operand's type, taken from the null pointer to it in the call; NULL: not shared. */
static LLVMTypeRef operand_type(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, 0));
	if (upc__is_shared(type))
		return type;
	upc__refuse_at(lowering, call, "the operand of 'upc_%s' must be shared", name);
	upc__replace(lowering, call, upc__constant(lowering, 0));
	return NULL;
}

/* The typing pass adds these arguments behind the null pointer. */
enum sizeof_argument {
	SIZEOF_ELEMENT = 1, /* -1: of an incomplete type */
	SIZEOF_COUNT = 2,
	SIZEOF_WHOLE = 3, /* the size of an array of variable length */
};

static int64_t number_of(LLVMValueRef call, enum sizeof_argument argument)
{
	return (int64_t)LLVMConstIntGetSExtValue(LLVMGetArgOperand(call, argument));
}

/* upc_localsizeof. */
static LLVMValueRef local_size(struct lowering *lowering, LLVMValueRef call, unsigned block)
{
	uint64_t count = (uint64_t)number_of(call, SIZEOF_COUNT);
	bool dynamic = lowering->options->static_threads == 0, factor = dynamic && upc__has_threads(count);
	/* Without THREADS in its bounds, an array may be one thread's alone: the result is an upper bound. */
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
	return upc__call(lowering, "__upci_localsizeof", arguments, 4);
}

/* A member has block size 0, whatever the block size of its structure. */
static void lower_sizeof(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	char operator[16];
	snprintf(operator, sizeof operator, "%.*s", (int)strcspn(name, "_"), name);
	LLVMTypeRef type = operand_type(lowering, call, operator);
	if (!type)
		return;
	bool member = strchr(name, '_');
	unsigned block = member ? 0 : upc__block(type);
	if (*name != 'b' && number_of(call, SIZEOF_ELEMENT) < 0)
		upc__refuse_at(lowering, call, "the operand of 'upc_%s' has an incomplete type", operator);
	LLVMValueRef answer;
	if (*name == 'b')
		answer = upc__constant(lowering, block);
	else if (*name == 'e')
		answer = LLVMGetArgOperand(call, SIZEOF_ELEMENT);
	else
		answer = local_size(lowering, call, block);
	upc__replace(lowering, call, answer);
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
	{"__upc_blocksizeof", lower_sizeof},
	{"__upc_elemsizeof", lower_sizeof},
	{"__upc_localsizeof", lower_sizeof},
	{"__upc_barrier", lower_statement},
	{"__upc_notify", lower_statement},
	{"__upc_wait", lower_statement},
	{"__upc_fence", lower_statement},
};

/* Whether a function computes something from its arguments alone, and can be moved. */
static bool only_computes(LLVMValueRef function)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("readnone", 8);
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

/*
 * Keeps the call of a library function from becoming a jump: its messages name the line that the return address has.
 * What follows the call is no instruction.
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
	/* A function that allocates for its caller: reports name what its result is assigned to. */
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

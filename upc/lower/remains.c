/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last check: nothing uses an address in a UPC address space any more. The back end would treat it as an address of
 * private memory. Pointers-to-shared remain as 64-bit values: in variables, arguments, results, and where the program
 * chooses between them.
 */
#include <string.h>

#include "upc/lower/lowering.h"

#define INSTEAD "copy the object to a private variable first"
#define UNKNOWN "this use of shared memory is not supported; " INSTEAD

static bool is_shared(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	return upc__is_shared(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
}

/* Returns true if a constant contains the address of a shared variable. */
static bool has_address(LLVMValueRef constant)
{
	if (LLVMIsAGlobalValue(constant))
		return is_shared(constant);
	if (!LLVMIsAConstant(constant) || LLVMIsABlockAddress(constant))
		return false;
	int count = LLVMGetNumOperands(constant);
	for (int i = 0; i < count; i++)
		if (has_address(LLVMGetOperand(constant, (unsigned)i)))
			return true;
	return false;
}

/* Returns true if a call's argument is memory, not a value. */
static bool is_memory(LLVMValueRef call, unsigned argument)
{
	static const char *const kinds[] = {"byref", "byval", "elementtype", "inalloca", "preallocated", "sret"};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (LLVMGetCallSiteEnumAttribute(
			    call, argument + 1, LLVMGetEnumAttributeKindForName(kinds[i], strlen(kinds[i]))))
			return true;
	return false;
}

/* Returns true if an intrinsic function, which becomes code, not a call, uses only the values of its arguments. */
static bool takes_values(const char *name)
{
	static const char *const prefixes[] = {"llvm.assume", "llvm.dbg.", "llvm.fake.use", "llvm.is.constant."};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return strncmp(name, "llvm.", 5) != 0;
}

/* What a call does with shared memory; NULL: it passes pointers-to-shared as values. */
static const char *use_in_call(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef argument = LLVMGetArgOperand(call, i);
		if (!is_shared(argument))
			continue;
		if (is_memory(call, i))
			return LLVMIsAInlineAsm(LLVMGetCalledValue(call))
				       ? "a memory operand of 'asm' cannot be shared; " INSTEAD
				       : "a shared object cannot be passed by value here; " INSTEAD;
		if (!takes_values(upc__called_name(call)))
			return "this built-in function cannot be used on shared memory; " INSTEAD;
	}
	return NULL;
}

/* The operand that is an address; -1: none. */
static int address_operand(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAtomicCmpXchg:
	case LLVMAtomicRMW:
	case LLVMGetElementPtr:
	case LLVMLoad:
	case LLVMVAArg:
		return 0;
	case LLVMStore:
		return 1;
	default:
		return -1;
	}
}

/* What INSTRUCTION does with a shared address, as a message; NULL: nothing. */
static const char *use_of(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	int address = address_operand(opcode);
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		if (operand && (has_address(operand) || (i == address && is_shared(operand))))
			return UNKNOWN;
	}
	switch (opcode) {
	case LLVMAddrSpaceCast:
		return is_shared(instruction) || is_shared(LLVMGetOperand(instruction, 0)) ? UNKNOWN : NULL;
	case LLVMCall:
	case LLVMCallBr:
	case LLVMInvoke:
		return use_in_call(instruction);
	default:
		return NULL;
	}
}

void upc__check_lowered(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	/* A direct version has the same accesses as the checked one. */
	const char *use = upc__is_marked(lowering, function, MARK_DIRECT) ? NULL : use_of(instruction);
	if (use)
		upc__refuse_at(lowering, instruction, "%s", use);
}

void upc__check_lowered_globals(struct lowering *lowering)
{
	for (LLVMValueRef global = LLVMGetFirstGlobal(lowering->module); global; global = LLVMGetNextGlobal(global)) {
		LLVMValueRef initializer = LLVMIsDeclaration(global) ? NULL : LLVMGetInitializer(global);
		if (initializer && !is_shared(global) && has_address(initializer))
			upc__refuse_at(lowering, global,
				"the address of a shared object cannot be used in this initializer; assign it when "
				"the program runs");
	}
}

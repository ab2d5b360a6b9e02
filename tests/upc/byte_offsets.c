/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * byte_offsets FILE: rewrites bitcode as later versions of LLVM may write it: all address computations add bytes,
 * without types.
 */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdio.h>

static LLVMTargetDataRef layout;
static LLVMTypeRef i8, i64;

static LLVMValueRef constant(unsigned long long value)
{
	return LLVMConstInt(i64, value, false);
}

/* Builds the number of bytes that ELEMENT, an instruction or a constant expression, adds. */
static LLVMValueRef bytes_of(LLVMBuilderRef builder, LLVMValueRef element)
{
	LLVMTypeRef at = LLVMGetGEPSourceElementType(element);
	LLVMValueRef sum = constant(0);
	for (int i = 1; i < LLVMGetNumOperands(element); i++) {
		LLVMValueRef index = LLVMGetOperand(element, (unsigned)i), term;
		if (i > 1 && LLVMGetTypeKind(at) == LLVMStructTypeKind) {
			unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
			term = constant(LLVMOffsetOfElement(layout, at, member));
			at = LLVMStructGetTypeAtIndex(at, member);
		} else {
			at = i > 1 ? LLVMGetElementType(at) : at;
			if (LLVMTypeOf(index) != i64)
				index = LLVMBuildSExt(builder, index, i64, "");
			unsigned long long size = LLVMABISizeOfType(layout, at);
			term = size == 1 ? index : LLVMBuildMul(builder, index, constant(size), "");
		}
		sum = LLVMIsNull(sum) ? term : LLVMBuildAdd(builder, sum, term, "");
	}
	return sum;
}

/* Builds the same address by adding bytes. A constant stays a constant. */
static LLVMValueRef by_bytes(LLVMBuilderRef builder, LLVMValueRef element)
{
	LLVMValueRef pointer = LLVMGetOperand(element, 0), bytes = bytes_of(builder, element);
	if (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)
		pointer = by_bytes(builder, pointer);
	return LLVMBuildGEP2(builder, i8, pointer, &bytes, 1, "");
}

static void rewrite(LLVMBuilderRef builder, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(builder, instruction);
	for (int i = 0; !LLVMIsAPHINode(instruction) && i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		if (operand && LLVMIsAConstantExpr(operand) && LLVMGetConstOpcode(operand) == LLVMGetElementPtr)
			LLVMSetOperand(instruction, (unsigned)i, by_bytes(builder, operand));
	}
	if (!LLVMIsAGetElementPtrInst(instruction) || LLVMGetGEPSourceElementType(instruction) == i8)
		return;
	LLVMReplaceAllUsesWith(instruction, by_bytes(builder, instruction));
	LLVMInstructionEraseFromParent(instruction);
}

int main(int argc, char **argv)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *message = NULL;
	if (argc != 2 || LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message) ||
		LLVMParseBitcodeInContext2(context, buffer, &module))
		return 1;
	layout = LLVMGetModuleDataLayout(module);
	i8 = LLVMInt8TypeInContext(context);
	i64 = LLVMInt64TypeInContext(context);
	for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
			block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
				next = LLVMGetNextInstruction(at);
				rewrite(builder, at);
			}
	return LLVMWriteBitcodeToFile(module, argv[1]) != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations by number (abi.h): compiled code performs them on memory of the node, and the runtime performs
 * those that another node requests. Sequentially consistent. Context: any.
 */
#ifndef UPC_UPDATE_H
#define UPC_UPDATE_H

#include <stdbool.h>

#include "upc/abi.h"

static inline __attribute__((always_inline)) int64_t upcrt_sign_extended(uint64_t value, uint64_t size)
{
	unsigned int unused = 64 - 8 * (unsigned int)size;
	return (int64_t)(value << unused) >> unused;
}

static inline __attribute__((always_inline)) uint64_t upcrt_sum(
	uint64_t old, uint64_t operand, uint64_t size, bool subtract)
{
	union {
		uint64_t bits;
		float single;
		double whole;
	} a = {old}, b = {operand}, sum = {0};
	if (size == sizeof(float))
		sum.single = subtract ? a.single - b.single : a.single + b.single;
	else
		sum.whole = subtract ? a.whole - b.whole : a.whole + b.whole;
	return sum.bits;
}

/* Returns the new value; its bits above `size` have no meaning. */
static inline __attribute__((always_inline)) uint64_t upcrt_updated(
	uint64_t old, uint64_t size, int operation, uint64_t operand)
{
	bool less = upcrt_sign_extended(old, size) < upcrt_sign_extended(operand, size);
	switch (operation) {
	case UPCRT_UPDATE_ADD:
		return old + operand;
	case UPCRT_UPDATE_SUBTRACT:
		return old - operand;
	case UPCRT_UPDATE_AND:
		return old & operand;
	case UPCRT_UPDATE_NAND:
		return ~(old & operand);
	case UPCRT_UPDATE_OR:
		return old | operand;
	case UPCRT_UPDATE_XOR:
		return old ^ operand;
	case UPCRT_UPDATE_MAX:
		return less ? operand : old;
	case UPCRT_UPDATE_MIN:
		return less ? old : operand;
	case UPCRT_UPDATE_UMAX:
		return old < operand ? operand : old;
	case UPCRT_UPDATE_UMIN:
		return old < operand ? old : operand;
	case UPCRT_UPDATE_FADD:
	case UPCRT_UPDATE_FSUB:
		return upcrt_sum(old, operand, size, operation == UPCRT_UPDATE_FSUB);
	default: /* the two exchanges */
		return operand;
	}
}

#define UPCRT_UPDATE_OF(type)                                                                                         \
	{                                                                                                             \
		type *place = object, old = __atomic_load_n(place, __ATOMIC_SEQ_CST);                                 \
		while ((operation != UPCRT_UPDATE_COMPARE_EXCHANGE || old == (type)expected) &&                       \
			!__atomic_compare_exchange_n(place, &old, (type)upcrt_updated(old, size, operation, operand), \
				false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                                           \
			;                                                                                             \
		return old;                                                                                           \
	}

/* Returns the object's value before the operation. */
static inline __attribute__((always_inline)) uint64_t upcrt_update(
	void *object, uint64_t size, int operation, uint64_t operand, uint64_t expected)
{
	switch (size) {
	case 1:
		UPCRT_UPDATE_OF(uint8_t)
	case 2:
		UPCRT_UPDATE_OF(uint16_t)
	case 4:
		UPCRT_UPDATE_OF(uint32_t)
	default:
		UPCRT_UPDATE_OF(uint64_t)
	}
}

#endif

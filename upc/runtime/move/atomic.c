/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_atomic.h (UPC library 7.5). A domain is a small object in shared memory that records its type and operations. All
 * operations except relaxed loads, stores and additions use compare-and-swap on the object's bits. Reports no events:
 * GASP defines none for atomics.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/runtime/base/library.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/memory/heap.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/move/move.h"
#include "upc/runtime/sync/collective_allocation.h"

#define DOMAIN_MAGIC 0x4d4f4441u
#define ACCESSES (HUPC__GET | HUPC__SET | HUPC__CSWAP)
#define BITS (HUPC__AND | HUPC__OR | HUPC__XOR)
#define NUMBERS (HUPC__ADD | HUPC__SUB | HUPC__MULT | HUPC__INC | HUPC__DEC | HUPC__MIN | HUPC__MAX)

struct domain {
	uint32_t magic;
	int32_t type, operations;
};

/* Each thread records all domains, because with a network their memory may not be accessible. */
struct known_domain {
	struct known_domain *next;
	upcrt_shared pointer;
	struct domain domain;
};
static struct known_domain *known_domains;

/* How values of a type are computed. */
enum class { NONE, SIGNED, UNSIGNED, REAL, POINTER };
struct kind {
	enum class class;
	unsigned int size;
	int operations;
};

static struct kind kind_of(int type)
{
#define KIND(type, class, operations)                        \
	(struct kind)                                        \
	{                                                    \
		class, sizeof(type), ACCESSES | (operations) \
	}
	switch (type) {
	case HUPC__INT:
	case HUPC__INT32:
		return KIND(int32_t, SIGNED, BITS | NUMBERS);
	case HUPC__UINT:
	case HUPC__UINT32:
		return KIND(uint32_t, UNSIGNED, BITS | NUMBERS);
	case HUPC__LONG:
	case HUPC__LLONG:
	case HUPC__INT64:
		return KIND(int64_t, SIGNED, BITS | NUMBERS);
	case HUPC__ULONG:
	case HUPC__ULLONG:
	case HUPC__UINT64:
		return KIND(uint64_t, UNSIGNED, BITS | NUMBERS);
	case HUPC__FLOAT:
		return KIND(float, REAL, NUMBERS);
	case HUPC__DOUBLE:
		return KIND(double, REAL, NUMBERS);
	case HUPC__PTS:
		return KIND(upcrt_shared, POINTER, 0);
	default:
		return (struct kind){NONE, 0, 0};
	}
#undef KIND
}

struct description {
	int type, operations;
};

static upcrt_shared make(const struct hupc__site *site, void *data)
{
	const struct description *what = data;
	upcrt_shared pointer = hupc__heap_take_local(site, "upc_all_atomicdomain_alloc", sizeof(struct domain));
	struct domain *domain = UPCRT_ADDRESS(pointer);
	*domain = (struct domain){DOMAIN_MAGIC, what->type, what->operations};
	return pointer;
}

static void remember(const struct hupc__site *site, upcrt_shared pointer, const struct description *what)
{
	struct known_domain *known = malloc(sizeof(*known));
	if (!known)
		hupc__fatal(site, "upc_all_atomicdomain_alloc: out of memory");
	*known = (struct known_domain){known_domains, pointer, {DOMAIN_MAGIC, what->type, what->operations}};
	known_domains = known;
}

upcrt_shared upc_all_atomicdomain_alloc(int type, int operations, int hints)
{
	struct hupc__site site = hupc__site_take();
	struct description what = {type, operations};
	struct kind kind = kind_of(type);
	if (kind.class == NONE)
		hupc__fatal(&site, "upc_all_atomicdomain_alloc: this type has no atomic operations");
	if (operations & ~kind.operations)
		hupc__fatal(&site, "upc_all_atomicdomain_alloc: this type does not have all of these operations");
	upcrt_shared pointer = hupc__collective_take(&site, HUPC__ALL_ATOMICDOMAIN_ALLOC,
		hupc__digest(hupc__digest((uint64_t)type, (uint64_t)operations), (uint64_t)hints), make, &what);
	if (hupc__network)
		remember(&site, pointer, &what);
	return pointer;
}

static struct domain *find_domain(upcrt_shared pointer)
{
	struct known_domain *known = known_domains;
	if (!hupc__network)
		return UPCRT_ADDRESS(pointer);
	while (known && known->pointer != pointer)
		known = known->next;
	return known ? &known->domain : NULL;
}

static struct domain *open(const struct hupc__site *site, const char *what, upcrt_shared pointer)
{
	bool possible = pointer && hupc__in_range(pointer, sizeof(struct domain));
	struct domain *domain = possible ? find_domain(pointer) : NULL;
	if (!domain || domain->magic != DOMAIN_MAGIC)
		hupc__fatal(site, "%s with a domain that is null, or was freed before", what);
	return domain;
}

static void forget(upcrt_shared pointer)
{
	for (struct known_domain **at = &known_domains; *at; at = &(*at)->next) {
		struct known_domain *known = *at;
		if (known->pointer != pointer)
			continue;
		*at = known->next;
		free(known);
		return;
	}
}

void upc_all_atomicdomain_free(upcrt_shared pointer)
{
	struct hupc__site site = hupc__site_take();
	hupc__meet(&site, HUPC__ALL_ATOMICDOMAIN_FREE, pointer);
	if (pointer && hupc__mythread == 0) {
		open(&site, "upc_all_atomicdomain_free", pointer)->magic = 0;
		hupc__heap_give(&site, "upc_all_atomicdomain_free", pointer);
	}
	forget(pointer);
}

/* Reads an object of 4 or 8 bytes, zero-extended to 64 bits. */
static uint64_t read_bits(const void *from, unsigned int size)
{
	uint32_t half;
	uint64_t whole;
	if (size == sizeof(half)) {
		memcpy(&half, from, sizeof(half));
		return half;
	}
	memcpy(&whole, from, sizeof(whole));
	return whole;
}

static void write_bits(void *to, uint64_t bits, unsigned int size)
{
	uint32_t half = (uint32_t)bits;
	memcpy(to, size == sizeof(half) ? (void *)&half : (void *)&bits, size);
}

static uint64_t integer(int operation, uint64_t old, uint64_t operand, const struct kind *kind)
{
	int64_t a = kind->size == 4 ? (int32_t)old : (int64_t)old,
		b = kind->size == 4 ? (int32_t)operand : (int64_t)operand;
	bool less = kind->class == SIGNED ? b < a : operand < old;
	switch (operation) {
	case HUPC__ADD:
		return old + operand;
	case HUPC__SUB:
		return old - operand;
	case HUPC__MULT:
		return old * operand;
	case HUPC__INC:
		return old + 1;
	case HUPC__DEC:
		return old - 1;
	case HUPC__AND:
		return old & operand;
	case HUPC__OR:
		return old | operand;
	case HUPC__XOR:
		return old ^ operand;
	case HUPC__MIN:
		return less ? operand : old;
	default: /* HUPC__MAX */
		return less ? old : operand;
	}
}

#define REAL_OPERATION(type)                                              \
	static type compute_##type(int operation, type old, type operand) \
	{                                                                 \
		switch (operation) {                                      \
		case HUPC__ADD:                                           \
			return old + operand;                             \
		case HUPC__SUB:                                           \
			return old - operand;                             \
		case HUPC__MULT:                                          \
			return old * operand;                             \
		case HUPC__INC:                                           \
			return old + 1;                                   \
		case HUPC__DEC:                                           \
			return old - 1;                                   \
		case HUPC__MIN:                                           \
			return operand < old ? operand : old;             \
		default: /* HUPC__MAX */                                  \
			return operand > old ? operand : old;             \
		}                                                         \
	}
REAL_OPERATION(float)
REAL_OPERATION(double)

static uint64_t real(int operation, uint64_t old, uint64_t operand, unsigned int size)
{
	union {
		uint64_t bits;
		float single;
		double whole;
	} a = {old}, b = {operand}, result = {0};

	if (size == sizeof(float))
		result.single = compute_float(operation, a.single, b.single);
	else
		result.whole = compute_double(operation, a.whole, b.whole);
	return result.bits;
}

/* One operation that the program requested. */
struct request {
	struct kind kind;
	int operation;
	uint64_t operand1, operand2;
	void *target;
};

static uint64_t load(const struct request *it)
{
	return it->kind.size == 4 ? __atomic_load_n((uint32_t *)it->target, __ATOMIC_RELAXED)
				  : __atomic_load_n((uint64_t *)it->target, __ATOMIC_RELAXED);
}

/* Compare-and-swap. If the object differs from `*expected`, stores its value there and returns false. */
static bool swap(const struct request *it, uint64_t *expected, uint64_t value)
{
	if (it->kind.size == 8)
		return __atomic_compare_exchange_n(
			(uint64_t *)it->target, expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	uint32_t half = (uint32_t)*expected;
	bool done = __atomic_compare_exchange_n(
		(uint32_t *)it->target, &half, (uint32_t)value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	*expected = half;
	return done;
}

/* Equality as the language defines it: numbers by value, pointers regardless of phase. */
static bool equal(const struct request *it, uint64_t a, uint64_t b)
{
	union {
		uint64_t bits;
		float single;
		double whole;
	} x = {a}, y = {b};

	if (it->kind.class == POINTER)
		return (a & UPCRT_ADDRESS_MASK) == (b & UPCRT_ADDRESS_MASK);
	if (it->kind.class == REAL)
		return it->kind.size == 4 ? x.single == y.single : x.whole == y.whole;
	return a == b;
}

static uint64_t new_value(const struct request *it, uint64_t old)
{
	if (it->operation == HUPC__SET)
		return it->operand1;
	if (it->operation == HUPC__CSWAP)
		return it->operand2;
	if (it->kind.class == REAL)
		return real(it->operation, old, it->operand1, it->kind.size);
	return integer(it->operation, old, it->operand1, &it->kind);
}

static uint64_t add(const struct request *it)
{
	uint64_t value = it->operation == HUPC__SUB ? -it->operand1 : it->operand1;
	if (it->operation == HUPC__INC || it->operation == HUPC__DEC)
		value = it->operation == HUPC__INC ? 1 : UINT64_MAX;
	return it->kind.size == 4 ? __atomic_fetch_add((uint32_t *)it->target, (uint32_t)value, __ATOMIC_RELAXED)
				  : __atomic_fetch_add((uint64_t *)it->target, value, __ATOMIC_RELAXED);
}

/* Performs the operation; returns the previous value. */
static uint64_t perform(const struct request *it)
{
	uint64_t old;
	if (it->kind.class != REAL && (it->operation & (HUPC__ADD | HUPC__SUB | HUPC__INC | HUPC__DEC)))
		return add(it);
	old = load(it);
	if (it->operation == HUPC__GET)
		return old;
	do {
		if (it->operation == HUPC__CSWAP && !equal(it, old, it->operand1))
			break;
	} while (!swap(it, &old, new_value(it, old)));
	return old;
}

/* An operation on memory of another node. A processor of that node performs it: all on one object are atomic. */
struct remote_request {
	uint32_t message; /* HUPC__MESSAGE_ATOMIC */
	int32_t type, operation;
	uint32_t reserved;
	uint64_t offset, operand1, operand2;
};

/* Returns true if the sender's `check` and hupc__check_range can have accepted it. */
static bool is_possible(const struct remote_request *remote)
{
	struct kind kind = kind_of(remote->type);
	int operation = remote->operation;
	return kind.class != NONE && operation > 0 && !(operation & (operation - 1)) && operation & kind.operations &&
	       hupc__in_own_range(remote->offset, kind.size);
}

static bool receive_atomic(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct remote_request *remote = message;
	if (size != sizeof(*remote) || !ticket || !is_possible(remote))
		return false;
	struct request it = {kind_of(remote->type), remote->operation, remote->operand1, remote->operand2,
		UPCRT_ADDRESS(UPCRT_POINTER(0, hupc__mythread, remote->offset))};
	uint64_t old = perform(&it);
	(void)from;
	hupc__network->answer(ticket, &old, sizeof(old));
	return true;
}
HUPC__RECEIVE(ATOMIC, receive_atomic, "an atomic operation")

static uint64_t perform_remote(const struct request *it, int type, upcrt_shared target)
{
	struct remote_request remote = {
		HUPC__MESSAGE_ATOMIC, type, it->operation, 0, UPCRT_OFFSET(target), it->operand1, it->operand2};
	uint64_t old;
	hupc__network->ask((int)UPCRT_THREAD(target), &remote, sizeof(remote), &old, sizeof(old));
	return old;
}

static void check(const struct hupc__site *site, const char *what, const struct domain *domain,
	const struct request *it, const void *fetched, const void *operand1, const void *operand2)
{
	if (!(it->operation & domain->operations) || (it->operation & (it->operation - 1)))
		hupc__fatal(site, "%s: the domain was not created for this operation", what);
	if (it->operation == HUPC__GET && !fetched)
		hupc__fatal(site, "%s: UPC_GET without a pointer for the value", what);
	if (!(it->operation & (HUPC__GET | HUPC__INC | HUPC__DEC)) && !operand1)
		hupc__fatal(site, "%s: the first operand is null", what);
	if (it->operation == HUPC__CSWAP && !operand2)
		hupc__fatal(site, "%s: UPC_CSWAP without its second operand", what);
}

static void run(const struct hupc__site *site, const char *what, upcrt_shared domain_pointer, void *fetched,
	int operation, upcrt_shared target, const void *operand1, const void *operand2)
{
	const struct domain *domain = open(site, what, domain_pointer);
	struct request it = {kind_of(domain->type), operation, 0, 0, UPCRT_ADDRESS(target)};
	check(site, what, domain, &it, fetched, operand1, operand2);
	hupc__check_range(site, what, target, it.kind.size);
	if (operand1)
		it.operand1 = read_bits(operand1, it.kind.size);
	if (operand2)
		it.operand2 = read_bits(operand2, it.kind.size);
	uint64_t old = hupc__is_mapped(target) ? perform(&it) : perform_remote(&it, domain->type, target);
	if (fetched)
		write_bits(fetched, old, it.kind.size);
}

void upc_atomic_strict(upcrt_shared domain, void *fetched, int operation, upcrt_shared target, const void *operand1,
	const void *operand2)
{
	struct hupc__site site = hupc__site_take();
	hupc__order();
	run(&site, "upc_atomic_strict", domain, fetched, operation, target, operand1, operand2);
	hupc__memory_may_be_freed();
	atomic_thread_fence(memory_order_seq_cst);
}

void upc_atomic_relaxed(upcrt_shared domain, void *fetched, int operation, upcrt_shared target, const void *operand1,
	const void *operand2)
{
	struct hupc__site site = hupc__site_take();
	run(&site, "upc_atomic_relaxed", domain, fetched, operation, target, operand1, operand2);
}

int upc_atomic_isfast(int type, int operations, upcrt_shared address)
{
	struct kind kind = kind_of(type);
	hupc__site_take();
	return kind.class != NONE && !(operations & ~kind.operations) && hupc__is_mapped(address);
}

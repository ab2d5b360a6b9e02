/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract between compiled UPC code and the UPC runtime: layout of pointers-to-shared, records in each object
 * file, and functions that compiled code calls. Change both sides together, and increment UPCRT_ABI_VERSION.
 *
 * - The compiler emits calls of the functions below and both kinds of records. It inlines accesses and pointer
 *   arithmetic (upc/lower/inline.c); the runtime does not provide these.
 * - The runtime defines the C main, maps the segments, allocates shared variables, runs the units' start functions,
 *   calls __upcrt_user_main, and provides the functions below and the UPC library (upc.h and related headers).
 *
 * The UPC type `shared void *` is an unsigned _BitInt(63) for clang; on the C side of a call it is a upcrt_shared
 * (upper bit 0, in both directions). Every other pointer-to-shared is passed as upcrt_shared, too.
 */
#ifndef UPC_ABI_H
#define UPC_ABI_H

#include <stdint.h>

#define UPCRT_ABI_VERSION 8

/*
 * A pointer-to-shared: phase (elements) << 44 | thread << 34 | offset (bytes, in the thread's segment). 0 is the null
 * pointer; no object is at offset 0. Block sizes 0 (indefinite) and 1 have phase 0. The phase has 19 bits, not 20, so
 * that `shared void *` can be 63 bits wide, which distinguishes it from integers.
 */
typedef uint64_t upcrt_shared;

#define UPCRT_OFFSET_BITS 34
#define UPCRT_THREAD_BITS 10
#define UPCRT_PHASE_BITS 19
#define UPCRT_PHASE_SHIFT (UPCRT_OFFSET_BITS + UPCRT_THREAD_BITS)
#define UPCRT_MAX_THREADS (1 << UPCRT_THREAD_BITS)
#define UPCRT_MAX_BLOCK_SIZE ((1 << UPCRT_PHASE_BITS) - 1) /* UPC_MAX_BLOCK_SIZE */
#define UPCRT_OFFSET_MASK ((UINT64_C(1) << UPCRT_OFFSET_BITS) - 1)
#define UPCRT_THREAD_MASK ((UINT64_C(1) << UPCRT_THREAD_BITS) - 1)
#define UPCRT_ADDRESS_MASK ((UINT64_C(1) << UPCRT_PHASE_SHIFT) - 1)

/*
 * Thread t's segment is mapped at UPCRT_BASE + (t << UPCRT_OFFSET_BITS) if it is on the same node, that is, on the
 * same machine. Other memory is remote: it has no address.
 */
#define UPCRT_BASE UINT64_C(0x200000000000)

#define UPCRT_ADDRESS(pointer) ((void *)(UPCRT_BASE + ((upcrt_shared)(pointer)&UPCRT_ADDRESS_MASK)))
#define UPCRT_OFFSET(pointer) ((upcrt_shared)(pointer)&UPCRT_OFFSET_MASK)
#define UPCRT_THREAD(pointer) (((upcrt_shared)(pointer) >> UPCRT_OFFSET_BITS) & UPCRT_THREAD_MASK)
#define UPCRT_PHASE(pointer) ((upcrt_shared)(pointer) >> UPCRT_PHASE_SHIFT)
#define UPCRT_POINTER(phase, thread, offset)                                                        \
	((upcrt_shared)(phase) << UPCRT_PHASE_SHIFT | (upcrt_shared)(thread) << UPCRT_OFFSET_BITS | \
		(upcrt_shared)(offset))

/*
 * The variables that UPC code reads as THREADS and MYTHREAD. The runtime sets them before any unit's start function
 * runs, and never changes them, so compiled code keeps them in registers. With static THREADS, code uses the constant
 * instead. __upcrt_threads_inverse is (2^64 - 1) / THREADS: for 0 <= x < 2^53, x / THREADS is the upper half of the
 * 128-bit product of x + 1 and __upcrt_threads_inverse.
 */
extern const int THREADS;
extern const int MYTHREAD;
extern const uint64_t __upcrt_threads_inverse;

/*
 * What may differ between runs of one program. Set before main and never changed: compiled code may read them early.
 *
 * A function that accesses shared memory has two versions. The direct version accesses it without a test. The checked
 * version tests at each access whether the memory is on this node, and reports events if it was compiled with --inst.
 * The function's entry chooses the version. A function that cannot have two versions tests at each access.
 *
 * __upcrt_checked: not 0 if functions compiled with --inst must run their checked versions: there is a tool, or
 * __upcrt_remote is not 0. Other functions have no events, and test __upcrt_remote.
 * __upcrt_remote: not 0 if some threads' memory is remote.
 * __upcrt_same_node: 1 for each thread on this node. If __upcrt_remote is 0, all entries are 1, even those of threads
 * that do not exist; otherwise those entries are 0.
 * __upcrt_node_shift, __upcrt_node_size, __upcrt_node_base: the consecutive threads around this one that are on this
 * node, for a test by one comparison. A pointer-to-shared without its phase points to their memory if the sum of the
 * pointer and `shift` is less than `size`; that sum plus `base` is the address. Objects do not begin at offset 0: this
 * offset counts as the end of the memory of the thread before. If __upcrt_remote is 0, all pointers are in the range.
 * __upcrt_outstanding: points to a pointer that is not NULL while relaxed puts to remote memory may be outstanding.
 * Only the pointer that it points to changes.
 */
extern const int __upcrt_checked;
extern const int __upcrt_remote;
extern const unsigned char __upcrt_same_node[UPCRT_MAX_THREADS];
extern const uint64_t __upcrt_node_shift, __upcrt_node_size, __upcrt_node_base;
extern const void *const volatile *const __upcrt_outstanding;

/*
 * One record for each shared variable with static storage that a unit defines, in the section UPCRT_SHARED_SECTION
 * (__start_upcrt_shared .. __stop_upcrt_shared, both weak: a program may have none). The runtime gives each variable
 * the same offset in every segment, on thread 0 with phase 0, aligned as stated and zeroed, and stores the pointer in
 * *slot. Each process has its own slots.
 */
struct upcrt_shared_record {
	upcrt_shared *slot;
	const char *name;    /* in the source */
	const char *type;    /* of an element, in C syntax; for tools */
	const char *file;    /* of the definition; NULL: unknown */
	const void *initial; /* the elements in order, as in a private array; NULL: zeros */
	uint64_t elements;   /* 1 for a scalar; multiplied by THREADS with UPCRT_TIMES_THREADS */
	uint64_t element_size;
	uint64_t block;        /* in elements; 0: indefinite, all on thread 0 */
	uint64_t initial_size; /* of `initial`, in bytes; the rest is zero */
	uint32_t alignment;
	uint32_t line;
	uint32_t flags;
	uint32_t reserved;
};
#define UPCRT_SHARED_SECTION "upcrt_shared"
#define UPCRT_TIMES_THREADS 1u /* flag: multiply `elements` by THREADS */

/*
 * One record for each unit, in the section UPCRT_UNIT_SECTION (__start_upcrt_units .. __stop_upcrt_units). Every
 * process starts in this order: it sets the slots of all units; runs all `start` functions (they store
 * pointers-to-shared into private variables and `initial` buffers); writes the contents of shared variables (each
 * thread those with affinity to it); waits at a barrier; calls main.
 */
struct upcrt_unit_record {
	uint32_t abi;           /* UPCRT_ABI_VERSION */
	uint32_t flags;         /* UPCRT_UNIT_... */
	int32_t static_threads; /* 0: dynamic. All non-zero values must be equal, and equal to THREADS */
	uint32_t reserved;
	void (*start)(void); /* or NULL */
	const char *file;
};
#define UPCRT_UNIT_SECTION "upcrt_units"
#define UPCRT_UNIT_INST 1u           /* compiled with --inst */
#define UPCRT_UNIT_INST_LOCAL 2u     /* and --inst-local */
#define UPCRT_UNIT_INST_FUNCTIONS 4u /* and --inst-functions */

/*
 * The user's main, renamed; its debug information still has the name "main". Always called with both arguments, even if
 * it is defined with none. Weak in the runtime, so that its absence can be reported.
 */
int __upcrt_user_main(int argc, char **argv);

/*
 * Statements. `named`: whether there is an expression. `file` and `line` are the statement's position, for messages;
 * they are always given.
 *
 * __upcrt_fence: the null strict access. Strict accesses include their own fences.
 */
void __upcrt_notify(int named, int value, const char *file, int line);
void __upcrt_wait(int named, int value, const char *file, int line);
void __upcrt_barrier(int named, int value, const char *file, int line);
void __upcrt_fence(void);

/*
 * upc_forall: the number of open loops with an affinity on this (OpenMP) thread; only the outermost distributes
 * iterations.
 */
extern _Thread_local int __upcrt_forall_depth;

/*
 * Instrumentation, used only by units compiled with --inst. Compiled code tests __upcrt_gasp first, and does nothing if
 * it is 0. The runtime sets it if there is a tool and measurement is on for this thread: without a tool, an event costs
 * that test.
 */
extern _Thread_local int __upcrt_gasp;

/*
 * The source position of a call of a runtime function (statements, the library of upc*.h, pupc.h): instrumented code
 * sets it before the call. The runtime function takes it and sets file to NULL at its entry. If file was NULL, the call
 * is not instrumented (compiled without --inst, or under `#pragma pupc off`) and reports no events.
 */
struct upcrt_site {
	const char *file;
	int line;
	/*
	 * For an allocation: which of the `calls` calls of the same function on that line it is, in the order of the
	 * source: 1, 2, ... UPCRT_MOST_CALLS stands for that call or a later one; 0: the only call. The runtime
	 * function sets it to 0.
	 */
	unsigned char call, calls;
};
#define UPCRT_MOST_CALLS 15
extern _Thread_local struct upcrt_site __upcrt_site;

/*
 * Relaxed accesses of single objects, in checked versions: one call does the access and reports it. `access` is
 * constant; `count` belongs to the source place and to the calling thread, and is zero before its first use. Compiled
 * code decrements `left` at each access. If the result is not negative, and the pointer without its phase is in the
 * range of `size` from `low`, which is on this node, compiled code accesses the memory itself, without a call; a tool
 * counts such accesses by `left`. All other accesses are calls, and their decrement does not count. With
 * UPCRT_ACCESS_LOCAL there are two counts, the second one for the thread's own memory. `code`: an address after the
 * access, for messages.
 */
struct upcrt_access {
	const char *file;
	uint64_t size;
	uint32_t line;
	uint32_t flags; /* UPCRT_ACCESS_LOCAL: the thread's own memory is reported, too; or 0 */
};
struct upcrt_count {
	int32_t left;
	uint32_t number; /* the tool's */
	uint64_t low, size;
	void *further; /* the runtime's */
};
void __upcrt_reported_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code);
void __upcrt_reported_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code);

/*
 * Other direct accesses: called before and after. `flags`: UPCRT_ACCESS_...; `local`: the private end, or NULL for a
 * register.
 */
void __upcrt_get_start(upcrt_shared from, uint64_t size, void *local, int flags, const char *file, int line);
void __upcrt_get_end(upcrt_shared from, uint64_t size, void *local, int flags, const char *file, int line);
void __upcrt_put_start(upcrt_shared to, uint64_t size, void *local, int flags, const char *file, int line);
void __upcrt_put_end(upcrt_shared to, uint64_t size, void *local, int flags, const char *file, int line);
#define UPCRT_ACCESS_STRICT 1
#define UPCRT_ACCESS_LOCAL 2 /* the accessed object has affinity to this thread: only with --inst-local */

/*
 * Accesses of remote memory. Flags: UPCRT_ACCESS_STRICT or 0. `code`: an address after the access, for messages;
 * functions without it are called at the place of the access. The source of a relaxed put may be reused when the call
 * returns; the put itself may still be outstanding.
 *
 * __upcrt_remote_copy: at least one end is shared and remote. An end whose pointer-to-shared is 0 is private, unless
 * its private pointer is NULL, too: then it is a null pointer-to-shared. The memory of both ends is the same or does
 * not overlap, as in a structure's assignment.
 *
 * __upcrt_order: when it returns, earlier relaxed puts of this thread are complete. Called if there may be such puts
 * (__upcrt_outstanding): before a strict access of memory of the node, and after a strict put there.
 */
void __upcrt_remote_get(upcrt_shared from, uint64_t size, void *buffer, int flags, void *code);
void __upcrt_remote_put(upcrt_shared to, uint64_t size, const void *buffer, int flags, void *code);
void __upcrt_remote_copy(
	upcrt_shared to, void *private_to, upcrt_shared from, const void *private_from, uint64_t size, int flags);
void __upcrt_remote_set(upcrt_shared to, int byte, uint64_t size, int flags);
void __upcrt_order(void);

/*
 * An atomic operation of C11, GNU C or OpenMP on remote memory, sequentially consistent whatever order the program
 * requests: the operations of LLVM's atomicrmw, in LLVM's numbering, and a compare-exchange with `expected`. Values are
 * the bits of integers, or of floating-point numbers, of 1, 2, 4 or 8 bytes, zero-extended. Returns the object's value
 * before the operation.
 */
enum upcrt_update {
	UPCRT_UPDATE_EXCHANGE,
	UPCRT_UPDATE_ADD,
	UPCRT_UPDATE_SUBTRACT,
	UPCRT_UPDATE_AND,
	UPCRT_UPDATE_NAND,
	UPCRT_UPDATE_OR,
	UPCRT_UPDATE_XOR,
	UPCRT_UPDATE_MAX,
	UPCRT_UPDATE_MIN,
	UPCRT_UPDATE_UMAX,
	UPCRT_UPDATE_UMIN,
	UPCRT_UPDATE_FADD,
	UPCRT_UPDATE_FSUB,
	UPCRT_UPDATE_COMPARE_EXCHANGE
};
uint64_t __upcrt_remote_update(upcrt_shared object, uint64_t size, int operation, uint64_t operand, uint64_t expected);

/* upc_forall, and user functions. `name` is the function's signature in C syntax, or its name. */
void __upcrt_forall_start(const char *file, int line);
void __upcrt_forall_end(const char *file, int line);
void __upcrt_function_start(const char *name, const char *file, int line);
void __upcrt_function_end(const char *name, const char *file, int line);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract between compiled UPC code and the UPC runtime: layout of pointers-to-shared, records that each object
 * file carries, and what compiled code calls. Change one side only together with the other, and raise
 * UPCRT_ABI_VERSION.
 *
 * Who does what:
 *  - the compiler emits calls of the functions below and the two kinds of records; it inlines the access and the
 * pointer arithmetic itself (upc/lower/inline.c), so the runtime need not supply those;
 *  - the runtime has the C main, maps the segments, allocates shared variables, runs the units' start functions, calls
 *    __upcrt_user_main, and supplies the functions below and those of the UPC library (upc.h and friends).
 *
 * The UPC type `shared void *` is an unsigned _BitInt(63) for clang; for the C side of a call it's a upcrt_shared
 * (upper bit 0, both ways). Every other pointer-to-shared is passed as upcrt_shared, too.
 */
#ifndef UPC_ABI_H
#define UPC_ABI_H

#include <stdint.h>

#define UPCRT_ABI_VERSION 2

/*
 * A pointer-to-shared: phase (elements) << 44 | thread << 34 | offset (bytes, in the thread's segment).
 * 0 is the null pointer; no object stands at offset 0. Pointers with block size 0 (indefinite) or 1 have phase 0. That
 * the phase has 19 bits, not 20, lets `shared void *` be 63 bits wide: so the compiler tells it from an integer.
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

/* Thread t's segment is mapped, in every UPC thread, at UPCRT_BASE + (t << UPCRT_OFFSET_BITS). */
#define UPCRT_BASE UINT64_C(0x200000000000)

#define UPCRT_ADDRESS(pointer) ((void *)(UPCRT_BASE + ((upcrt_shared)(pointer)&UPCRT_ADDRESS_MASK)))
#define UPCRT_OFFSET(pointer) ((upcrt_shared)(pointer)&UPCRT_OFFSET_MASK)
#define UPCRT_THREAD(pointer) (((upcrt_shared)(pointer) >> UPCRT_OFFSET_BITS) & UPCRT_THREAD_MASK)
#define UPCRT_PHASE(pointer) ((upcrt_shared)(pointer) >> UPCRT_PHASE_SHIFT)
#define UPCRT_POINTER(phase, thread, offset)                                                        \
	((upcrt_shared)(phase) << UPCRT_PHASE_SHIFT | (upcrt_shared)(thread) << UPCRT_OFFSET_BITS | \
		(upcrt_shared)(offset))

/*
 * The variables that UPC code reads as THREADS and MYTHREAD. Set by the runtime before any unit's start function runs,
 * and never after: compiled code keeps them in registers. With static THREADS, code uses the constant instead.
 * __upcrt_threads_inverse is (2^64 - 1) / THREADS: with 0 <= x < 2^53, x / THREADS is the upper half of its 128-bit
 * product with x + 1.
 */
extern const int THREADS;
extern const int MYTHREAD;
extern const uint64_t __upcrt_threads_inverse;

/*
 * One record for each shared variable with static storage that a unit defines, in the section UPCRT_SHARED_SECTION
 * (__start_upcrt_shared .. __stop_upcrt_shared, both weak: a program may have none). The runtime gives each variable
 * the same offset in every segment, with phase 0 on thread 0, aligned as told, filled with zeros, and stores the
 * pointer in *slot. Each process has its own slots.
 */
struct upcrt_shared_record {
	upcrt_shared *slot;
	const char *name;    /* in the source */
	const char *type;    /* of an element, as C writes it; for tools */
	const char *file;    /* where it is defined; NULL: unknown */
	const void *initial; /* its elements in order, as a private array would have them; NULL: zeros */
	uint64_t elements;   /* 1 for a scalar; to be multiplied by THREADS with UPCRT_TIMES_THREADS */
	uint64_t element_size;
	uint64_t block;        /* elements of a block; 0: indefinite, all on thread 0 */
	uint64_t initial_size; /* bytes of `initial`; the rest are zeros */
	uint32_t alignment;
	uint32_t line;
	uint32_t flags;
	uint32_t reserved;
};
#define UPCRT_SHARED_SECTION "upcrt_shared"
#define UPCRT_TIMES_THREADS 1u /* flag: `elements` and a whole number of blocks are for one thread */

/*
 * One record for each unit, in the section UPCRT_UNIT_SECTION (__start_upcrt_units .. __stop_upcrt_units). Start, in
 * every process: slots of all units, then all `start` functions (they store pointers-to-shared into private variables
 * and into `initial` buffers), then the contents of shared variables (each thread those with affinity to it), then a
 * barrier, then main.
 */
struct upcrt_unit_record {
	uint32_t abi;           /* UPCRT_ABI_VERSION */
	uint32_t flags;         /* UPCRT_UNIT_... */
	int32_t static_threads; /* 0: dynamic. All units that aren't 0 must be equal, and THREADS with them */
	uint32_t reserved;
	void (*start)(void); /* or NULL */
	const char *file;
};
#define UPCRT_UNIT_SECTION "upcrt_units"
#define UPCRT_UNIT_INST 1u           /* compiled with --inst */
#define UPCRT_UNIT_INST_LOCAL 2u     /* and --inst-local */
#define UPCRT_UNIT_INST_FUNCTIONS 4u /* and --inst-functions */

/*
 * The user's main, renamed; its debug information still calls it "main". Always called with both arguments, although it
 * may be defined with none. Weak in the runtime, so that its absence can be told.
 */
int __upcrt_user_main(int argc, char **argv);

/*
 * Statements. `named` tells whether there is an expression. file and line are the statement's, for messages, always
 * given.
 * __upcrt_fence: the null strict access. Strict accesses bring their own fences.
 */
void __upcrt_notify(int named, int value, const char *file, int line);
void __upcrt_wait(int named, int value, const char *file, int line);
void __upcrt_barrier(int named, int value, const char *file, int line);
void __upcrt_fence(void);

/* upc_forall: how many with an affinity are open on this (OpenMP) thread; the outermost one alone deals out iterations.
 */
extern _Thread_local int __upcrt_forall_depth;

/* upc_localsizeof(type or object) and the like, when not constant: total bytes, of elements of this size and block. */
uint64_t __upcrt_localsizeof(uint64_t bytes, uint64_t element_size, uint64_t block);

/*
 * Instrumentation. What follows is used by units compiled with --inst only. Compiled code tests __upcrt_gasp first, and
 * does nothing when it is 0. The runtime sets it when a tool listens and measurement is on for this thread, so that the
 * cost without a tool is that test.
 */
extern _Thread_local int __upcrt_gasp;

/*
 * Not 0: a tool listens in this process. Set before main, and never after. While it is 0, compiled code runs versions
 * of its functions that don't test __upcrt_gasp either.
 */
extern const int __upcrt_tool;

/*
 * Before each call of a runtime function (statements, the library of upc*.h, pupc.h) from code that is to be
 * instrumented: sets the call's source position. The runtime function takes it and sets file to NULL at its entry; when
 * it was NULL, the call is not to be instrumented (not compiled with --inst, or `#pragma pupc off`), and gives no
 * events.
 */
struct upcrt_site {
	const char *file;
	int line;
};
extern _Thread_local struct upcrt_site __upcrt_site;

/* Direct accesses: called before and after. `flags` are UPCRT_ACCESS_...; `local` is the private end, or NULL: a
 * register. */
void __upcrt_get_start(upcrt_shared from, uint64_t size, void *local, int flags, const char *file, int line);
void __upcrt_get_end(upcrt_shared from, uint64_t size, void *local, int flags, const char *file, int line);
void __upcrt_put_start(upcrt_shared to, uint64_t size, void *local, int flags, const char *file, int line);
void __upcrt_put_end(upcrt_shared to, uint64_t size, void *local, int flags, const char *file, int line);
#define UPCRT_ACCESS_STRICT 1
#define UPCRT_ACCESS_LOCAL 2 /* the accessed object has affinity to this thread: only with --inst-local */

/* upc_forall, and functions of the user. `name` is the function's signature as C writes it, or its name. */
void __upcrt_forall_start(const char *file, int line);
void __upcrt_forall_end(const char *file, int line);
void __upcrt_function_start(const char *name, const char *file, int line);
void __upcrt_function_end(const char *name, const char *file, int line);

#endif

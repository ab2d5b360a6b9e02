/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported functions, MPI_x and PMPI_x for each line of the table. C, C++ and other tools call MPI_x; the Fortran
 * layers of libraries call one or the other, and libraries call their own functions by name: only the outermost call of
 * a thread is the program's. A wrapper calls the next definition of the name by which it was called, so tools that are
 * loaded behind it stay in the chain. A separate library, which is preloaded only for programs with MPI.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/host/host_functions.h"
#include "models/mpi/wrappers/mpi_clock.h"
#include "models/mpi/wrappers/mpi_effects.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"

#pragma weak heddle_mpi_attach

const struct heddle_mpi_interface *heddle__mpi;

/*
 * The end of the frame of the thread's outermost wrapper; 0: none. A wrapper that is further out on the stack shows
 * that the recorded one was abandoned (longjmp, exceptions).
 */
static _Thread_local uintptr_t outermost;
static _Thread_local const struct heddle_event *open_event; /* of its region; NULL: none is open */

static bool is_nested(const struct heddle_call *from)
{
	return from->sp < outermost;
}

/* Ends the region of an abandoned wrapper. */
static void end_abandoned(void)
{
	if (open_event)
		heddle__mpi->abandon(open_event);
	open_event = NULL;
}

#define PARAMETERS_0 void
#define PARAMETERS_1 uintptr_t a0
#define PARAMETERS_2 uintptr_t a0, uintptr_t a1
#define PARAMETERS_3 uintptr_t a0, uintptr_t a1, uintptr_t a2
#define PARAMETERS_4 uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3
#define PARAMETERS_5 uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4
#define PARAMETERS_6 uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5
#define PARAMETERS_7 uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6
#define PARAMETERS_8 \
	uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, uintptr_t a7
#define PARAMETERS_9                                                                                      \
	uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, \
		uintptr_t a7, uintptr_t a8
#define PARAMETERS_10                                                                                     \
	uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, \
		uintptr_t a7, uintptr_t a8, uintptr_t a9
#define PARAMETERS_11                                                                                     \
	uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, \
		uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10
#define PARAMETERS_12                                                                                     \
	uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, \
		uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10, uintptr_t a11
#define PARAMETERS_13                                                                                     \
	uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, \
		uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10, uintptr_t a11, uintptr_t a12
#define ARGUMENTS_0
#define ARGUMENTS_1 a0
#define ARGUMENTS_2 a0, a1
#define ARGUMENTS_3 a0, a1, a2
#define ARGUMENTS_4 a0, a1, a2, a3
#define ARGUMENTS_5 a0, a1, a2, a3, a4
#define ARGUMENTS_6 a0, a1, a2, a3, a4, a5
#define ARGUMENTS_7 a0, a1, a2, a3, a4, a5, a6
#define ARGUMENTS_8 a0, a1, a2, a3, a4, a5, a6, a7
#define ARGUMENTS_9 a0, a1, a2, a3, a4, a5, a6, a7, a8
#define ARGUMENTS_10 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9
#define ARGUMENTS_11 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10
#define ARGUMENTS_12 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11
#define ARGUMENTS_13 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
#define WORDS_0
#define WORDS_1 w[0]
#define WORDS_2 w[0], w[1]
#define WORDS_3 w[0], w[1], w[2]
#define WORDS_4 w[0], w[1], w[2], w[3]
#define WORDS_5 w[0], w[1], w[2], w[3], w[4]
#define WORDS_6 w[0], w[1], w[2], w[3], w[4], w[5]
#define WORDS_7 w[0], w[1], w[2], w[3], w[4], w[5], w[6]
#define WORDS_8 w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
#define WORDS_9 w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]
#define WORDS_10 w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]
#define WORDS_11 w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10]
#define WORDS_12 w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11]
#define WORDS_13 w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12]

/* Numbers of arguments that functions have. */
#define ARITIES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)

static inline int call(void (*real)(void), unsigned int arity, const uintptr_t *w)
{
	switch (arity) {
#define X(n)    \
	case n: \
		return ((int (*)(PARAMETERS_##n))real)(WORDS_##n);
		ARITIES(X) /* NOLINT: there are as many words as the function has parameters */
#undef X
	default:
		return heddle__mpi_abi.other;
	}
}

/* Not inlined, so that a nested call needs little stack. */
__attribute__((noinline)) static int call_real(void (*real)(void), unsigned int arity, const uintptr_t *words)
{
	return call(real, arity, words);
}

static void prepare(struct heddle_mpi_operation *operation)
{
	if (operation->function->effect == HEDDLE_MPI_EFFECT_FINALIZE)
		heddle__mpi_clock_end();
	else
		heddle__mpi_synchronize(operation);
}

/* Makes the program's own call, if more than its number is measured. */
__attribute__((always_inline)) static inline int call_measured(
	struct heddle_mpi_function *function, void (*real)(void), uintptr_t *words, const struct heddle_call *from)
{
	struct heddle_mpi_operation operation; /* large: not cleared */
	operation.function = function;
	operation.words = words;
	operation.number = 0;
	operation.moved = (struct heddle_mpi_moved){.size = UINT64_MAX};
	operation.messages = 0;
	operation.parts = 1;
	operation.call.from = from;
	operation.call.event = function->event;
	operation.call.entered = NULL;
	if (HEDDLE_UNLIKELY(heddle__mpi->traces)) {
		operation.entered = (struct heddle_mpi_entered){.root = -1, .send_count = 1};
		operation.call.entered = &operation.entered;
	}
	if (function->before)
		function->before(&operation);
	heddle__mpi->begin(&operation.call);
	open_event = operation.call.thread ? function->event : NULL;
	if (HEDDLE_UNLIKELY(function->prepares))
		prepare(&operation);
	operation.result = call(real, function->arity, words);
	operation.call.ended = heddle__mpi_ticks(heddle__mpi);
	if (function->after)
		function->after(&operation);
	heddle__mpi->end(&operation.call, &operation.moved, operation.message, operation.messages,
		heddle__mpi_parts(&operation));
	open_event = NULL;
	return operation.result;
}

/* The slow path: the world is not known yet, or nothing is measured. */
__attribute__((noinline)) static bool is_measured(void)
{
	if (!heddle__mpi || !heddle__mpi_library_ready())
		return false;
	heddle__mpi_find_world();
	return true;
}

/* The outermost call of the thread. Once the world is known, so is all else. */
__attribute__((noinline)) static int call_outermost(
	struct heddle_mpi_function *function, void (*real)(void), uintptr_t *words, const struct heddle_call *from)
{
	int result;
	if (HEDDLE_UNLIKELY(outermost))
		end_abandoned();
	outermost = from->sp;
	if (HEDDLE_LIKELY(heddle__mpi_world_is_known) || is_measured())
		result = call_measured(function, real, words, from);
	else
		result = call_real(real, function->arity, words);
	outermost = 0;
	return result;
}

/* Called if a program looks up a function that the library lacks, and finds the wrapper. Not measured. */
static int missing(void)
{
	return heddle__mpi_library_ready() ? heddle__mpi_abi.other : 1;
}

/* Returns NULL if the library lacks the function. */
static inline void (*real_of(struct heddle_mpi_function *function, enum heddle_mpi_entry entry))(void)
{
	void (*real)(void) = atomic_load_explicit(&function->real[entry], memory_order_acquire);
	return HEDDLE_LIKELY(real) ? real : heddle__mpi_real(function, entry);
}

static int pass_on(struct heddle_mpi_function *function, enum heddle_mpi_entry entry, uintptr_t *words,
	const struct heddle_call *from)
{
	void (*real)(void) = real_of(function, entry);
	if (HEDDLE_UNLIKELY(!real))
		return missing();
	if (is_nested(from))
		return call_real(real, function->arity, words);
	return call_outermost(function, real, words, from);
}

/* Begins a call that is only counted, and returns the real function. */
__attribute__((noinline)) static void (
	*count(struct heddle_mpi_function *function, enum heddle_mpi_entry entry, const struct heddle_call *from))(void)
{
	void (*real)(void) = real_of(function, entry);
	if (HEDDLE_UNLIKELY(!real))
		return (void (*)(void))missing;
	if (is_nested(from))
		return real;
	if (HEDDLE_UNLIKELY(outermost))
		end_abandoned();
	outermost = from->sp;
	if (HEDDLE_LIKELY(heddle__mpi))
		heddle__mpi->count(function->event);
	return real;
}

HEDDLE_EXPORT uintptr_t heddle_mpi_hide(uintptr_t below)
{
	uintptr_t before = outermost;
	outermost = below;
	return before;
}

/* Arguments of a call that is only counted stay in their registers. */
#define WRAPPER(symbol, number, entry, arity, effect)                                             \
	HEDDLE_EXPORT int symbol(PARAMETERS_##arity);                                             \
	HEDDLE_EXPORT int symbol(PARAMETERS_##arity)                                              \
	{                                                                                         \
		struct heddle_call from = heddle__call_here();                                    \
		if (HEDDLE_MPI_EFFECT_##effect == HEDDLE_MPI_EFFECT_COUNT) {                      \
			bool own = !is_nested(&from);                                             \
			void (*real)(void) = count(&heddle__mpi_functions[number], entry, &from); \
			int result = ((int (*)(PARAMETERS_##arity))real)(ARGUMENTS_##arity);      \
			if (own)                                                                  \
				outermost = 0;                                                    \
			return result;                                                            \
		}                                                                                 \
		uintptr_t words[arity + !arity] = {ARGUMENTS_##arity};                            \
		return pass_on(&heddle__mpi_functions[number], entry, words, &from);              \
	}
#define M(name, arity, kinds, moved, effect, ...)                               \
	WRAPPER(MPI_##name, HEDDLE_MPI_##name, HEDDLE_MPI_NAMED, arity, effect) \
	WRAPPER(PMPI_##name, HEDDLE_MPI_##name, HEDDLE_MPI_PROFILED, arity, effect)
HEDDLE_MPI_FUNCTIONS
#undef M

/* ---- MPI_Pcontrol, the only function with a variable number of arguments ---- */

typedef int pcontrol(int level, ...);

/* Arguments after the level are for other tools only: as many as fit registers are passed on. */
static int control(const char *name, const struct heddle_call *from, int level, const uintptr_t *more)
{
	pcontrol *next = (pcontrol *)heddle__mpi_symbol(name);
	bool own = !is_nested(from);
	if (own && heddle__mpi)
		heddle__mpi->control(level);
	if (!next)
		return 0;
	if (own)
		outermost = from->sp;
	int result = next(level, more[0], more[1], more[2], more[3], more[4]);
	if (own)
		outermost = 0;
	return result;
}

#define PCONTROL(symbol)                                                                                           \
	HEDDLE_EXPORT int symbol(int level, uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4); \
	HEDDLE_EXPORT int symbol(int level, uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4)  \
	{                                                                                                          \
		const uintptr_t more[] = {a0, a1, a2, a3, a4};                                                     \
		struct heddle_call from = heddle__call_here();                                                     \
		return control(#symbol, &from, level, more);                                                       \
	}
PCONTROL(MPI_Pcontrol)
PCONTROL(PMPI_Pcontrol)

/* Attaching starts libheddle.so, if it has not started. */
__attribute__((constructor)) static void at_load(void)
{
	if (heddle_mpi_attach)
		heddle__mpi = heddle_mpi_attach(HEDDLE_MPI_INTERFACE, heddle__mpi_events, HEDDLE_MPI_FUNCTION_COUNT);
	heddle__mpi_functions_init();
}

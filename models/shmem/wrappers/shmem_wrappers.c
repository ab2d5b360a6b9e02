/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported functions, one for each line of the table. An OpenSHMEM library calls its own functions by name, too:
 * only the outermost call of a thread is the program's. A wrapper calls the next definition of its name, so tools that
 * are loaded behind it stay in the chain; the profiling names (pshmem_x) are theirs, and not wrapped. A separate
 * library, which is preloaded only for programs with OpenSHMEM.
 */
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/host/host_functions.h"
#include "models/shmem/shmem_calls.h"
#include "models/shmem/wrappers/shmem_collectives.h"
#include "models/shmem/wrappers/shmem_library.h"
#include "models/shmem/wrappers/shmem_shapes.h"
#include "models/shmem/wrappers/shmem_table.h"
#include "models/shmem/wrappers/shmem_variables.h"

#pragma weak heddle_shmem_attach

/* As models/mpi/mpi_calls.h declares it; NULL: libheddle-mpi.so is not loaded. */
uintptr_t heddle_mpi_hide(uintptr_t below);
#pragma weak heddle_mpi_hide

enum number {
#define M(name, ...) NUMBER_##name,
	HEDDLE_SHMEM_FUNCTIONS
#undef M
		NUMBERS
};

static struct heddle_event events[NUMBERS] = {
#define M(name_, shape, type, effect, category_, role_)  \
	[NUMBER_##name_] = {.model = "shmem",            \
		.name = #name_,                          \
		.label = #name_,                         \
		.category = HEDDLE_CATEGORY_##category_, \
		.role = HEDDLE_EVENT_##role_},
	HEDDLE_SHMEM_FUNCTIONS
#undef M
};

/* The next definitions; NULL: not looked up yet, or there is none. */
static void (*_Atomic real[NUMBERS])(void);

/* NULL: nothing is measured. Set once. */
static const struct heddle_shmem_interface *measure;
static bool variables; /* are measured. Set once */

/*
 * The end of the frame of the thread's outermost wrapper; 0: none. A wrapper that is further out on the stack shows
 * that the recorded one was abandoned (longjmp, exceptions).
 */
static _Thread_local uintptr_t outermost;
static _Thread_local const struct heddle_event *open_event; /* of its region; NULL: none is open */

static void (*real_of(enum number number))(void)
{
	void (*found)(void) = atomic_load_explicit(&real[number], memory_order_acquire);
	if (HEDDLE_UNLIKELY(!found)) {
		found = heddle__shmem_symbol(events[number].name);
		atomic_store_explicit(&real[number], found, memory_order_release);
	}
	return found;
}

/* Ends the region of an abandoned wrapper. */
static void end_abandoned(void)
{
	struct heddle_shmem_call call = {.event = open_event, .opened = true, .root = -1};
	if (open_event)
		measure->end(&call);
	open_event = NULL;
	if (heddle_mpi_hide)
		heddle_mpi_hide(0);
}

/* ---- acts of a call ---- */

static void set_access(struct heddle_shmem_call *call, const struct heddle_shmem_arguments *arguments)
{
	call->pe = arguments->pe;
	call->ways = arguments->ways;
	call->side = heddle__shmem_side(arguments->pe, arguments->symmetric);
	if (HEDDLE_UNLIKELY(variables))
		call->variable = heddle__shmem_variable(measure, arguments->symmetric);
}

static void set_effect(
	struct heddle_shmem_call *call, enum heddle_shmem_effect effect, const struct heddle_shmem_arguments *arguments)
{
	switch (effect) {
	case HEDDLE_SHMEM_EFFECT_COMPLETE:
	case HEDDLE_SHMEM_EFFECT_MEET:
		call->completes = true;
		break;
	case HEDDLE_SHMEM_EFFECT_LOCK:
		call->lock = heddle__shmem_number(arguments->symmetric);
		break;
	case HEDDLE_SHMEM_EFFECT_RELEASE:
		heddle__shmem_block_remove(arguments->symmetric);
		break;
	case HEDDLE_SHMEM_EFFECT_EXIT:
		measure->end_process();
		break;
	default:
		heddle__shmem_set_collective(call, effect, arguments);
	}
}

/* Hides calls of MPI within the call, if only MPI is measured: they are not the program's. */
static bool hide_only(struct heddle_shmem_call *call)
{
	call->event = NULL;
	call->hidden = heddle_mpi_hide ? heddle_mpi_hide(call->from.sp) : 0;
	return heddle_mpi_hide;
}

/* Returns true if the call is measured, or hides others; `leave` must then end it. */
__attribute__((always_inline)) static inline bool enter(enum number number, enum heddle_shmem_effect effect,
	struct heddle_shmem_call *call, const struct heddle_shmem_arguments *arguments)
{
	if (call->from.sp < outermost || call->from.pc - heddle__shmem_code < heddle__shmem_code_size)
		return false;
	if (HEDDLE_UNLIKELY(!measure))
		return hide_only(call);
	if (effect == HEDDLE_SHMEM_EFFECT_COUNT) {
		measure->count(&events[number]);
		return false;
	}
	if (HEDDLE_UNLIKELY(outermost))
		end_abandoned();
	outermost = call->from.sp;
	call->event = &events[number];
	call->context = arguments->context == heddle__shmem_default_context ? 0 : (uintptr_t)arguments->context;
	call->size = arguments->size;
	call->pe = -1;
	call->variable = 0;
	call->completes = call->moves = call->meets_all = false;
	call->bytes_got = call->bytes_put = call->allocated = call->group = call->lock = 0;
	call->root = -1;
	if (effect == HEDDLE_SHMEM_EFFECT_ACCESS || effect == HEDDLE_SHMEM_EFFECT_LATER) {
		set_access(call, arguments);
		call->ways |= effect == HEDDLE_SHMEM_EFFECT_LATER ? HEDDLE_SHMEM_LATER : 0;
	} else if (effect != HEDDLE_SHMEM_EFFECT_TIME) {
		set_effect(call, effect, arguments);
	}
	measure->begin(call);
	open_event = call->opened ? call->event : NULL;
	call->hidden = heddle_mpi_hide ? heddle_mpi_hide(call->from.sp) : 0;
	return true;
}

static void begin_as_pe(void)
{
	heddle__shmem_ask_pes();
	if (heddle__shmem_pe() >= 0)
		measure->ranks((uint32_t)heddle__shmem_pe(), (uint32_t)heddle__shmem_pes());
}

/* `result`: the returned pointer or number, as a word; 0: none. */
__attribute__((always_inline)) static inline void leave(
	enum heddle_shmem_effect effect, struct heddle_shmem_call *call, uintptr_t result)
{
	if (heddle_mpi_hide)
		heddle_mpi_hide(call->hidden);
	if (HEDDLE_UNLIKELY(!call->event))
		return;
	if (effect == HEDDLE_SHMEM_EFFECT_INIT)
		begin_as_pe();
	if (effect == HEDDLE_SHMEM_EFFECT_ALLOCATE && result) {
		call->allocated = call->size;
		heddle__shmem_heap_is_at((const void *)result);
	}
	if (effect == HEDDLE_SHMEM_EFFECT_LOCK)
		call->locked = result == 0; /* shmem_test_lock: 1 if it was locked before */
	measure->end(call);
	if (effect == HEDDLE_SHMEM_EFFECT_ALLOCATE && call->described)
		heddle__shmem_block_add((const void *)result, call->size, call->described);
	open_event = NULL;
	outermost = 0;
}

/* ---- the functions ---- */

#define RESULT_NONE(type) void
#define RESULT_TYPE(type) type
#define RESULT_INT(type) int
#define RESULT_SIZE(type) size_t
#define RESULT_POINTER(type) void *

/* Called if a program looks up a function that the library lacks, and finds the wrapper. */
#define LACKING_NONE(type) return
#define LACKING_TYPE(type) return (type)0
#define LACKING_INT(type) return -1
#define LACKING_SIZE(type) return 0
#define LACKING_POINTER(type) return NULL

#define TAKE_NONE(type)
#define TAKE_TYPE(type) type result =
#define TAKE_INT(type) int result =
#define TAKE_SIZE(type) size_t result =
#define TAKE_POINTER(type) void *result =

#define GIVEN_NONE 0
#define GIVEN_TYPE 0
#define GIVEN_INT (uintptr_t) result
#define GIVEN_SIZE 0
#define GIVEN_POINTER (uintptr_t) result

#define GIVE_NONE
#define GIVE_TYPE return result;
#define GIVE_INT return result;
#define GIVE_SIZE return result;
#define GIVE_POINTER return result;

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OF(what, shape) JOIN(what, HEDDLE_SHMEM_RESULT_##shape)

#define M(name, shape, type, effect, category, role)                                                                \
	HEDDLE_EXPORT OF(RESULT_, shape)(type) name(HEDDLE_SHMEM_PARAMETERS_##shape(type));                         \
	HEDDLE_EXPORT OF(RESULT_, shape)(type) name(HEDDLE_SHMEM_PARAMETERS_##shape(type))                          \
	{                                                                                                           \
		OF(RESULT_, shape)                                                                                  \
		(type) (*next)(HEDDLE_SHMEM_PARAMETERS_##shape(type)) =                                             \
			(OF(RESULT_, shape)(type)(*)(HEDDLE_SHMEM_PARAMETERS_##shape(type)))real_of(NUMBER_##name); \
		if (!next)                                                                                          \
			OF(LACKING_, shape)                                                                         \
		(type);                                                                                             \
		struct heddle_shmem_call call;                                                                      \
		call.from = heddle__call_here();                                                                    \
		const struct heddle_shmem_arguments arguments = {HEDDLE_SHMEM_MEANING_##shape(type)};               \
		bool measured = enter(NUMBER_##name, HEDDLE_SHMEM_EFFECT_##effect, &call, &arguments);              \
		OF(TAKE_, shape)(type) next(HEDDLE_SHMEM_ARGUMENTS_##shape);                                        \
		if (measured)                                                                                       \
			leave(HEDDLE_SHMEM_EFFECT_##effect, &call, OF(GIVEN_, shape));                              \
		OF(GIVE_, shape)                                                                                    \
	}
HEDDLE_SHMEM_FUNCTIONS
#undef M

/* ---- shmem_pcontrol, the only function with a variable number of arguments ---- */

HEDDLE_EXPORT void shmem_pcontrol(int level, uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4);
HEDDLE_EXPORT void shmem_pcontrol(int level, uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4)
{
	void (*next)(int, ...) = (void (*)(int, ...))heddle__shmem_symbol("shmem_pcontrol");
	if (measure)
		measure->control(level);
	if (next) /* arguments after the level are for other tools only */
		next(level, a0, a1, a2, a3, a4);
}

/* Attaching starts libheddle.so, if it has not started. */
__attribute__((constructor)) static void at_load(void)
{
	events[NUMBER_shmem_sync_deprecated].label = "shmem_sync"; /* which Open MPI 5's header makes this of */
	if (heddle_shmem_attach)
		measure = heddle_shmem_attach(HEDDLE_SHMEM_INTERFACE, events, NUMBERS);
	variables = measure && measure->wants_variables();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contexts that gasp_init returns: one per thread and model, valid until the process ends. A context belongs to its
 * thread, except for its user events, which a worker without user events of its own may use, too.
 */
#ifndef HEDDLE_MODELS_UPC_CONTEXT_H
#define HEDDLE_MODELS_UPC_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/likely.h"
#include "core/threads/thread.h"
#include "heddle/gasp.h"

#define HEDDLE_UPC_C_MODEL (-1) /* the model of a C program's context, by pupc.h */
#define HEDDLE_UPC_ARGUMENTS 12 /* arguments of a user event that are measured, at most */
#define HEDDLE_UPC_USER_BLOCK 512u
#define HEDDLE_UPC_USER_BLOCKS 256u

/* How an argument of a user event is passed. */
enum heddle_upc_class {
	HEDDLE_UPC_CLASS_INT,
	HEDDLE_UPC_CLASS_UNSIGNED,
	HEDDLE_UPC_CLASS_LONG,
	HEDDLE_UPC_CLASS_UNSIGNED_LONG,
	HEDDLE_UPC_CLASS_DOUBLE,
	HEDDLE_UPC_CLASS_LONG_DOUBLE,
	HEDDLE_UPC_CLASS_SKIP_INT, /* a width, a precision, a character */
	HEDDLE_UPC_CLASS_SKIP_POINTER,
	HEDDLE_UPC_CLASS_TEXT_CUT,   /* at most as many bytes as the argument before it says */
	HEDDLE_UPC_CLASS_TEXT = 128, /* added to the number of its bytes, at most HEDDLE_UPC_TEXT_BYTES */
};

#define HEDDLE_UPC_TEXT_BYTES 63 /* of a text, at most */

struct heddle_upc_user_event {
	uint32_t name;                         /* number in the string table */
	uint32_t text;                         /* number of the description plus 1; 0: none */
	uint8_t count;                         /* number of arguments */
	uint8_t classes[HEDDLE_UPC_ARGUMENTS]; /* enum heddle_upc_class */
};

struct _gasp_context_S {
	struct _gasp_context_S *next; /* of the same thread */
	int model;                    /* gasp_model_t or HEDDLE_UPC_C_MODEL */
	bool ended;                   /* has reported its exit event */
	unsigned int user_first, user_last;
	_Atomic unsigned int user_count;
	struct heddle_upc_user_event *user_events[HEDDLE_UPC_USER_BLOCKS];
};

/* The calling thread's context of that model, created if necessary; NULL: no memory. Context: any thread, no signal. */
struct _gasp_context_S *heddle__upc_context(int model);

/* Returns the calling thread's context of that model if it exists; else NULL. Context: any thread. */
struct _gasp_context_S *heddle__upc_context_known(int model);

/* Returns the first context of that model in the process that has user events; NULL: none. Context: any thread. */
const struct _gasp_context_S *heddle__upc_creator(int model);

/*
 * Returns the context in which C code creates user events: that of the thread's UPC code, if any, since a number may
 * come from either and must identify one event (GASP 1.5, section 5.3). NULL: the thread has neither yet. Context: any
 * thread.
 */
struct _gasp_context_S *heddle__upc_context_of_creation(void);

/*
 * Returns the context to which a user event's number belongs. A thread without a context, such as an OpenMP worker, has
 * received the number from the thread that creates events in UPC code. Context: any thread, no signal.
 */
struct _gasp_context_S *heddle__upc_context_of_number(void);

/* Records that the context has user events. Context: owner thread. */
void heddle__upc_creates(const struct _gasp_context_S *context);

/*
 * Returns the user event of that number, or NULL. Numbers belong to one thread; a thread without user events, such as
 * an OpenMP worker, has received the number from another thread. Context: owner thread.
 */
static inline const struct heddle_upc_user_event *heddle__upc_user_event(
	const struct _gasp_context_S *context, unsigned int number)
{
	unsigned int index = number - context->user_first;
	unsigned int count = atomic_load_explicit(&context->user_count, memory_order_relaxed);
	if (HEDDLE_UNLIKELY(!count) && (context = heddle__upc_creator(context->model)))
		count = atomic_load_explicit(&context->user_count, memory_order_acquire);
	if (index >= count)
		return NULL;
	return &context->user_events[index / HEDDLE_UPC_USER_BLOCK][index % HEDDLE_UPC_USER_BLOCK];
}

/* Returns how many contexts of UPC threads in this process have no exit event yet. Context: any thread. */
unsigned int heddle__upc_contexts_open(void);
void heddle__upc_context_ended(struct _gasp_context_S *context);

#endif

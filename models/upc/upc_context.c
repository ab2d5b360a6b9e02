/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates and finds contexts. They are never freed: a GASP client may use one until the process ends. */
#include "models/upc/upc_context.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/base/memory.h"
#include "heddle/gasp_upc.h"
#include "models/upc/upc_vocabulary.h"

static _Thread_local struct _gasp_context_S *own; /* contexts of this thread */
static _Atomic unsigned int open;

/* Indexed by the model plus 1. */
static const struct _gasp_context_S *_Atomic creators[GASP_MODEL_SHMEM + 2];

struct _gasp_context_S *heddle__upc_context_known(int model)
{
	struct _gasp_context_S *context = own;
	while (context && context->model != model)
		context = context->next;
	return context;
}

struct _gasp_context_S *heddle__upc_context(int model)
{
	struct _gasp_context_S *context = heddle__upc_context_known(model);
	if (context)
		return context;
	heddle__upc_vocabulary_init();
	context = heddle__map(sizeof(*context));
	if (!context)
		return NULL;
	context->model = model;
	bool compiled = model == GASP_MODEL_UPC;
	context->user_first = compiled ? heddle__upc_vocabulary.user_first : GASP_UPC_USEREVT_START;
	context->user_last = compiled ? heddle__upc_vocabulary.user_last : GASP_UPC_USEREVT_END;
	context->next = own;
	own = context;
	if (compiled)
		atomic_fetch_add(&open, 1);
	return context;
}

static const struct _gasp_context_S *_Atomic *creator_of(int model)
{
	unsigned int index = (unsigned int)(model + 1);
	return index < sizeof(creators) / sizeof(creators[0]) ? &creators[index] : NULL;
}

const struct _gasp_context_S *heddle__upc_creator(int model)
{
	const struct _gasp_context_S *_Atomic *creator = creator_of(model);
	return creator ? atomic_load_explicit(creator, memory_order_acquire) : NULL;
}

struct _gasp_context_S *heddle__upc_context_of_creation(void)
{
	struct _gasp_context_S *context = heddle__upc_context_known(GASP_MODEL_UPC);
	return context ? context : heddle__upc_context_known(HEDDLE_UPC_C_MODEL);
}

struct _gasp_context_S *heddle__upc_context_of_number(void)
{
	struct _gasp_context_S *context = heddle__upc_context_of_creation();
	if (!context) /* the context of another thread, whose user events are only read */
		context = (struct _gasp_context_S *)heddle__upc_creator(GASP_MODEL_UPC);
	return context ? context : heddle__upc_context(HEDDLE_UPC_C_MODEL);
}

void heddle__upc_creates(const struct _gasp_context_S *context)
{
	const struct _gasp_context_S *none = NULL, *_Atomic *creator = creator_of(context->model);
	if (creator)
		atomic_compare_exchange_strong(creator, &none, context);
}

unsigned int heddle__upc_contexts_open(void)
{
	return atomic_load(&open);
}

void heddle__upc_context_ended(struct _gasp_context_S *context)
{
	if (!context->ended && context->model == GASP_MODEL_UPC)
		atomic_fetch_sub(&open, 1);
	context->ended = true;
}

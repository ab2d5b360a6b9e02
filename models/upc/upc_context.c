/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/upc/upc_context.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/memory.h"
#include "heddle/gasp_upc.h"
#include "models/upc/upc_vocabulary.h"

static _Thread_local struct _gasp_context_S *own; /* of this thread */
static _Atomic unsigned int open;

static struct _gasp_context_S *find(int model)
{
	struct _gasp_context_S *context = own;
	while (context && context->model != model)
		context = context->next;
	return context;
}

struct _gasp_context_S *heddle__upc_context(int model)
{
	struct _gasp_context_S *context = find(model);
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

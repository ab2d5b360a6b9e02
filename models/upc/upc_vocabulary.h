/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meaning of the event numbers of a process's UPC compiler, from the program's bridge or, as a fallback, from
 * functions that only one family of compilers has. Heddle's own numbers are always accepted. A number in no vocabulary
 * gets a generated name.
 */
#ifndef HEDDLE_MODELS_UPC_VOCABULARY_H
#define HEDDLE_MODELS_UPC_VOCABULARY_H

#include <stdbool.h>

#include "heddle/gasp.h"
#include "heddle/upc_bridge.h"
#include "models/upc/upc_names.h"

#define HEDDLE_UPC_DENSE 2048u
#define HEDDLE_UPC_OWN 128u

struct heddle_upc_vocabulary {
	const struct heddle_upc_kind *dense[HEDDLE_UPC_DENSE]; /* indexed by the compiler's small numbers */
	const struct heddle_upc_kind *own[HEDDLE_UPC_OWN];     /* GASP_HEDDLE_EVENT(n) */
	unsigned int user_first, user_last;
	const void *nb_trivial[2];
	const struct heddle_upc_bridge *bridge; /* NULL: none */
};

extern struct heddle_upc_vocabulary heddle__upc_vocabulary;

/* Determines the process's vocabulary, once. Context: any thread, not a signal handler. */
void heddle__upc_vocabulary_init(void);

/*
 * Returns the kind of a number in neither table, created if necessary, with the model (gasp_model_t) in its name. Never
 * NULL. Context: any thread, not a signal handler.
 */
const struct heddle_upc_kind *heddle__upc_other_kind(int model, unsigned int number);

/* Returns the kind of a number in the tables, or NULL. Context: any thread, signal. */
static inline const struct heddle_upc_kind *heddle__upc_known_kind(int model, unsigned int number)
{
	if (number < HEDDLE_UPC_DENSE && model == GASP_MODEL_UPC)
		return heddle__upc_vocabulary.dense[number];
	number -= GASP_HEDDLE_EVENTS;
	return number < HEDDLE_UPC_OWN ? heddle__upc_vocabulary.own[number] : NULL;
}

/* Returns the kind of a number. Context: any thread, not a signal handler. */
static inline const struct heddle_upc_kind *heddle__upc_kind(int model, unsigned int number)
{
	const struct heddle_upc_kind *kind = heddle__upc_known_kind(model, number);
	return kind ? kind : heddle__upc_other_kind(model, number);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programming models as their front ends describe them. Core knows a model by its number alone; what the descriptor
 * says about names is written to the profile (message Model of the schema), where the reader finds it. Descriptors are
 * const and stay. Core must name no model.
 */
#ifndef HEDDLE_CORE_MODEL_H
#define HEDDLE_CORE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ids.h"

#define HEDDLE_MODELS_MAX 8

/* Code known by its name: patterns as of format/pattern.h. A list ends with a kind of 0. */
struct heddle_code_name {
	uint8_t kind; /* enum heddle_named_code */
	const char *pattern;
	const char *shown; /* NULL: under its own name */
};

/* A shared library that belongs to the runtime, by its file's name. A list ends with a NULL pattern. */
struct heddle_model_library {
	const char *pattern;
	const char *with; /* only once a library of this pattern was loaded, too; NULL: always */
};

/* As of message Model; texts may be NULL. */
struct heddle_model {
	const char *name; /* as of its events (struct heddle_event) */
	const char *label;
	const char *state;
	const char *worker; /* what a thread is called that its runtime created: Thread.role of the profile */
	const char *rank, *ranks;
	const char *section;
	const char *generated;
	bool blocks;
	const struct heddle_model_library *libraries; /* NULL: none */
	const struct heddle_code_name *code;          /* NULL: none */
	/*
	 * True if an address in its runtime is in a routine that the program calls for what it returns: then the time
	 * is the program's. NULL: there is none. Context: any thread, signal.
	 */
	bool (*is_call)(uintptr_t address);
};

/*
 * The number of a model from now on, 1, 2, ...; that which it has if it was registered before; 0: no room.
 * Context: init.
 */
unsigned int heddle__model_register(const struct heddle_model *model);

/* The number of a registered model; 0: it is not, or it is NULL. Context: any thread, signal. */
unsigned int heddle__model_number(const struct heddle_model *model);

/* How many are registered, and one by its number; NULL: there is none. Context: any thread, signal. */
unsigned int heddle__models(void);
const struct heddle_model *heddle__model(unsigned int number);

/* The number of the model to whose runtime a library of that name belongs by itself; 0: none. Context: any thread. */
unsigned int heddle__model_of_library(const char *name);

/* The same for one that does only once `loaded`, another library, was. Context: any thread. */
unsigned int heddle__model_of_library_with(const char *name, const char *loaded);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programming models as their front ends describe them. Core identifies a model by its number; the names in its
 * descriptor are written to the profile (message Model of the schema) for the reader. Descriptors are const and stay
 * valid. Core must not name any model.
 */
#ifndef HEDDLE_CORE_MODEL_H
#define HEDDLE_CORE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ids.h"

#define HEDDLE_MODELS_MAX 8

/* Code that is recognized by its name, with patterns of format/pattern.h. A list ends with a kind of 0. */
struct heddle_code_name {
	uint8_t kind; /* enum heddle_named_code */
	const char *pattern;
	const char *shown; /* NULL: under its own name */
};

/* A shared library that belongs to the runtime, by its file's name. A list ends with a NULL pattern. */
struct heddle_model_library {
	const char *pattern;
	const char *with; /* only if a library of this pattern was loaded, too; NULL: always */
};

/* Members as in message Model; texts may be NULL. */
struct heddle_model {
	const char *name; /* as in its events (struct heddle_event) */
	const char *label;
	const char *state;
	const char *worker; /* name of threads that its runtime created */
	const char *rank, *ranks;
	const char *section;
	const char *generated;
	bool blocks;
	const struct heddle_model_library *libraries; /* NULL: none */
	const struct heddle_code_name *code;          /* NULL: none */
	/*
	 * Returns true for an address in a routine of its runtime that the program calls for its result, such as a
	 * query: its time counts as the program's. NULL: no such routines. Context: any thread, signal.
	 */
	bool (*is_call)(uintptr_t address);
};

/*
 * Registers a model. Returns its number, 1, 2, ..., which is the previous one if it was registered before; 0: no room.
 * Context: init.
 */
unsigned int heddle__model_register(const struct heddle_model *model);

/* Returns the number of a registered model; 0: not registered, or NULL. Context: any thread, signal. */
unsigned int heddle__model_number(const struct heddle_model *model);

/* Return the number of registered models, and a model by its number (NULL: none). Context: any thread, signal. */
unsigned int heddle__models(void);
const struct heddle_model *heddle__model(unsigned int number);

/* Returns the number of the model whose runtime includes a library of that name; 0: none. Context: any thread. */
unsigned int heddle__model_of_library(const char *name);

/* Like heddle__model_of_library(), for libraries that count only once `loaded` was loaded, too. Context: any thread. */
unsigned int heddle__model_of_library_with(const char *name, const char *loaded);

#endif

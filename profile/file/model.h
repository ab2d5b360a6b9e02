/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programming models as a profile describes them. All that the reader knows about a model is here: it must not know any
 * model by name, except for files that describe none (profile/file/old_models.h).
 */
#ifndef HEDDLE_PROFILE_MODEL_H
#define HEDDLE_PROFILE_MODEL_H

#include "format/ids.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_code_name {
	uint32_t kind;       /* enum heddle_named_code; unknown kinds match nothing */
	const char *pattern; /* format/pattern.h */
	const char *shown;   /* "": its own name */
};

/* The texts of Model in the schema, never NULL. */
struct profile_model {
	const char *name, *label, *state, *rank, *ranks, *section, *generated;
	bool blocks;
	const struct profile_code_name *code;
	size_t code_count;
};

/* Models by number. Number 0 means no model: its texts are empty and it has no code names. */
struct profile_models {
	struct profile_model *items;
	size_t count, capacity;
};

/*
 * Adds a model, or finds it by name, and sets *number. Its texts must stay valid; its code names are copied. Returns 0
 * or a negative error.
 */
int profile_models_add(struct profile_models *models, const struct profile_model *model, uint32_t *number);
void profile_models_free(struct profile_models *models);

/* Returns the number of the model with that name, or 0 if there is none. */
uint32_t profile_models_find(const struct profile_models *models, const char *name);

/* Returns the model with that name, or the empty model if there is none. */
const struct profile_model *profile_models_named(const struct profile_models *models, const char *name);

/* Returns the model's name in reports. */
const char *profile_model_label(const struct profile_model *model);

/* True if the model names code of that kind at all. */
bool profile_model_names(const struct profile_model *model, enum heddle_named_code kind);

/* Returns the first of the model's code names of that kind that matches `name`; NULL: none. */
const struct profile_code_name *profile_model_match(
	const struct profile_model *model, enum heddle_named_code kind, const char *name);

/* Like profile_model_match, but searches all models. */
const struct profile_code_name *profile_models_match(
	const struct profile_models *models, enum heddle_named_code kind, const char *name);

/*
 * True if `name` is a function of a runtime that may be linked into the program, or one that compiled code calls
 * without the user's doing. False for main.
 */
bool profile_models_is_linked(const struct profile_models *models, const char *name);

#endif

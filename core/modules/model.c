/* SPDX-License-Identifier: BSD-3-Clause */
/* The registered models. Registration ends before threads other than the first are measured, so no lock is taken. */
#include "core/modules/model.h"

#include <stdatomic.h>
#include <stddef.h>

#include "format/pattern.h"

static const struct heddle_model *models[HEDDLE_MODELS_MAX];
static _Atomic unsigned int count;

unsigned int heddle__models(void)
{
	return atomic_load_explicit(&count, memory_order_acquire);
}

unsigned int heddle__model_number(const struct heddle_model *model)
{
	unsigned int registered = heddle__models();
	for (unsigned int i = 0; model && i < registered; i++) {
		if (models[i] == model)
			return i + 1;
	}
	return 0;
}

unsigned int heddle__model_register(const struct heddle_model *model)
{
	unsigned int number = heddle__model_number(model), registered = heddle__models();
	if (number || !model || registered == HEDDLE_MODELS_MAX)
		return number;
	models[registered] = model;
	atomic_store_explicit(&count, registered + 1, memory_order_release);
	return registered + 1;
}

const struct heddle_model *heddle__model(unsigned int number)
{
	return number && number <= heddle__models() ? models[number - 1] : NULL;
}

static bool belongs(const struct heddle_model_library *library, const char *name, const char *loaded)
{
	if (!loaded != !library->with)
		return false;
	return heddle__pattern_matches(library->pattern, name) &&
	       (!loaded || heddle__pattern_matches(library->with, loaded));
}

unsigned int heddle__model_of_library_with(const char *name, const char *loaded)
{
	for (unsigned int number = 1; number <= heddle__models(); number++) {
		const struct heddle_model_library *library = heddle__model(number)->libraries;
		for (; library && library->pattern; library++) {
			if (belongs(library, name, loaded))
				return number;
		}
	}
	return 0;
}

unsigned int heddle__model_of_library(const char *name)
{
	return heddle__model_of_library_with(name, NULL);
}

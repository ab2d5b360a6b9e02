/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of models, and their name patterns. Must not depend on any model. */
#include "profile/file/model.h"

#include "format/pattern.h"
#include "profile/base/errors.h"
#include "profile/base/intern.h"

#include <stdlib.h>
#include <string.h>

static const struct profile_model none = {
	.name = "", .label = "", .state = "", .rank = "", .ranks = "", .section = "", .generated = ""};

static int append(struct profile_models *models, const struct profile_model *model)
{
	struct profile_code_name *code = calloc(model->code_count + 1, sizeof(*code));
	if (!code ||
		profile_reserve(&models->items, &models->capacity, models->count + 1, sizeof(*models->items)) != 0) {
		free(code);
		return -ENOMEM;
	}
	if (model->code_count)
		memcpy(code, model->code, model->code_count * sizeof(*code));
	models->items[models->count] = *model;
	models->items[models->count++].code = code;
	return 0;
}

uint32_t profile_models_find(const struct profile_models *models, const char *name)
{
	for (size_t i = 1; i < models->count; i++)
		if (strcmp(models->items[i].name, name) == 0)
			return (uint32_t)i;
	return 0;
}

int profile_models_add(struct profile_models *models, const struct profile_model *model, uint32_t *number)
{
	int error = models->count ? 0 : append(models, &none);
	*number = profile_models_find(models, model->name);
	if (error || *number || !*model->name)
		return error;
	if (models->count >= HEDDLE_MODEL_LIMIT)
		return -HEDDLE_TOO_BIG;
	*number = (uint32_t)models->count;
	return append(models, model);
}

void profile_models_free(struct profile_models *models)
{
	for (size_t i = 0; i < models->count; i++)
		free((void *)models->items[i].code);
	free(models->items);
	*models = (struct profile_models){0};
}

const struct profile_model *profile_models_named(const struct profile_models *models, const char *name)
{
	uint32_t number = profile_models_find(models, name);
	return number ? &models->items[number] : &none;
}

const char *profile_model_label(const struct profile_model *model)
{
	return *model->label ? model->label : model->name;
}

bool profile_model_names(const struct profile_model *model, enum heddle_named_code kind)
{
	for (size_t i = 0; i < model->code_count; i++)
		if (model->code[i].kind == kind)
			return true;
	return false;
}

const struct profile_code_name *profile_model_match(
	const struct profile_model *model, enum heddle_named_code kind, const char *name)
{
	for (size_t i = 0; i < model->code_count; i++)
		if (model->code[i].kind == kind && heddle__pattern_matches(model->code[i].pattern, name))
			return &model->code[i];
	return NULL;
}

const struct profile_code_name *profile_models_match(
	const struct profile_models *models, enum heddle_named_code kind, const char *name)
{
	const struct profile_code_name *found = NULL;
	for (size_t i = 1; !found && i < models->count; i++)
		found = profile_model_match(&models->items[i], kind, name);
	return found;
}

bool profile_models_is_linked(const struct profile_models *models, const char *name)
{
	for (size_t i = 1; i < models->count; i++) {
		const struct profile_model *model = &models->items[i];
		if (!profile_model_match(model, HEDDLE_NAMED_RUNTIME, name) &&
			!profile_model_match(model, HEDDLE_NAMED_SERVICE, name))
			continue;
		if (!profile_model_match(model, HEDDLE_NAMED_MAIN, name))
			return true;
	}
	return false;
}

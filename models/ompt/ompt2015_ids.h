/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the report's runtimes name by numbers, and OpenMP 5's by a word of the tool's: a table from the one to the
 * other, without locks. Records are used again, so memory grows with what is alive at once.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT2015_IDS_H
#define HEDDLE_MODELS_OMPT_OMPT2015_IDS_H

#include <stdatomic.h>
#include <stdint.h>

#include "models/ompt/ompt5.h"

struct heddle_ompt_named {
	ompt_data_t data; /* first: the front end knows tasks by this word's address */
	_Atomic uint64_t id;
	struct heddle_ompt_named *next;
};

enum heddle_ompt_names {
	HEDDLE_OMPT_PARALLEL_IDS,
	HEDDLE_OMPT_TASK_IDS,
	HEDDLE_OMPT_TARGET_IDS, /* of tasks, whose devices' records may come later */
	HEDDLE_OMPT_DEVICE_IDS, /* of activities on a device */
	HEDDLE_OMPT_NAMES
};

/* The record of that number, made and empty if there is none. NULL: the number is invalid, or no memory. */
struct heddle_ompt_named *heddle__ompt_name_take(enum heddle_ompt_names names, uint64_t id);

/* Its record, or NULL. Context: any thread, signal. */
struct heddle_ompt_named *heddle__ompt_name_find(enum heddle_ompt_names names, uint64_t id);

/* All numbers are invalid: the runtime starts, and may give them again. */
void heddle__ompt_names_forget(void);

/* Nothing has that number any more; NULL is allowed. */
void heddle__ompt_name_drop(struct heddle_ompt_named *named);

#endif

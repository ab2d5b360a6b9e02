/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report's runtimes identify objects by numbers, OpenMP 5's by a data word of the tool: a table from one to the
 * other, without locks. Records are recycled, so memory grows with the number of objects alive at once.
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
	HEDDLE_OMPT_TASK_FRAMES, /* addresses, by which a task is known after its end */
	HEDDLE_OMPT_TARGET_IDS,  /* of tasks; their devices' records may come later */
	HEDDLE_OMPT_DEVICE_IDS,  /* of activities on a device */
	HEDDLE_OMPT_NAMES
};

/* The record for that number, created empty if there is none. NULL: the number is invalid, or no memory. */
struct heddle_ompt_named *heddle__ompt_name_take(enum heddle_ompt_names names, uint64_t id);

/* The record for that number, or NULL. Context: any thread, signal. */
struct heddle_ompt_named *heddle__ompt_name_find(enum heddle_ompt_names names, uint64_t id);

/* Invalidate all numbers: the runtime starts, and may reuse them. */
void heddle__ompt_names_forget(void);

/* Free the record: its number is no longer used; NULL is allowed. */
void heddle__ompt_name_drop(struct heddle_ompt_named *named);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report's runtimes identify objects by numbers, OpenMP 5's by a data word of the tool. This is a table from
 * numbers to data words, without locks. Records are recycled, so memory grows with the number of objects alive at once.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT2015_IDS_H
#define HEDDLE_MODELS_OMPT_OMPT2015_IDS_H

#include <stdatomic.h>
#include <stdint.h>

#include "models/ompt/ompt5.h"

struct heddle_ompt_named {
	ompt_data_t data; /* first: the front end identifies tasks by the address of this word */
	_Atomic uint64_t id;
	struct heddle_ompt_named *next;
};

enum heddle_ompt_names {
	HEDDLE_OMPT_PARALLEL_IDS,
	HEDDLE_OMPT_TASK_IDS,
	HEDDLE_OMPT_TASK_FRAMES, /* addresses of frame structures, by which a task is found after its end */
	HEDDLE_OMPT_TARGET_IDS,  /* of tasks; records of their devices may arrive later */
	HEDDLE_OMPT_DEVICE_IDS,  /* of activities on a device */
	HEDDLE_OMPT_NAMES
};

/*
 * Returns the record for that number, created empty if there is none. NULL: the number is invalid, or memory is
 * exhausted.
 */
struct heddle_ompt_named *heddle__ompt_name_take(enum heddle_ompt_names names, uint64_t id);

/* Returns the record for that number, or NULL. Context: any thread, signal. */
struct heddle_ompt_named *heddle__ompt_name_find(enum heddle_ompt_names names, uint64_t id);

/* Invalidate all numbers, when a runtime starts, which may reuse them. */
void heddle__ompt_names_forget(void);

/* Free the record: its number is no longer used; NULL is allowed. */
void heddle__ompt_name_drop(struct heddle_ompt_named *named);

#endif

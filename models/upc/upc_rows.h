/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One row for each effect, with an act for an event's Start, End and Atomic form. A kind's row is chosen once, by what
 * is measured in this run, so an event checks only its type and whether control is on.
 */
#ifndef HEDDLE_MODELS_UPC_ROWS_H
#define HEDDLE_MODELS_UPC_ROWS_H

#include "models/upc/upc_notice.h"

/* Context: owner thread, inside. */
typedef void heddle_upc_act(struct heddle_thread *thread, struct heddle_upc_notice *notice);

struct heddle_upc_row {
	heddle_upc_act *act[2][3];                             /* by control (0: on, 1: off) and gasp_evttype_t */
	void (*after)(const struct heddle_upc_notice *notice); /* when the thread has left Heddle; NULL: nothing */
};

/* Choose the rows of heddle__upc_kinds. Context: init, when it is known what is measured. */
void heddle__upc_rows_choose(void);

/* The row of a kind; NULL: nothing is to be done. Context: any thread, after init. */
const struct heddle_upc_row *heddle__upc_row_of(const struct heddle_upc_kind *kind);

#endif

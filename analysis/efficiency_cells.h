/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classifies the nodes of the call-path tree for efficiency: by what time at a node was spent on, and by phase,
 * parallel region and part of a region. Nodes that are equal in phase, region and part are one cell.
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_CELLS_H
#define HEDDLE_ANALYSIS_EFFICIENCY_CELLS_H

#include "analysis/efficiency_factors.h"
#include "profile/base/intern.h"

/* What a thread spent time on. */
enum heddle_spent {
	HEDDLE_SPENT_USEFUL,
	HEDDLE_SPENT_EXCHANGE,   /* waits for other ranks, outside of parallel regions */
	HEDDLE_SPENT_EXCHANGING, /* in the run-time system of ranks, outside of parallel regions */
	HEDDLE_SPENT_BARRIER,    /* waits at a barrier of threads */
	HEDDLE_SPENT_WAIT,       /* other waits in a parallel region */
	HEDDLE_SPENT_RUNTIME,
	HEDDLE_SPENT_MEASURING,
	HEDDLE_SPENT_IDLE, /* a worker between parallel regions */
	HEDDLE_SPENT_OFF,  /* of blame, or off the processor */
	HEDDLE_SPENT_COUNT
};

struct heddle_cell {
	uint32_t phase;  /* number of the innermost phase; 0: none */
	uint32_t region; /* label of the outermost parallel region; HEDDLE_NO_LABEL: none */
	uint32_t unit;   /* label of the innermost worksharing or parallel region in it; or HEDDLE_NO_LABEL */
};

struct heddle_cells {
	struct heddle_cell *cells;
	size_t count, capacity;
	struct heddle_cell_phase {
		uint32_t label, parent; /* number of the enclosing phase; phase 0 is the run */
	} * phases;
	size_t phase_count, phase_capacity;
	uint32_t *of_node; /* by node of the measurement's tree */
	uint8_t *spent;    /* by node: enum heddle_spent */
};

/* Returns 0 or -ENOMEM. Free `cells` in any case. */
int heddle__cells_make(
	struct heddle_cells *cells, const struct profile_measurement *measurement, const struct profile_view *view);
void heddle__cells_free(struct heddle_cells *cells);

/* True if a cell is in a phase or in one nested in it. All cells are in phase 0. */
bool heddle__cell_is_in(const struct heddle_cells *cells, size_t cell, uint32_t phase);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With HEDDLE_ACCESSES: for each upc_forall and variable, sketches of the accesses to single remote elements
 * (core/base/access_sketch.h). At each end of the loop they become metrics of an OBJECT node below the loop's.
 */
#ifndef HEDDLE_MODELS_UPC_SKETCH_H
#define HEDDLE_MODELS_UPC_SKETCH_H

#include "core/base/access_sketch.h"
#include "core/threads/thread.h"

/* Pairs of a loop and a variable that a thread has sketches of: 80 KB each. Further ones are not sketched. */
#define HEDDLE_UPC_SKETCHES 128

struct heddle_upc_sketched {
	uint32_t leaf;   /* node of the access */
	uint32_t object; /* number of a description + 1; not 0 */
	uint64_t element, size;
	enum heddle_element_use use;
};

/* Context of all: owner thread, inside. */

/* Counts an access in the sketch of the innermost upc_forall; no effect if none is open. */
void heddle__upc_sketch_access(struct heddle_thread *thread, const struct heddle_upc_sketched *access);

/* A upc_forall ended: its region was popped last. */
void heddle__upc_sketch_loop_end(struct heddle_thread *thread);

/* All loops have ended. */
void heddle__upc_sketch_thread_end(struct heddle_thread *thread);

/* Drops all sketches, in the child of a fork: these accesses are the parent's. */
void heddle__upc_sketch_forget(struct heddle_thread *thread);

#endif

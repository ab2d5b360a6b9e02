/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model of a UPC program that runs on several machines: its ranks compute, meet at barriers (with one phase or two)
 * and in collectives, and acquire and release a lock. In the model's time, causes are earlier than effects; each
 * machine has its own clock, in which the traces are written.
 */
#ifndef HEDDLE_TESTS_UPC_MODEL_H
#define HEDDLE_TESTS_UPC_MODEL_H

#include "tests/profile/trace_builder.h"

#define MODEL_MACHINES 3
#define MODEL_RANKS 6 /* rank r is on machine r % MODEL_MACHINES */
#define MODEL_EVENTS 4096

struct model_clock {
	int64_t offset_ns;
	double drift;   /* 1e-4: 100 ppm fast */
	double wave_ns; /* its rate varies: it deviates by up to that much to both sides */
	double wave_period_ns;
};

enum model_kind { MODEL_ENTER, MODEL_LEAVE, MODEL_ACQUIRE, MODEL_RELEASE, MODEL_OTHER };

/* The events of a rank, in their order. */
struct model_event {
	enum model_kind kind;
	uint32_t node;   /* that begins; 0: the innermost region ends */
	uint32_t number; /* of the meeting, or of the lock's holder, counted over all ranks */
	uint64_t true_ns;
};

struct model {
	struct model_clock clocks[MODEL_MACHINES];
	struct {
		struct model_event events[MODEL_EVENTS];
		size_t count;
	} ranks[MODEL_RANKS];
	uint32_t meetings, owners;
	uint64_t end_ns;
};

/* Runs a program with that many meetings, and with uses of the lock in between if `locks`. */
void model_run(struct model *model, unsigned int seed, uint32_t meetings, int locks);

/* Returns a machine's clock at a time of the model. */
uint64_t model_local_ns(const struct model *model, size_t machine, uint64_t true_ns);

/*
 * Makes the trace of a rank. With `measured`, offsets are measured at the begin and the end, without error. Otherwise
 * machines have only their systems' clocks, which show the same time everywhere.
 */
void model_trace(const struct model *model, size_t rank, int measured, struct trace_builder *builder);

#endif

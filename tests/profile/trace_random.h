/* SPDX-License-Identifier: BSD-3-Clause */
/* Random records for traces made by tests, from rand(). */
#ifndef HEDDLE_TESTS_TRACE_RANDOM_H
#define HEDDLE_TESTS_TRACE_RANDOM_H

#include "format/ids.h"
#include "tests/profile/trace_builder.h"

/* What records may name, and the number of open entries. */
struct trace_random {
	uint32_t nodes, texts, counter;
	uint32_t depth;
};

/* A random number from 0 to limit - 1. */
uint32_t trace_some(uint32_t limit);

void trace_random_record(struct trace_builder *builder, struct trace_random *random);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random records of all kinds. Most are valid; an invalid one ends its thread's stream. */
#include "tests/profile/trace_random.h"

#include <stdlib.h>

uint32_t trace_some(uint32_t limit)
{
	return (uint32_t)rand() % limit;
}

void trace_random_record(struct trace_builder *builder, struct trace_random *random)
{
	uint32_t kind = trace_some(HEDDLE_TRACE_KINDS), node = trace_some(random->nodes);
	uint32_t perhaps = trace_some(2) ? node : TRACE_NO_NODE;
	uint64_t entries[] = {trace_entry(node, true), trace_entry(trace_some(random->nodes), false)};
	switch (kind) {
	case HEDDLE_TRACE_END:
		if (random->depth && trace_some(4))
			trace_end(builder, trace_some(1000));
		else if (random->depth)
			trace_task_return(builder, trace_some(1000));
		random->depth -= random->depth != 0;
		break;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		trace_begin(builder, trace_some(100000), node, kind == HEDDLE_TRACE_BEGIN);
		random->depth++;
		break;
	case HEDDLE_TRACE_OPEN:
		trace_open(builder, trace_some(100), node, trace_some(2));
		random->depth++;
		break;
	case HEDDLE_TRACE_STACK:
		trace_stack(builder, trace_some(100), 0, entries, 2);
		random->depth = 2;
		break;
	case HEDDLE_TRACE_VISIT:
		trace_visit(builder, trace_some(10), node);
		break;
	case HEDDLE_TRACE_SAMPLE:
		trace_sample(builder, trace_some(10), node, 1, trace_some(1000000), trace_some(1000));
		break;
	case HEDDLE_TRACE_IDLE:
		trace_idle(builder, trace_some(1000), node, trace_some(2));
		break;
	case HEDDLE_TRACE_ADD:
		trace_add(
			builder, perhaps, trace_some(4) ? HEDDLE_METRIC_ALLOCATED : random->counter, trace_some(5000));
		break;
	case HEDDLE_TRACE_DISTRIBUTE:
		trace_distribute(builder, perhaps, trace_some(3), trace_some(random->texts), trace_some(100) / 3.0);
		break;
	case HEDDLE_TRACE_ACCESS:
		trace_access(builder, perhaps, trace_some(8), (int64_t)trace_some(5) - 1, trace_some(9000));
		break;
	case HEDDLE_TRACE_ATTRIBUTE:
		trace_attribute(builder, 1 + trace_some(HEDDLE_TRACE_ATTRIBUTES - 1), trace_some(1000));
		break;
	case HEDDLE_TRACE_NUMBER:
		trace_number(builder, trace_some(4), 1 + trace_some(1000));
		break;
	case HEDDLE_TRACE_TASK_BEGIN:
		trace_task_begin(
			builder, trace_some(1000), 1 + trace_some(random->nodes - 1), trace_some(2), trace_some(5));
		random->depth++;
		break;
	default:
		trace_mark(builder, trace_some(100), 1 + trace_some(HEDDLE_TRACE_MARKS - 1), trace_some(1000));
	}
}

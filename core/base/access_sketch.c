/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of the executions of a loop, and the strides that occur often. These are found as Misra and Gries do: a stride
 * that is no candidate takes one from each candidate's count, or the place of one whose count is 0. So a stride of more
 * than a fifth of the accesses is a candidate at the end.
 */
#include "core/base/access_sketch.h"

void heddle__sketch_other_stride(struct heddle_access_sketch *sketch, int64_t distance)
{
	struct heddle_stride *strides = sketch->strides;
	int vacant = -1;
	for (int i = 0; i < HEDDLE_STRIDES; i++) {
		if (strides[i].distance == distance && strides[i].count) {
			strides[i].count++;
			return;
		}
		if (!strides[i].count)
			vacant = i;
	}
	if (vacant >= 0) {
		strides[vacant] = (struct heddle_stride){distance, 1};
		return;
	}
	for (int i = 0; i < HEDDLE_STRIDES; i++)
		strides[i].count--;
}

/* The most frequent candidate goes first, where the next execution finds it without a search. */
static void order_strides(struct heddle_stride *strides)
{
	for (int i = 1; i < HEDDLE_STRIDES; i++) {
		if (strides[i].count > strides[0].count) {
			struct heddle_stride most = strides[i];
			strides[i] = strides[0];
			strides[0] = most;
		}
	}
}

struct heddle_sketch_sums heddle__sketch_sums(const struct heddle_access_sketch *sketch)
{
	struct heddle_sketch_sums sums = sketch->ended;
	struct heddle_element_counts counts;
	if (!sketch->elements.count)
		return sums;
	counts = heddle__sample_estimate(&sketch->elements);
	sums.executions++;
	sums.counts.all += counts.all;
	sums.counts.read += counts.read;
	sums.counts.written += counts.written;
	if (counts.all > sums.most)
		sums.most = counts.all;
	return sums;
}

void heddle__sketch_end_execution(struct heddle_access_sketch *sketch)
{
	sketch->ended = heddle__sketch_sums(sketch);
	order_strides(sketch->strides);
	heddle__sample_clear(&sketch->elements);
}

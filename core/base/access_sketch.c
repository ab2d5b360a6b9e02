/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends an execution of a loop. The header has the inline code that runs at each access. */
#include "core/base/access_sketch.h"

#include <string.h>

struct heddle_sketch_summary heddle__sketch_end_execution(struct heddle_access_sketch *sketch)
{
	struct heddle_sketch_summary summary = sketch->summary;
	summary.elements = heddle__sample_estimate(&sketch->elements);
	summary.lines = heddle__sample_estimate(&sketch->lines).all;
	heddle__sample_clear(&sketch->elements);
	heddle__sample_clear(&sketch->lines);
	memset(sketch->recent, 0, sizeof(sketch->recent));
	sketch->summary = (struct heddle_sketch_summary){0};
	sketch->last = sketch->stride = 0;
	return summary;
}

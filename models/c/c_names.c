/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of event kinds; no code. */
#include "models/c/c_names.h"

struct heddle_event heddle__c_events[HEDDLE_C_EVENT_COUNT] = {
#define X(key, name_, label_, category_) \
	[HEDDLE_C_##key] = {"c", name_, label_, HEDDLE_CATEGORY_##category_, 0, true, false, 0, 0},
	HEDDLE_C_EVENTS(X)
#undef X
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LIKWID's marker interface (likwid.h of LIKWID 5). Each function here wraps LIKWID's own and calls it, too. A region
 * is a range of its thread; regions may overlap.
 */
#include "models/annotations/apis/api.h"

#define API "LIKWID"

typedef int marker(const char *region);

static int pass_on(const char *function, const char *region)
{
	marker *next = (marker *)heddle__api_next(function);
	return next ? next(region) : 0;
}

HEDDLE_EXPORT int likwid_markerStartRegion(const char *region);
HEDDLE_EXPORT int likwid_markerStartRegion(const char *region)
{
	struct heddle_call from = heddle__call_here();
	int result = pass_on("likwid_markerStartRegion", region);
	if (heddle__api)
		heddle__api->begin(&from, heddle__api_name(region, "region"), NULL);
	return result;
}

HEDDLE_EXPORT int likwid_markerStopRegion(const char *region);
HEDDLE_EXPORT int likwid_markerStopRegion(const char *region)
{
	if (heddle__api)
		heddle__api_end(heddle__api_name(region, "region"), API);
	return pass_on("likwid_markerStopRegion", region);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --blame` of ranks: by the trace if there is one, else by imbalance. */
#include "analysis/rank_blame.h"
#include "cli/base/exit_status.h"
#include "cli/report/report_traced.h"

#include <errno.h>
#include <stdlib.h>

static int charge(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct profile_trace *trace, const struct profile_trace_part *part)
{
	heddle__traced_begin(traced);
	int error = heddle__rank_blame_trace(measurement, trace, part, &traced->rank_waits_ns);
	heddle__traced_end(traced);
	traced->ranks_traced = true;
	return error;
}

int heddle__traced_blame(struct heddle_traced *traced, struct profile_measurement *measurement)
{
	struct profile_trace trace;
	char *bad_path = NULL;
	int error;
	if (traced->open) {
		error = charge(traced, measurement, &traced->trace, &traced->part);
		return error ? heddle__complain_file(measurement->path, error) : 0;
	}
	error = profile_trace_open(&trace, measurement, &bad_path);
	free(bad_path);
	if (error)
		return error == -ENOENT ? 0 : heddle__complain_file(measurement->path, error);
	struct profile_trace_part whole = {0, trace.end_ns};
	error = charge(traced, measurement, &trace, &whole);
	profile_trace_close(&trace);
	return error ? heddle__complain_file(measurement->path, error) : 0;
}

int heddle__traced_blame_without(struct heddle_traced *traced, struct heddle_session *session)
{
	if (traced->ranks_traced)
		return 0;
	int error = heddle__rank_blame_profile(&session->measurement, &session->view, &traced->rank_waits_ns);
	return error ? heddle__complain_file(session->measurement.path, error) : 0;
}

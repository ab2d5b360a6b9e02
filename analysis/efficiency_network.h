/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of a run with a trace: whether communication is lost to the network or to ranks that wait for each other's work, by
 * what the run would take on an ideal network (profile/trace/trace_ideal.h).
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_NETWORK_H
#define HEDDLE_ANALYSIS_EFFICIENCY_NETWORK_H

#include "analysis/efficiency_factors.h"
#include "profile/trace/trace.h"

struct heddle_efficiency_network {
	double ideal_ns; /* elapsed time of the run on an ideal network; 0: not known, and then nothing is */
	/* Their product is the factor communication of the run: 0 to 1. */
	double transfer, serialization;
	double transfer_loss, serialization_loss; /* of the time of all threads, 0 to 1 */
};

/*
 * Reads the trace. `factors`: of the whole run. Nothing is known of one rank, or if not all ranks have a trace that is
 * whole. 0 or a negative error.
 */
int heddle__efficiency_network_make(struct heddle_efficiency_network *network,
	const struct heddle_efficiency_factors *factors, const struct profile_view *view,
	const struct profile_trace *trace);

#endif

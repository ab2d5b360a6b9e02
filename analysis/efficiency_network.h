/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits the communication loss of a run with a trace into loss by the network, and loss by ranks that wait for the
 * work of others: compares with the time that the run would take on an ideal network (profile/trace/trace_ideal.h).
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_NETWORK_H
#define HEDDLE_ANALYSIS_EFFICIENCY_NETWORK_H

#include "analysis/efficiency_factors.h"
#include "profile/trace/trace.h"

struct heddle_efficiency_network {
	double ideal_ns; /* elapsed time of the run on an ideal network; 0: unknown, and so are all members */
	/* Their product is the run's factor communication: 0 to 1. */
	double transfer, serialization;
	double transfer_loss, serialization_loss; /* shares of the time of all threads, 0 to 1 */
};

/*
 * Reads the trace. `factors` are those of the whole run. The result is unknown for a single rank, or if a rank has no
 * complete trace. Returns 0 or a negative error.
 */
int heddle__efficiency_network_make(struct heddle_efficiency_network *network,
	const struct heddle_efficiency_factors *factors, const struct profile_view *view,
	const struct profile_trace *trace);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotients of sums that other tables have, too: the sum of all threads, and the length of the run. */
#include "analysis/efficiency.h"

#include "analysis/summary.h"
#include "analysis/thread_table.h"

bool heddle__efficiency_make(struct heddle_efficiency *efficiency, const struct profile_measurement *measurement)
{
	struct heddle_summary run = heddle__summarize(measurement);
	bool sampled = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME) != 0;
	struct heddle_thread_row all =
		heddle__thread_row_of_all(measurement, sampled ? HEDDLE_METRIC_CPU_TIME : HEDDLE_METRIC_WALL_TIME);
	*efficiency = (struct heddle_efficiency){.threads = all.workers,
		.elapsed_ns = run.end_ns - run.start_ns,
		.useful_ns = all.work,
		.most_useful_ns = all.most};
	/* A row of threads that ran one after the other may have more than the run's length. */
	if (!efficiency->elapsed_ns || !all.work || all.most > efficiency->elapsed_ns)
		return false;
	efficiency->load_balance = (double)all.work / ((double)all.workers * (double)all.most);
	efficiency->communication = (double)all.most / (double)efficiency->elapsed_ns;
	efficiency->parallel = efficiency->load_balance * efficiency->communication;
	return true;
}

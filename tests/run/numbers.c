/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers DIR: prints exact values where reports round: "KEY VALUE" lines, summed over processes. */
#include <inttypes.h>
#include <stdio.h>

#include "profile/file/measurement.h"

struct sums {
	uint64_t in_use, peak, wall_ns, lasted_ns;
	uint64_t state_ns[HEDDLE_STATE_COUNT]; /* elapsed time */
};

static void add_process(struct sums *sums, const struct profile_process *process)
{
	sums->in_use += process->info->memory_in_use;
	sums->peak += process->info->memory_peak;
	sums->lasted_ns += process->info->duration_ns;
	for (size_t t = 0; t < process->thread_count; t++) {
		sums->wall_ns += process->threads[t].wall_ns;
		for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
			sums->state_ns[s] += profile_thread_value(&process->threads[t], HEDDLE_METRIC_WALL_TIME, s);
	}
}

int main(int argc, char **argv)
{
	struct profile_measurement measurement;
	struct profile_load_options options = {.keep_threads = true};
	struct sums sums = {0};
	char *bad = NULL;

	if (argc != 2 || profile_measurement_open(&measurement, argv[1], &options, &bad) != 0)
		return 1;
	for (size_t p = 0; p < measurement.process_count; p++)
		if (measurement.processes[p].error == 0)
			add_process(&sums, &measurement.processes[p]);
	printf("processes %zu\nmemory_in_use %" PRIu64 "\nmemory_peak %" PRIu64 "\nthreads_wall_ns %" PRIu64
	       "\nlasted_ns %" PRIu64 "\n",
		measurement.process_count, sums.in_use, sums.peak, sums.wall_ns, sums.lasted_ns);
	for (int m = 0; m < HEDDLE_METRIC_COUNT; m++)
		printf("%s %" PRIu64 "\n",
			(const char *[]){
#define X(number, name, text, ...) [number] = text,
				HEDDLE_METRICS(X)
#undef X
			}[m],
			profile_measurement_total(&measurement, (enum heddle_metric)m));
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		printf("in_%s %" PRIu64 "\n",
			(const char *[]){
#define X(number, name, label) [number] = #name,
				HEDDLE_STATES(X)
#undef X
			}[s],
			sums.state_ns[s]);
	profile_measurement_close(&measurement);
	return 0;
}

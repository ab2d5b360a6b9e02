/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of advice, in their order, for `heddle advise`, which prints it, and `heddle tune`, which follows it. */
#include "tune/advise/advice.h"

int heddle__advices_find(struct heddle_advices *advices, struct heddle_cache_costs *costs,
	const struct profile_measurement *measurement, const struct profile_accesses *accesses,
	const struct heddle_network *network, const char *const *flags, const char **problem)
{
	int error = heddle__advices_make(advices, measurement, accesses);
	if (error)
		return error;
	*costs = heddle__cache_costs(network, advices);
	*problem = heddle__advices_read_sources(advices, measurement, accesses, flags);
	heddle__advices_predict(advices, costs);
	return 0;
}

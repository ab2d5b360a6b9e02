/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs are left follows from sums; there is no list of runs. */
#include "cli/scale/run_plan.h"

#include "analysis/significance.h"
#include "cli/base/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct numbers {
	unsigned at[HEDDLE_PLAN_MOST];
	size_t count;
};

static bool add_number(struct numbers *numbers, unsigned long number)
{
	if (number < 1 || number > 1000000 || numbers->count == HEDDLE_PLAN_MOST)
		return false;
	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->at[i] == number)
			return false;
	numbers->at[numbers->count++] = (unsigned)number;
	return true;
}

/* Reads "1,2,4". */
static bool read_numbers(struct numbers *numbers, const char *text)
{
	char *end;
	if (numbers->count > 0)
		return false;
	for (;; text = end + 1) {
		if (*text < '0' || *text > '9' || !add_number(numbers, strtoul(text, &end, 10)))
			return false;
		if (*end != ',')
			return *end == '\0';
	}
}

static bool read_words(const struct heddle_words *words, struct numbers *ranks, struct numbers *threads)
{
	for (size_t i = 0; i < words->count; i += 2) {
		bool of_ranks = strcmp(words->at[i], "-n") == 0;
		if ((!of_ranks && strcmp(words->at[i], "-t") != 0) || i + 1 == words->count ||
			!read_numbers(of_ranks ? ranks : threads, words->at[i + 1]))
			return false;
	}
	return ranks->count + threads->count > 0;
}

static int combine(struct heddle_plan *plan, struct numbers *ranks, struct numbers *threads)
{
	ranks->count += ranks->count == 0; /* an empty list counts as one 0 */
	threads->count += threads->count == 0;
	if (ranks->count * threads->count > HEDDLE_PLAN_MOST)
		return -EINVAL;
	plan->configurations = calloc(ranks->count * threads->count, sizeof(*plan->configurations));
	if (!plan->configurations)
		return -ENOMEM;
	for (size_t r = 0; r < ranks->count; r++)
		for (size_t t = 0; t < threads->count; t++)
			plan->configurations[plan->count++] =
				(struct heddle_plan_configuration){.ranks = ranks->at[r], .threads = threads->at[t]};
	return 0;
}

int heddle__plan_read(struct heddle_plan *plan, const char *text)
{
	struct heddle_words words = {0};
	struct numbers ranks = {0}, threads = {0};
	int error = heddle__words_split(&words, text);
	plan->configurations = NULL;
	plan->count = 0;
	if (!error && words.failed)
		error = -ENOMEM;
	if (!error && !read_words(&words, &ranks, &threads))
		error = -EINVAL;
	if (!error)
		error = combine(plan, &ranks, &threads);
	heddle__words_free(&words);
	return error;
}

void heddle__plan_free(struct heddle_plan *plan)
{
	free(plan->configurations);
	plan->configurations = NULL;
	plan->count = 0;
}

struct heddle_plan_configuration *heddle__plan_at(const struct heddle_plan *plan, unsigned round, size_t turn)
{
	return &plan->configurations[round % 2 ? plan->count - 1 - turn : turn];
}

static bool is_narrow(const struct heddle_plan *plan, const struct heddle_plan_configuration *of)
{
	if (of->runs < HEDDLE_PLAN_LEAST_RUNS || plan->narrow <= 0)
		return false;
	double n = of->runs, mean = of->sum / n, variance = fmax(of->squares - of->sum * mean, 0) / (n - 1);
	return heddle__critical_t(n - 1) * sqrt(variance / n) <= plan->narrow * mean;
}

void heddle__plan_add(const struct heddle_plan *plan, struct heddle_plan_configuration *of, double seconds)
{
	of->runs++;
	of->sum += seconds;
	of->squares += seconds * seconds;
	of->used += seconds;
	of->over |= is_narrow(plan, of) || (plan->seconds > 0 && of->used >= plan->seconds);
}

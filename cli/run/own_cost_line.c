/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the profiles without names of code, which would take long. */
#include "cli/run/own_cost_line.h"

#include "analysis/own_cost.h"
#include "cli/base/terminal.h"
#include "profile/file/measurement.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES (16 << 20) /* of profiles that can be read within a tenth of a second */

static long long bytes_in(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	struct stat about;
	long long sum = 0;
	while (entries && (entry = readdir(entries)) != NULL)
		if (profile_is_name(entry->d_name) && fstatat(dirfd(entries), entry->d_name, &about, 0) == 0)
			sum += about.st_size;
	if (entries)
		closedir(entries);
	return sum;
}

static void say(const struct heddle_own_cost *cost)
{
	fprintf(stderr, "heddle: %.0f %% of the CPU time was the measurement's own",
		100 * (double)cost->own / (double)cost->cpu);
	for (size_t i = 0; i < cost->kind_count; i++) {
		const struct heddle_own_kind *kind = &cost->kinds[i];
		fprintf(stderr, ", %.0f %% %sfor `", 100 * (double)kind->cost / (double)cost->own, i ? "" : "of it ");
		heddle__print_safely(stderr, kind->label);
		fputc('`', stderr);
	}
	if (cost->advice) {
		fputs(": ", stderr);
		heddle__print_safely(stderr, cost->advice);
	}
	fputc('\n', stderr);
}

void heddle__own_cost_say(const char *directory)
{
	struct profile_load_options options = {.workers = 1};
	struct profile_measurement measurement;
	struct heddle_own_cost cost;
	char *bad = NULL;
	if (bytes_in(directory) > MOST_BYTES)
		return;
	if (profile_measurement_open(&measurement, directory, &options, &bad) != 0) {
		free(bad);
		return;
	}
	if (heddle__own_cost_make(&cost, &measurement, NULL) == 0 && heddle__own_cost_matters(&cost))
		say(&cost);
	profile_measurement_close(&measurement);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads only the description of the process from each profile, since the rest may be large. */
#include "cli/run/run_profiles.h"

#include "profile/file/measurement.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_profile(const struct dirent *entry)
{
	return profile_is_name(entry->d_name);
}

/* Returns false if the profile cannot be read. */
static bool read_profile(struct heddle_run_profile *profile, const char *directory, const char *name)
{
	struct stat about;
	char *path;
	profile->name = strdup(name);
	if (!profile->name || asprintf(&path, "%s/%s", directory, name) < 0)
		return false;
	profile->bytes = stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
	bool read = profile_peek(path, &profile->process) == 0;
	free(path);
	return read;
}

struct heddle_run_profiles heddle__run_profiles_read(const char *directory)
{
	struct heddle_run_profiles profiles = {0};
	struct dirent **entries;
	int count = scandir(directory, &entries, is_profile, alphasort);
	if (count < 0)
		return profiles;
	profiles.items = calloc((size_t)count + 1, sizeof(*profiles.items));
	profiles.whole = profiles.items;
	for (int i = 0; i < count; i++) {
		if (profiles.items)
			profiles.whole &=
				read_profile(&profiles.items[profiles.count++], directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return profiles;
}

static void free_profile(struct heddle_run_profile *profile)
{
	if (profile->process)
		heddle__profile__process__free_unpacked(profile->process, NULL);
	free(profile->name);
}

void heddle__run_profiles_remove(struct heddle_run_profiles *profiles, const bool *moved)
{
	size_t kept = 0;
	for (size_t i = 0; i < profiles->count; i++) {
		if (moved[i])
			free_profile(&profiles->items[i]);
		else
			profiles->items[kept++] = profiles->items[i];
	}
	profiles->count = kept;
}

void heddle__run_profiles_free(struct heddle_run_profiles *profiles)
{
	for (size_t i = 0; i < profiles->count; i++)
		free_profile(&profiles->items[i]);
	free(profiles->items);
	*profiles = (struct heddle_run_profiles){0};
}

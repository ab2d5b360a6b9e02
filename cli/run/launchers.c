/* SPDX-License-Identifier: BSD-3-Clause */
/* Moved profiles stay readable in their new folder. After any failure they are left where they were. */
#include "cli/run/launchers.h"

#include "format/ids.h"
#include "format/trace.h"
#include "profile/file/process_decode.h"
#include "profile/file/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER "launcher"
#define NAMES_MAX 4 /* programs named in the message */

struct process {
	const char *file;                     /* its name in the directory */
	const Heddle__Profile__Process *info; /* NULL: the file cannot be read */
	uint32_t rank_model; /* number plus 1 of the model that gave one of its threads a rank; 0: none */
	bool stays;
};

struct processes {
	struct process *at; /* as the profiles */
	size_t count;
};

static uint32_t model_of_rank(const struct profile_file_section *section)
{
	Heddle__Profile__Thread *thread =
		profile_unpack(&heddle__profile__thread__descriptor, section->size, section->data);
	uint32_t found = thread && thread->rank != 0 ? thread->rank_model + 1 : 0;
	if (thread)
		heddle__profile__thread__free_unpacked(thread, NULL);
	return found;
}

/* Files that cannot be read have no info, and stay. */
static void read_process(const char *directory, const struct heddle_run_profile *profile, struct process *process)
{
	struct profile_file file;
	char *path;
	process->file = profile->name;
	if (!profile->process || asprintf(&path, "%s/%s", directory, process->file) < 0)
		return;
	int error = profile_file_open(&file, path);
	free(path);
	if (error != 0)
		return;
	process->info = profile->process;
	for (size_t i = 0; i < file.section_count && !process->rank_model; i++)
		if (file.sections[i].type == HEDDLE_SECTION_THREAD)
			process->rank_model = model_of_rank(&file.sections[i]);
	profile_file_close(&file);
}

static void read_processes(
	const char *directory, const struct heddle_run_profiles *profiles, struct processes *processes)
{
	if (profiles->count > 1) /* otherwise there is nothing to move */
		processes->at = calloc(profiles->count, sizeof(*processes->at));
	for (size_t i = 0; processes->at && i < profiles->count; i++)
		read_process(directory, &profiles->items[i], &processes->at[processes->count++]);
}

/*
 * True if a process that stays started this one: a rank, directly or through others. Older children do not count, since
 * their parent became a rank by exec later.
 */
static bool is_child_of_kept(const struct processes *processes, const struct process *process)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *parent = &processes->at[i];

		if (parent->stays && parent->info && parent->info->pid == process->info->parent_pid &&
			strcmp(parent->info->host, process->info->host) == 0 &&
			parent->info->start_unix_ns <= process->info->start_unix_ns)
			return true;
	}
	return false;
}

/* Chooses the profiles that stay. Returns false if there is no rank. */
static bool choose(const struct processes *processes)
{
	bool any = false, more = true;
	for (size_t i = 0; i < processes->count; i++) {
		struct process *process = &processes->at[i];

		any |= process->rank_model != 0;
		process->stays = process->rank_model != 0;
	}
	while (any && more) {
		more = false;
		for (size_t i = 0; i < processes->count; i++) {
			struct process *process = &processes->at[i];

			if (process->stays || (process->info && !is_child_of_kept(processes, process)))
				continue;
			process->stays = more = true;
		}
	}
	for (size_t i = 0; i < processes->count; i++)
		processes->at[i].stays |= processes->at[i].info && *processes->at[i].info->runtime != '\0';
	return any;
}

static bool move_file(const char *directory, const char *file, const char *tail)
{
	char *from, *to;
	bool moved = false;
	if (asprintf(&from, "%s/%s%s", directory, file, tail) < 0)
		return false;
	if (asprintf(&to, "%s/" FOLDER "/%s%s", directory, file, tail) >= 0) {
		moved = rename(from, to) == 0;
		free(to);
	}
	free(from);
	return moved;
}

/* Moves a profile, and its trace, if there is one. */
static bool move(const char *directory, const struct process *process)
{
	bool moved = move_file(directory, process->file, "");
	if (moved)
		move_file(directory, process->file, HEDDLE_TRACE_SUFFIX);
	return moved;
}

static const char *program_of(const struct process *process)
{
	const char *slash = strrchr(process->info->program, '/');
	return slash ? slash + 1 : process->info->program;
}

/* Returns the noun for ranks in the model of the ranks. */
static const char *noun_of(const struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->at[i];

		for (size_t k = 0; process->rank_model && k < process->info->n_models; k++)
			if (process->info->models[k]->id + 1 == process->rank_model)
				return process->info->models[k]->ranks;
	}
	return "UPC thread"; /* from before profiles described models */
}

static void say(const struct heddle_output *output, const struct process *const *moved, size_t count, const char *noun)
{
	const char *names[NAMES_MAX];
	size_t printed = 0;
	fprintf(stderr, "heddle: set aside %zu process%s that %s no %s (", count, count == 1 ? "" : "es",
		count == 1 ? "has" : "have", noun);
	for (size_t i = 0; i < count; i++) {
		size_t known = 0;

		while (known < printed && strcmp(names[known], program_of(moved[i])) != 0)
			known++;
		if (known < printed)
			continue;
		if (printed == NAMES_MAX) {
			fputs(", ...", stderr);
			break;
		}
		names[printed++] = program_of(moved[i]);
		fprintf(stderr, "%s%s", printed > 1 ? ", " : "", program_of(moved[i]));
	}
	fprintf(stderr, ") in %s/" FOLDER "\n", output->quoted);
}

static void set_aside(const struct heddle_output *output, const struct processes *processes, bool *is_moved)
{
	const struct process **moved = calloc(processes->count + 1, sizeof(*moved));
	size_t count = 0;
	char *folder;
	if (moved && asprintf(&folder, "%s/" FOLDER, output->absolute) >= 0) {
		for (size_t i = 0; i < processes->count; i++) {
			const struct process *process = &processes->at[i];

			if (process->stays || (count == 0 && mkdir(folder, 0777) != 0))
				continue;
			is_moved[i] = move(output->absolute, process);
			if (is_moved[i])
				moved[count++] = process;
		}
		free(folder);
	}
	if (count > 0)
		say(output, moved, count, noun_of(processes));
	free(moved);
}

void heddle__launchers_set_aside(const struct heddle_output *output, struct heddle_run_profiles *profiles)
{
	struct processes processes = {0};
	read_processes(output->absolute, profiles, &processes);
	bool *moved = calloc(processes.count + 1, sizeof(*moved));
	if (moved && choose(&processes)) {
		set_aside(output, &processes, moved);
		heddle__run_profiles_remove(profiles, moved);
	}
	free(moved);
	free(processes.at);
}

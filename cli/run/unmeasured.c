/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profile has the process's CPU clock at its end. That includes the cost of Heddle and the time before measurement,
 * but not what the process did after the clock was read; for this there are allowances. A process that executes another
 * program has two profiles and one clock. Children that a parent did not wait for are not in the system's account: then
 * more was measured than waited for, and nothing is reported.
 */
#include "cli/run/unmeasured.h"

#include "cli/base/terminal.h"
#include "format/ids.h"
#include "profile/base/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define ALLOWED_NS 30000000u       /* in total: for the program's last moments */
#define ALLOWED_EACH_NS 5000000u   /* for each process: it writes its profile, and the kernel frees its memory */
#define ALLOWED_THREAD_NS 1000000u /* for each thread that the end of its process ends, as those of OpenMP runtimes */
#define ALLOWED_BYTE_NS 50u        /* for each byte of a profile, to be encoded and written */
#define WORTH_A_WORD 10            /* a tenth of the time is reported */

struct account {
	uint64_t pid, start_unix_ns, before_ns, clock_ns;
};

struct accounts {
	struct account *list;
	size_t count, room;
	uint64_t bytes, threads; /* of all profiles */
};

uint64_t heddle__waited_ns(void)
{
	struct rusage used;
	if (getrusage(RUSAGE_CHILDREN, &used) != 0)
		return 0;
	return ((uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec) * 1000000000u +
	       ((uint64_t)used.ru_utime.tv_usec + (uint64_t)used.ru_stime.tv_usec) * 1000u;
}

static void note_programs(struct heddle_unmeasured *unmeasured, const Heddle__Profile__Process *process)
{
	size_t prefix = strlen(HEDDLE_NOTE_UNMEASURED), used = strlen(unmeasured->programs);
	for (size_t i = 0; i < process->n_note; i++) {
		if (strncmp(process->note[i], HEDDLE_NOTE_UNMEASURED, prefix) != 0)
			continue;
		const char *text = process->note[i] + prefix;
		if (strstr(unmeasured->programs, text) || used + strlen(text) + 8 > sizeof(unmeasured->programs))
			continue;
		used += (size_t)snprintf(unmeasured->programs + used, sizeof(unmeasured->programs) - used, "%s%s",
			used ? "; " : "", text);
	}
}

/* Returns false if memory is exhausted. */
static bool add_account(struct accounts *accounts, const Heddle__Profile__Process *process)
{
	if (profile_reserve(&accounts->list, &accounts->room, accounts->count + 1, sizeof(*accounts->list)) != 0)
		return false;
	accounts->list[accounts->count++] = (struct account){.pid = process->pid,
		.start_unix_ns = process->start_unix_ns,
		.before_ns = process->cpu_before_ns,
		.clock_ns = process->cpu_clock_ns ? process->cpu_clock_ns : process->cpu_ns};
	return true;
}

/* Returns false if a profile could not be read: then nothing is known. */
static bool add_all(
	const struct heddle_run_profiles *profiles, struct accounts *accounts, struct heddle_unmeasured *unmeasured)
{
	bool whole = profiles->whole;
	for (size_t i = 0; whole && i < profiles->count; i++) {
		whole = add_account(accounts, profiles->items[i].process);
		accounts->bytes += profiles->items[i].bytes;
		accounts->threads += profiles->items[i].process->threads_alive;
		note_programs(unmeasured, profiles->items[i].process);
	}
	return whole;
}

static int by_process(const void *a, const void *b)
{
	const struct account *x = a, *y = b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->start_unix_ns > y->start_unix_ns) - (x->start_unix_ns < y->start_unix_ns);
}

/*
 * A clock that continues belongs to a process that executed another program; one that starts again, to another process.
 */
static uint64_t measured_ns(struct accounts *accounts)
{
	uint64_t sum = 0;
	if (accounts->count)
		qsort(accounts->list, accounts->count, sizeof(*accounts->list), by_process);
	for (size_t i = 0; i < accounts->count; i++) {
		const struct account *one = &accounts->list[i], *last = i ? one - 1 : NULL;
		bool goes_on = last && last->pid == one->pid && one->before_ns >= last->clock_ns;
		sum += one->clock_ns - (goes_on ? last->clock_ns : 0);
	}
	return sum;
}

struct heddle_unmeasured heddle__unmeasured(const struct heddle_run_profiles *profiles, uint64_t waited_ns)
{
	struct heddle_unmeasured unmeasured = {.waited_ns = waited_ns};
	struct accounts accounts = {0};
	if (add_all(profiles, &accounts, &unmeasured)) {
		uint64_t measured = measured_ns(&accounts);
		uint64_t missing = waited_ns > measured ? waited_ns - measured : 0;
		uint64_t allowed = ALLOWED_NS + accounts.count * ALLOWED_EACH_NS +
				   accounts.threads * ALLOWED_THREAD_NS + accounts.bytes * ALLOWED_BYTE_NS;
		if (missing > allowed && missing > waited_ns / WORTH_A_WORD)
			unmeasured.missing_ns = missing;
	}
	free(accounts.list);
	return unmeasured;
}

void heddle__unmeasured_say(const struct heddle_unmeasured *unmeasured)
{
	char missing[32], waited[32];
	heddle__format_time(missing, sizeof(missing), unmeasured->missing_ns);
	heddle__format_time(waited, sizeof(waited), unmeasured->waited_ns);
	fprintf(stderr, "heddle: not measured: %s of %s CPU time: ", missing, waited);
	if (unmeasured->programs[0] != '\0')
		heddle__print_safely(stderr, unmeasured->programs);
	else
		fputs("processes ran without Heddle's library (statically linked, set-user-ID, or without LD_PRELOAD "
		      "in their environment), or were killed",
			stderr);
	fputs("; name that program itself: heddle run PROGRAM, or link it dynamically\n", stderr);
}

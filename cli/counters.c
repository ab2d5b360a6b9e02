/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages are printed before the program starts: the library in it gets only events that can be counted. */
#include "cli/counters.h"

#include "cli/base/exit_status.h"
#include "cli/base/suggest.h"
#include "cli/run/papi.h"
#include "cli/run/system_file.h"
#include "format/settings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_SIZE 8192

static bool is_software(const struct heddle_counter *counter)
{
	return counter->terms[0].code.type == PERF_TYPE_SOFTWARE;
}

/* ---- what this machine supports ---- */

static bool is_virtual(void)
{
	return heddle__file_says("/proc/cpuinfo", "flags", " hypervisor");
}

static const char *forbidden(void)
{
	static char text[128];
	char level[16];
	heddle__first_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof level);
	snprintf(text, sizeof text, "the system forbids it (perf_event_paranoid is %s)", level[0] ? level : "unknown");
	return text;
}

static int try_name(const char *name)
{
	struct heddle_counter counter;
	int error = heddle__counter_parse(name, strlen(name), &counter);
	return error != 0 ? error : heddle__counter_try(&counter);
}

const char *heddle__counters_no_hardware(void)
{
	int cycles = try_name("cycles"), instructions = try_name("instructions");
	if (cycles == 0 || instructions == 0)
		return NULL;
	if (cycles == -EACCES || cycles == -EPERM)
		return forbidden();
	if (cycles == -ENOSYS)
		return "the kernel or a container's filter has no perf_event_open";
	return is_virtual() ? "this machine has no hardware counters (virtual machine)"
			    : "this machine has no hardware counters";
}

/* Returns NULL, or why the event cannot be counted. */
static const char *why_not_counted(const struct heddle_counter *counter)
{
	const char *no_hardware;
	int error = heddle__counter_try(counter);
	if (error == 0)
		return NULL;
	if (error == -EACCES || error == -EPERM)
		return forbidden();
	if (error == -EINVAL && counter->terms[0].code.type >= PERF_TYPE_MAX)
		return "it is counted for the whole machine, not for a thread";
	if (!is_software(counter) && (no_hardware = heddle__counters_no_hardware()) != NULL)
		return no_hardware;
	return "it is not available on this system";
}

/* ---- the nearest names ---- */

static bool holds_one_of(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (strstr(name, *words))
			return true;
	return false;
}

/* Returns a similar event that can be counted on all machines. */
static const char *substitute(const char *name)
{
	static const char *const of_memory[] = {"TLB", "L1", "L2", "L3", "LLC", "cache", "CACHE", "MEM", "_LD_", "_SR_",
		"LST", "LOAD", "STORE", "FAULT", NULL};
	static const char *const of_scheduler[] = {"migrations", "MIGRATIONS", "switches", "SWITCHES", NULL};
	if (holds_one_of(name, of_scheduler))
		return "context-switches";
	return holds_one_of(name, of_memory) ? "page-faults" : "task-clock";
}

#define NEAREST 3

struct nearest {
	const char *wanted;
	size_t distance[NEAREST];
	char name[NEAREST][HEDDLE_COUNTER_NAME];
};

static void take_near(void *context, const char *name, const char *meaning)
{
	struct nearest *nearest = context;
	size_t steps = heddle__edit_distance(nearest->wanted, name), at = NEAREST;
	(void)meaning;
	for (int i = 0; i < NEAREST; i++)
		if (strcmp(nearest->name[i], name) == 0)
			return;
	while (at > 0 && steps < nearest->distance[at - 1])
		at--;
	if (at == NEAREST || strlen(name) >= HEDDLE_COUNTER_NAME)
		return;
	for (size_t i = NEAREST - 1; i > at; i--) {
		nearest->distance[i] = nearest->distance[i - 1];
		memcpy(nearest->name[i], nearest->name[i - 1], sizeof nearest->name[i]);
	}
	nearest->distance[at] = steps;
	memcpy(nearest->name[at], name, strlen(name) + 1);
}

/* Reports an unknown name. */
static int complain_unknown(const char *option, const char *name)
{
	struct nearest nearest = {.wanted = name, .distance = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
	struct heddle_counter counter;
	for (size_t i = 0; heddle__counter_listed(i, &counter); i++)
		take_near(&nearest, counter.name, "");
	heddle__papi_each(false, take_near, &nearest);
	heddle__papi_each(true, take_near, &nearest);
	fprintf(stderr,
		"heddle: run: %s: no counter is called '%s'; nearest: %s, %s, %s; heddle run --metric help lists all\n",
		option, name, nearest.name[0], nearest.name[1], nearest.name[2]);
	return HEDDLE_EXIT_USAGE;
}

/* ---- resolving ---- */

enum answer { COUNTED, LACKING, UNKNOWN };

/*
 * Looks up Heddle's own names first, then PAPI's; a word that already has a code was resolved by an outer `heddle run`.
 * *why is the reason if the event cannot be counted.
 */
static enum answer resolve(const char *name, struct heddle_counter *counter, const char **why)
{
	int error = heddle__counter_parse(name, strlen(name), counter);
	bool known = true;
	*why = NULL;
	if (error == -ENOENT) {
		*why = heddle__papi_find(name, counter, &known);
		if (*why && !heddle__papi_unusable() && heddle__counters_no_hardware())
			*why = heddle__counters_no_hardware(); /* in this case PAPI lists few of its presets */
		if (heddle__papi_unusable() && strncmp(name, "PAPI_", 5) != 0 && !strchr(name, ':'))
			known = false; /* not the form of a PAPI name */
	} else if (error != 0) {
		known = false;
	}
	if (!known)
		return UNKNOWN;
	if (!*why)
		*why = why_not_counted(counter);
	return !*why ? COUNTED : LACKING;
}

static void append(char *list, const char *separator, const struct heddle_counter *counter)
{
	size_t length = strlen(list);
	if (length + 2 < LIST_SIZE && *separator != '\0' && length > 0)
		list[length++] = *separator;
	heddle__counter_print(counter, list + length, LIST_SIZE - length);
}

static int resolve_metric(const char *name, char *list, int *count)
{
	struct heddle_counter counter;
	const char *why;
	switch (resolve(name, &counter, &why)) {
	case UNKNOWN:
		return complain_unknown("--metric", name);
	case LACKING:
		fprintf(stderr, "heddle: %.*s is not counted: %s; nearest: %s\n", (int)strcspn(name, "{"), name, why,
			substitute(name));
		return 0;
	default:
		break;
	}
	if (++*count > HEDDLE_COUNTER_LIMIT) {
		fprintf(stderr, "heddle: run: --metric: more than %d counters at once\n", HEDDLE_COUNTER_LIMIT);
		return HEDDLE_EXIT_USAGE;
	}
	append(list, ",", &counter);
	return 0;
}

static int resolve_metrics(const char *wanted)
{
	char list[LIST_SIZE] = "", *words = strdup(wanted), *rest = words;
	int failure = !words ? HEDDLE_EXIT_FAILED : 0, count = 0;
	if (wanted[strspn(wanted, ",")] == '\0') {
		fputs("heddle: run: --metric: no counter is named; heddle run --metric help lists all\n", stderr);
		failure = HEDDLE_EXIT_USAGE;
	}
	for (char *word; failure == 0 && (word = strsep(&rest, ",")) != NULL;)
		if (*word != '\0')
			failure = resolve_metric(word, list, &count);
	if (failure == 0)
		setenv("HEDDLE_METRICS", list, 1);
	free(words);
	return failure;
}

/* Samples by the timer, without the event. */
static void sample_by_timer(const char *wanted, const char *why)
{
	const char *hz = getenv("HEDDLE_SAMPLE_HZ");
	if (!hz || *hz == '\0' || strcmp(hz, "0") == 0)
		setenv("HEDDLE_SAMPLE_HZ", HEDDLE_RUN_SAMPLE_HZ, 1);
	unsetenv("HEDDLE_SAMPLE_EVENT");
	fprintf(stderr, "heddle: no samples by %.*s: %s; nearest: the timer, which samples at %s Hz\n",
		(int)strcspn(wanted, "{"), wanted, why, getenv("HEDDLE_SAMPLE_HZ"));
}

/* Reports an event that heddle__sample_event_parse refused. */
static int complain_event(const char *wanted, const struct heddle_counter *counter, int error)
{
	fprintf(stderr, "heddle: run: --sample-event: '%s': ", wanted);
	if (error == -ENOTSUP && counter->term_count > 1)
		fputs("it is derived from several events: sample by one of them\n", stderr);
	else if (error == -ENOTSUP)
		fputs("it occurs inside the kernel, where no samples are taken: choose another\n", stderr);
	else if (error == -EDOM)
		fprintf(stderr, "too many samples: the period must be at least %llu\n",
			(unsigned long long)heddle__sample_event_shortest(counter));
	else
		fputs("give EVENT@PERIOD, as page-faults@100: a sample after each 100 page faults\n", stderr);
	return HEDDLE_EXIT_USAGE;
}

static int check_event(const char *wanted, struct heddle_counter *counter, const char *period)
{
	char whole[LIST_SIZE] = "";
	uint64_t number;
	int error;
	append(whole, "", counter);
	strncat(whole, period, sizeof whole - strlen(whole) - 1);
	error = heddle__sample_event_parse(whole, counter, &number);
	if (error != 0)
		return complain_event(wanted, counter, error);
	setenv("HEDDLE_SAMPLE_EVENT", whole, 1);
	return 0;
}

static int resolve_event(const char *wanted)
{
	const char *period = strrchr(wanted, '@'), *why;
	char *name = period ? strndup(wanted, (size_t)(period - wanted)) : NULL;
	struct heddle_counter counter;
	int failure = 0;
	if (!name || *name == '\0') {
		free(name);
		return complain_event(wanted, NULL, -ERANGE);
	}
	switch (resolve(name, &counter, &why)) {
	case UNKNOWN:
		failure = complain_unknown("--sample-event", name);
		break;
	case LACKING:
		sample_by_timer(wanted, why);
		break;
	default:
		failure = check_event(wanted, &counter, period);
		break;
	}
	free(name);
	return failure;
}

int heddle__counters_resolve(void)
{
	const char *metrics = getenv("HEDDLE_METRICS"), *event = getenv("HEDDLE_SAMPLE_EVENT");
	int failure = event && *event != '\0' ? resolve_event(event) : 0;
	return failure == 0 && metrics && *metrics != '\0' ? resolve_metrics(metrics) : failure;
}

/* ---- lists ---- */

void heddle__counters_names(bool hardware, char *text, size_t size)
{
	struct heddle_counter counter;
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; heddle__counter_listed(i, &counter); i++)
		if (is_software(&counter) != hardware && strncmp(counter.name, "PAPI_", 5) != 0 &&
			heddle__counter_try(&counter) == 0 && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", counter.name);
}

static void print_row(const char *name, const char *meaning)
{
	printf("  %-24s %s\n", name, meaning);
}

static void print_papi(void *context, const char *name, const char *meaning)
{
	struct heddle_counter counter;
	const char *why;
	bool *headed = context;
	if (strstr(name, "PERF_COUNT_")) /* these events also have shorter names */
		return;
	if (resolve(name, &counter, &why) != COUNTED)
		return;
	if (!*headed)
		printf("PAPI %s names:\n", heddle__papi_version());
	*headed = true;
	print_row(name, meaning);
}

void heddle__counters_print(void)
{
	const char *no_hardware = heddle__counters_no_hardware(), *no_papi = heddle__papi_unusable();
	struct heddle_counter counter;
	bool headed = false;
	puts("counters of this machine:");
	for (size_t i = 0; heddle__counter_listed(i, &counter); i++)
		if (strncmp(counter.name, "PAPI_", 5) != 0 && heddle__counter_try(&counter) == 0)
			print_row(counter.name, counter.meaning);
	if (no_hardware)
		printf("no processor counters: %s\n", no_hardware);
	if (no_papi) {
		printf("no PAPI names: %s\n", no_papi);
		return;
	}
	heddle__papi_each(false, print_papi, &headed);
	heddle__papi_each(true, print_papi, &headed);
}

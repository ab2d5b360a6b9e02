/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judge [EMULATOR ...] CLIENT ARGUMENTS...: runs a client (client.h) with its measurement in a folder of its own, reads
 * the profile files, and compares them with the lines that the client printed. KEEP=1 keeps the folder. The client
 * counts as hung after 7/8 of HEDDLE_TEST_TIMEOUT, in seconds, or after 240 s. JUDGE_WITHOUT_FRAMES=1: paths leave out
 * code frames, for runs with sampling.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/ids.h"
#include "profile/file/profile_file.h"

#include "heddle_profile.pb-c.h"

#define FIELDS 10
#define DEEP 20000 /* bytes of a path; deeper nodes are below "<deep>" */

struct value {
	const char *path;
	uint32_t metric, rank; /* rank as in the file: plus 1 */
	uint64_t value;
};

struct values {
	const char *path;
	const Heddle__Profile__Distribution *distribution;
	const Heddle__Profile__Process *process;
};

static struct value *values;
static size_t value_count;
static struct values *distributions;
static size_t distribution_count;
static char **paths; /* of all files; once for each file */
static size_t path_count;
static Heddle__Profile__Process **processes;
static size_t process_count;
static uint64_t measured_ns; /* by all threads */
static uint64_t pairs_ns;    /* by all threads, in accesses to memory of known owners */

static char folder[64];
static char outcome[32];
static char *stated, *said; /* standard output and error of the client */
static int failures, checks;

static void *grown(void *array, size_t count, size_t size)
{
	if (count & (count - 1)) /* there is room up to the next power of two */
		return array;
	array = realloc(array, (count ? 2 * count : 1) * size);
	if (!array)
		abort();
	return array;
}

/* ---- running the client ---- */

static int open_in_folder(const char *name)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static char *text_of(const char *name)
{
	char path[128];
	struct stat about;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	if (!file || fstat(fileno(file), &about) != 0)
		abort();
	char *text = calloc(1, (size_t)about.st_size + 1);
	if (!text || fread(text, 1, (size_t)about.st_size, file) != (size_t)about.st_size)
		abort();
	fclose(file);
	return text;
}

static void become_client(char **command)
{
	char output[128];
	snprintf(output, sizeof(output), "%s/measured", folder);
	mkdir(output, 0777); /* so that the library prints no line about it at the end */
	setenv("HEDDLE_OUTPUT", output, 1);
	dup2(open_in_folder("stdout"), STDOUT_FILENO);
	dup2(open_in_folder("stderr"), STDERR_FILENO);
	execvp(command[0], command); /* an emulator is found by its name */
	_exit(127);
}

static pid_t client;

static void client_hangs(int number)
{
	(void)number;
	kill(client, SIGKILL);
}

static void run(char **command)
{
	const char *seconds = getenv("HEDDLE_TEST_TIMEOUT");
	int status = 0;
	client = fork();
	if (client == 0)
		become_client(command);
	signal(SIGALRM, client_hangs);
	alarm(seconds ? (unsigned int)atoi(seconds) * 7 / 8 : 240);
	while (waitpid(client, &status, 0) < 0 && errno == EINTR)
		;
	if (!alarm(0))
		snprintf(outcome, sizeof(outcome), "hang");
	else if (WIFSIGNALED(status))
		snprintf(outcome, sizeof(outcome), "signal %d", WTERMSIG(status));
	else
		snprintf(outcome, sizeof(outcome), "exit %d", WEXITSTATUS(status));
	stated = text_of("stdout");
	said = text_of("stderr");
}

/* ---- the profile files ---- */

static const char *string(const Heddle__Profile__Process *process, uint64_t number)
{
	return number < process->n_strings ? process->strings[number] : "?";
}

static const char *event_name(const Heddle__Profile__Process *process, uint32_t id)
{
	for (size_t i = 0; i < process->n_events; i++) {
		if (process->events[i]->id == id)
			return process->events[i]->name;
	}
	return "?";
}

static void place_text(char *text, size_t size, const Heddle__Profile__Process *process, uint64_t place)
{
	if (!place)
		text[0] = '\0';
	else if (HEDDLE_PLACE_MODULE(place) == HEDDLE_PLACE_SOURCE)
		snprintf(text, size, " @%s:%u", string(process, HEDDLE_SOURCE_FILE(place)), HEDDLE_SOURCE_LINE(place));
	else
		snprintf(text, size, " @code");
}

/* "variable NAME", "memory FUNCTION:LINE" */
static int object_text(char **text, const char *description)
{
	char parts[3][100] = {"", "", ""};
	for (int i = 0; i < 3; i++) {
		size_t length = strcspn(description, "\t");
		snprintf(parts[i], sizeof(parts[i]), "%.*s", (int)length, description);
		description += length + (description[length] != '\0');
	}
	return *parts[1] ? asprintf(text, "memory %s:%s", parts[1], parts[2]) : asprintf(text, "variable %s", parts[0]);
}

static char *component(const Heddle__Profile__Process *process, uint32_t kind, uint32_t event, uint64_t place)
{
	static const char *const states[] = {
#define X(number, name, label) label,
		HEDDLE_STATES(X)
#undef X
	};
	char at[2000], *text = NULL;
	place_text(at, sizeof(at), process, place);
	int size = -1;
	if (kind == HEDDLE_NODE_REGION)
		size = asprintf(&text, "%s%s", event_name(process, event), at);
	else if (kind == HEDDLE_NODE_PHASE || kind == HEDDLE_NODE_FUNCTION)
		size = asprintf(&text, "%s", string(process, place));
	else if (kind == HEDDLE_NODE_OBJECT)
		size = object_text(&text, string(process, place));
	else if (kind == HEDDLE_NODE_STATE)
		size = asprintf(&text, "<%s>", states[event]);
	else
		size = asprintf(&text, "frame");
	return size < 0 ? NULL : text;
}

/* Returns true if nodes of that kind are left out of paths; their values then belong to the node above. */
static bool is_left_out(uint32_t kind)
{
	if (kind == HEDDLE_NODE_OBJECT)
		return getenv("JUDGE_WITHOUT_OBJECTS");
	return getenv("JUDGE_WITHOUT_FRAMES") && kind != HEDDLE_NODE_REGION && kind != HEDDLE_NODE_PHASE &&
	       kind != HEDDLE_NODE_FUNCTION && kind != HEDDLE_NODE_STATE;
}

/* Returns the paths of a file, by node. They are never freed. */
static char **read_tree(const Heddle__Profile__Process *process, const struct profile_file_section *section)
{
	Heddle__Profile__Tree *tree = heddle__profile__tree__unpack(NULL, section->size, section->data);
	char **by_node = tree ? calloc(tree->n_parent + 1, sizeof(*by_node)) : NULL;
	uint64_t place = 0;
	if (!by_node)
		abort();
	for (size_t i = 0; i < tree->n_parent; i++) {
		place += (uint64_t)tree->place[i];
		const char *above = tree->parent[i] ? by_node[i - tree->parent[i]] : "";
		if (strlen(above) > DEEP)
			above = "<deep>";
		if (i && is_left_out(tree->kind[i])) {
			by_node[i] = by_node[i - tree->parent[i]];
			continue;
		}
		char *name = i ? component(process, tree->kind[i], tree->event[i], place) : strdup("");
		if (asprintf(&by_node[i], "%s%s%s", above, *above ? ";" : "", name) < 0)
			abort();
		free(name);
		paths = grown(paths, path_count, sizeof(*paths));
		paths[path_count++] = by_node[i];
	}
	heddle__profile__tree__free_unpacked(tree, NULL);
	return by_node;
}

static void read_column(const Heddle__Profile__Column *column, uint32_t rank, char **by_node)
{
	uint64_t node = 0;
	for (size_t i = 0; i < column->n_node; i++) {
		node += column->node[i];
		values = grown(values, value_count, sizeof(*values));
		values[value_count++] = (struct value){by_node[node], column->metric, rank, column->value[i]};
	}
}

static void read_thread(
	const struct profile_file_section *section, const Heddle__Profile__Process *process, char **by_node)
{
	Heddle__Profile__Thread *thread = heddle__profile__thread__unpack(NULL, section->size, section->data);
	if (!thread)
		abort();
	measured_ns += thread->wall_ns;
	for (size_t i = 0; thread->partners && i < thread->partners->n_time_ns; i++)
		pairs_ns += thread->partners->time_ns[i];
	for (size_t i = 0; i < thread->n_columns; i++)
		read_column(thread->columns[i], thread->rank, by_node);
	for (size_t i = 0; i < thread->n_distributions; i++) {
		distributions = grown(distributions, distribution_count, sizeof(*distributions));
		distributions[distribution_count++] =
			(struct values){by_node[thread->distributions[i]->node], thread->distributions[i], process};
	}
	/* Not freed: distributions refer to it. */
}

static void read_profile(const char *path)
{
	struct profile_file file;
	Heddle__Profile__Process *process = NULL;
	char **by_node = NULL;
	int error = profile_file_open(&file, path);
	if (error) {
		printf("FAILED: %s is not whole: %s\n", path, strerror(-error));
		failures++;
		return;
	}
	for (size_t i = 0; i < file.section_count; i++) {
		const struct profile_file_section *section = &file.sections[i];
		if (section->type == HEDDLE_SECTION_PROCESS)
			process = heddle__profile__process__unpack(NULL, section->size, section->data);
		else if (section->type == HEDDLE_SECTION_TREE)
			by_node = read_tree(process, section);
		else if (section->type == HEDDLE_SECTION_THREAD)
			read_thread(section, process, by_node);
	}
	processes = grown(processes, process_count, sizeof(*processes));
	processes[process_count++] = process;
	profile_file_close(&file);
}

static void read_profiles(void)
{
	char name[128], path[512];
	snprintf(name, sizeof(name), "%s/measured", folder);
	DIR *directory = opendir(name);
	struct dirent *entry;
	while (directory && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);
		if (length < 7 || strcmp(entry->d_name + length - 7, HEDDLE_FILE_SUFFIX) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
		read_profile(path);
	}
	if (directory)
		closedir(directory);
}

/* ---- comparing with what was expected ---- */

static void fail(char **field, const char *got)
{
	printf("FAILED: %s: expected", field[0]);
	for (int i = 1; i < FIELDS && field[i]; i++)
		printf(" %s", field[i]);
	printf("; got %s\n", got);
	failures++;
}

static void judge_number(char **field, uint64_t got, uint64_t low, uint64_t high)
{
	char text[32];
	snprintf(text, sizeof(text), "%lu", (unsigned long)got);
	if (got < low || got > high)
		fail(field, text);
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 10);
}

static uint32_t metric_of(const char *name)
{
	static const char *const names[] = {
#define X(number, name, text, ...) [number] = text,
		HEDDLE_METRICS(X)
#undef X
	};
	uint32_t metric = 0;
	while (metric < HEDDLE_METRIC_COUNT && strcmp(names[metric], name) != 0)
		metric++;
	for (size_t p = 0; metric == HEDDLE_METRIC_COUNT && p < process_count; p++)
		for (size_t i = 0; i < processes[p]->n_counters; i++)
			if (strcmp(processes[p]->counters[i]->name, name) == 0)
				return processes[p]->counters[i]->metric;
	return metric;
}

/* Sums over one rank, or over all ("*"). */
static uint64_t sum_of(uint32_t metric, const char *rank, const char *path)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < value_count; i++) {
		bool its = rank[0] == '*' || values[i].rank == number(rank) + 1;
		if (its && values[i].metric == metric && fnmatch(path, values[i].path, FNM_NOESCAPE) == 0)
			sum += values[i].value;
	}
	return sum;
}

static void judge_value(char **field)
{
	uint32_t metric = metric_of(field[2]);
	uint64_t sum = sum_of(metric, field[3], field[4]);
	if (metric == HEDDLE_METRIC_COUNT)
		fail(field, "no such metric");
	else
		judge_number(field, sum, number(field[5]), number(field[6]));
}

static void judge_paths(char **field)
{
	uint64_t count = 0;
	for (size_t i = 0; i < path_count; i++) {
		bool before = false;
		for (size_t j = 0; j < i && !before; j++)
			before = strcmp(paths[i], paths[j]) == 0;
		count += !before && fnmatch(field[2], paths[i], FNM_NOESCAPE) == 0;
	}
	judge_number(field, count, number(field[3]), number(field[3]));
}

static bool near(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void judge_values(char **field)
{
	uint64_t count = 0;
	double low = INFINITY, high = -INFINITY, sum = 0;
	char text[128];
	for (size_t i = 0; i < distribution_count; i++) {
		const Heddle__Profile__Distribution *one = distributions[i].distribution;
		if (one->argument != number(field[3]) || fnmatch(field[2], distributions[i].path, FNM_NOESCAPE) != 0)
			continue;
		count += one->count;
		low = fmin(low, one->minimum);
		high = fmax(high, one->maximum);
		sum += one->sum;
	}
	snprintf(text, sizeof(text), "%lu %.17g %.17g %.17g", (unsigned long)count, low, high, sum);
	bool values_right =
		count == 0 || (near(low, atof(field[5])) && near(high, atof(field[6])) && near(sum, atof(field[7])));
	if (count != number(field[4]) || !values_right)
		fail(field, text);
}

static void judge_string(char **field)
{
	uint64_t count = 0;
	for (size_t i = 0; i < distribution_count; i++) {
		const Heddle__Profile__Distribution *one = distributions[i].distribution;
		if (one->argument != number(field[3]) || !one->text ||
			fnmatch(field[2], distributions[i].path, FNM_NOESCAPE) != 0)
			continue;
		const char *text = string(distributions[i].process, one->text - 1);
		const char *found = strstr(text, HEDDLE_TEXT_BEGINS);
		bool other = strstr(text, HEDDLE_TEXT_IS_ANOTHER);
		if (found ? strcmp(found + HEDDLE_TEXT_MARK_BYTES, field[4]) == 0
			  : other && strcmp(field[4], "<others>") == 0)
			count += one->count;
	}
	judge_number(field, count, number(field[5]), number(field[5]));
}

static void judge_measured(char **field)
{
	judge_number(field, measured_ns, number(field[2]), number(field[3]));
}

/* Allows for rounding of ticks to ns in each value. */
static void judge_pairs(char **field)
{
	uint64_t low = sum_of(HEDDLE_METRIC_WALL_TIME, "*", field[2]), rounding = 1000;
	judge_number(field, pairs_ns, low > rounding ? low - rounding : 0,
		sum_of(HEDDLE_METRIC_WALL_TIME, "*", field[3]) + rounding);
}

static void judge_files(char **field)
{
	judge_number(field, process_count, number(field[2]), number(field[2]));
}

static void judge_ended(char **field)
{
	uint64_t count = 0;
	for (size_t i = 0; i < process_count; i++)
		count += strcmp(processes[i]->ended_by, field[2]) == 0;
	judge_number(field, count, number(field[3]), number(field[3]));
	for (size_t i = 0; count != number(field[3]) && i < process_count; i++)
		printf("  ended by: %s\n", processes[i]->ended_by);
}

static void judge_note(char **field)
{
	uint64_t count = 0;
	for (size_t i = 0; i < process_count; i++) {
		for (size_t n = 0; n < processes[i]->n_note; n++)
			count += strstr(processes[i]->note[n], field[2]) != NULL;
	}
	judge_number(field, count, number(field[3]), number(field[3]));
}

/* Counts event kinds with generated names. */
static void judge_generated(char **field)
{
	uint64_t count = 0;
	for (size_t i = 0; i < process_count; i++) {
		for (size_t n = 0; n < processes[i]->n_events; n++) {
			const Heddle__Profile__EventKind *kind = processes[i]->events[n];
			count += kind->generated && fnmatch(field[2], kind->name, FNM_NOESCAPE) == 0;
		}
	}
	judge_number(field, count, number(field[3]), number(field[3]));
}

static bool holds(const char *line, size_t length, const char *text)
{
	return memmem(line, length, text, strlen(text));
}

/*
 * Counts Heddle's lines on standard error that contain the text. NULL: all lines except the warning that events take
 * most of the time, which depends on the machine: under an emulator they do.
 */
static uint64_t lines_said(const char *text)
{
	uint64_t count = 0;
	for (const char *at = said; *at;) {
		size_t length = strcspn(at, "\n");
		if (strncmp(at, "heddle", 6) == 0)
			count += text ? holds(at, length, text) : !holds(at, length, "in its first second");
		at += length + (at[length] == '\n');
	}
	return count;
}

static uint64_t lines_expected;

static void judge_said(char **field)
{
	uint64_t count = lines_said(field[2]);
	lines_expected += number(field[3]);
	judge_number(field, count, number(field[3]), number(field[3]));
}

static bool outcome_judged;

static void judge_outcome(char **field)
{
	outcome_judged = true;
	if (strcmp(outcome, field[2]) != 0)
		fail(field, outcome);
}

static void judge_failed(char **field)
{
	fail(field, "the contrary");
}

static void judge_held(char **field)
{
	(void)field;
}

static const struct {
	const char *word;
	void (*judge)(char **field);
	int fields;
} kinds[] = {
	{"value", judge_value, 7},
	{"paths", judge_paths, 4},
	{"values", judge_values, 8},
	{"string", judge_string, 6},
	{"measured", judge_measured, 4},
	{"pairs", judge_pairs, 4},
	{"files", judge_files, 3},
	{"ended", judge_ended, 4},
	{"note", judge_note, 4},
	{"generated", judge_generated, 4},
	{"said", judge_said, 4},
	{"outcome", judge_outcome, 3},
	{"failed", judge_failed, 3},
	{"held", judge_held, 3},
};

static void judge_line(char *line)
{
	char *field[FIELDS] = {NULL};
	int count = 0;
	for (char *at = line; at && count < FIELDS; count++)
		field[count] = strsep(&at, "\t");
	checks++;
	for (size_t i = 0; count > 2 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(field[1], kinds[i].word) == 0 && count == kinds[i].fields) {
			kinds[i].judge(field);
			return;
		}
	}
	fail(field, "a line that judge does not understand");
}

static void judge_all(void)
{
	for (char *line; (line = strsep(&stated, "\n"));) {
		if (*line)
			judge_line(line);
	}
	char *well[FIELDS] = {"outcome", "exit 0"}, *silent[FIELDS] = {"said", "nothing else"};
	if (!outcome_judged && strcmp(outcome, "exit 0") != 0)
		fail(well, outcome);
	if (lines_said(NULL) != lines_expected)
		fail(silent, said);
	if (checks == 0)
		failures++;
}

static void show(void)
{
	puts("the values:");
	for (size_t i = 0; i < value_count && i < 200; i++) {
		const struct value *one = &values[i];
		printf("  metric %u rank %d: %s = %lu\n", one->metric, (int)one->rank - 1, one->path,
			(unsigned long)one->value);
	}
	for (size_t i = 0; i < distribution_count && i < 50; i++) {
		const Heddle__Profile__Distribution *one = distributions[i].distribution;
		printf("  argument %u: %s = %lu values, %g to %g, sum %g\n", one->argument, distributions[i].path,
			(unsigned long)one->count, one->minimum, one->maximum, one->sum);
	}
	for (size_t i = 0; i < process_count; i++) {
		for (size_t n = 0; n < processes[i]->n_note; n++)
			printf("  note: %s\n", processes[i]->note[n]);
	}
	printf("standard error of the client:\n%.4000s", said);
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	if (argc < 2)
		return 2;
	snprintf(folder, sizeof(folder), "%.40s/heddle-gasp.XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(folder))
		return 2;
	run(argv + 1);
	read_profiles();
	judge_all();
	if (failures)
		show();
	printf("%d expectations, %d failed\n", checks, failures);
	if (getenv("KEEP")) {
		printf("kept: %s\n", folder);
	} else {
		char command[128];
		snprintf(command, sizeof(command), "rm -rf '%s'", folder);
		if (system(command) != 0)
			puts("could not remove the folder");
	}
	return failures ? 1 : 0;
}

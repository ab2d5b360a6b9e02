/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds both programs twice: with code that writes the contents of shared memory at the end, which are compared, and,
 * if they are equal, without that code, to measure the time. All files are in a folder that is removed.
 */
#include "tune/check.h"

#include "analysis/significance.h"
#include "cli/base/exit_status.h"
#include "tune/command.h"
#include "tune/contents.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUILD_SECONDS 600
#define LEAST_SECONDS 120 /* limit for a run, or ten times the time of the original, if that is longer */

enum program { ORIGINAL, CHANGED };

static const char *const names[] = {"original", "tuned"};

struct work {
	const struct tune_check *check;
	char folder[PATH_MAX];
	bool contents; /* the programs that write their contents were built */
	double limit;  /* seconds, for a run */
	char *heddle;  /* this command */
};

static char *in_folder(const struct work *work, const char *name)
{
	char *path;
	return asprintf(&path, "%s/%s", work->folder, name) < 0 ? NULL : path;
}

static void remove_folder(const struct work *work)
{
	DIR *folder = opendir(work->folder);
	for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
		char *path = in_folder(work, entry->d_name);
		if (path && *entry->d_name != '.')
			unlink(path);
		free(path);
	}
	if (folder)
		closedir(folder);
	rmdir(work->folder);
}

static void show_file(const char *path)
{
	FILE *file = path ? fopen(path, "r") : NULL;
	char line[1024];
	for (int count = 0; file && count < 20 && fgets(line, sizeof(line), file); count++)
		fputs(line, stderr);
	if (file)
		fclose(file);
}

/* ---- building ---- */

/* Returns true if the compiler succeeds; otherwise prints its messages, unless `silent`. */
static bool compile(const struct work *work, const struct heddle_words *words, bool silent)
{
	char *messages = in_folder(work, "messages"), *output = in_folder(work, "output");
	struct tune_run run = {0};
	bool good = messages && output && !words->failed &&
		    heddle__tune_command(words, output, messages, BUILD_SECONDS, &run) == 0 && run.status == 0;
	if (!good && !silent)
		show_file(messages);
	free(messages);
	free(output);
	return good;
}

static void add_compiler(const struct work *work, struct heddle_words *words, const char *target)
{
	heddle__words_add(words, work->heddle);
	heddle__words_add(words, "upcc");
	heddle__words_add(words, "-O2");
	heddle__words_add(words, "-o");
	heddle__words_add_format(words, "%s/%s", work->folder, target);
}

/* The tuned source includes files from the folder of the original. */
static void add_folder(const struct work *work, struct heddle_words *words)
{
	const char *path = work->check->original, *slash = strrchr(path, '/');
	heddle__words_add(words, "-I");
	heddle__words_add_format(words, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

static bool build_alone(const struct work *work, enum program program)
{
	struct heddle_words words = {0};
	add_compiler(work, &words, names[program]);
	heddle__words_add(&words, program == ORIGINAL ? work->check->original : work->check->changed);
	add_folder(work, &words);
	heddle__words_add_all(&words, work->check->flags);
	bool good = compile(work, &words, false);
	heddle__words_free(&words);
	if (!good)
		fprintf(stderr, "heddle: tune: %s cannot be compiled; its options are given with --cflags\n",
			program == ORIGINAL ? work->check->original : work->check->changed);
	return good;
}

static bool write_file(const char *path, const char *text)
{
	FILE *file = path ? fopen(path, "w") : NULL;
	bool good = file && fputs(text, file) >= 0;
	if (file && fclose(file) != 0)
		good = false;
	return good;
}

/* Writes the wrapper around a source; returns false if the source is not understood. */
static bool write_wrapper(const struct work *work, const char *source, const char *target)
{
	struct heddle_words flags = {0};
	add_folder(work, &flags);
	heddle__words_add_all(&flags, work->check->flags);
	struct tune_work memory = {0};
	jmp_buf refused;
	volatile bool good = false;
	char absolute[PATH_MAX];
	memory.refused = &refused;
	if (!flags.failed && !setjmp(refused) && realpath(source, absolute)) {
		struct tune_file *file = heddle__tune_take(&memory, sizeof(*file));
		file->work = &memory;
		if (heddle__tune_load(&memory, source, &file->source) == 0) {
			heddle__tune_read_file(file, (const char *const *)flags.at, true);
			good = write_file(target, heddle__tune_contents_wrapper(file, absolute));
		}
	}
	heddle__tune_free(&memory);
	heddle__words_free(&flags);
	return good;
}

/* Compiles the code that writes the contents, which both programs are linked with. */
static bool build_writer(const struct work *work)
{
	struct heddle_words words = {0};
	char *source = in_folder(work, "contents.upc");
	bool good = source && write_file(source, heddle__tune_contents_source);
	add_compiler(work, &words, "contents.o");
	heddle__words_add(&words, "-c");
	heddle__words_add(&words, source ? source : "");
	good = good && compile(work, &words, true);
	heddle__words_free(&words);
	free(source);
	return good;
}

/* Builds the program that writes its contents to FOLDER/NAME.contents.THREAD. */
static bool build_with_contents(const struct work *work, enum program program)
{
	struct heddle_words words = {0};
	char *wrapper = in_folder(work, "wrapper.upc");
	bool good = wrapper &&
		    write_wrapper(work, program == ORIGINAL ? work->check->original : work->check->changed, wrapper);
	if (good) {
		char *target;
		good = asprintf(&target, "%s.whole", names[program]) >= 0;
		if (good)
			add_compiler(work, &words, target);
		if (good)
			free(target);
		for (size_t i = 0; heddle__tune_contents_macros[i]; i++)
			heddle__words_add(&words, heddle__tune_contents_macros[i]);
		heddle__words_add_format(&words, "-DHEDDLE_CONTENTS=\"%s/%s.contents\"", work->folder, names[program]);
		heddle__words_add(&words, wrapper);
		heddle__words_add_format(&words, "%s/contents.o", work->folder);
		add_folder(work, &words);
		heddle__words_add_all(&words, work->check->flags);
		good = good && compile(work, &words, true);
	}
	heddle__words_free(&words);
	free(wrapper);
	return good;
}

/* ---- running ---- */

static void add_program(
	const struct work *work, struct heddle_words *words, enum program program, bool whole, const char *threads)
{
	heddle__words_add_all(words, work->check->launcher);
	heddle__words_add_format(words, "%s/%s%s", work->folder, names[program], whole ? ".whole" : "");
	if (threads) {
		heddle__words_add(words, "-n");
		heddle__words_add(words, threads);
	}
	heddle__words_add_all(words, work->check->arguments);
}

/* Runs one program, with output in FOLDER/NAME.output. Returns false after a message if it cannot be run. */
static bool run_program(
	const struct work *work, enum program program, bool whole, const char *threads, struct tune_run *run)
{
	struct heddle_words words = {0};
	char *output = NULL, *errors = NULL;
	int error = asprintf(&output, "%s/%s.output", work->folder, names[program]) < 0 ||
				    asprintf(&errors, "%s/%s.errors", work->folder, names[program]) < 0
			    ? -ENOMEM
			    : 0;
	add_program(work, &words, program, whole, threads);
	if (!error)
		error = words.failed ? -ENOMEM : heddle__tune_command(&words, output, errors, work->limit, run);
	if (error)
		fprintf(stderr, "heddle: tune: the %s program cannot be run: %s\n", names[program], strerror(-error));
	heddle__words_free(&words);
	free(output);
	free(errors);
	return !error;
}

static bool same_bytes(const char *one, const char *other)
{
	FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
	bool same = a && b;
	while (same) {
		int c = getc(a);
		same = c == getc(b);
		if (c == EOF)
			break;
	}
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return same;
}

static bool same_outputs(const struct work *work)
{
	char *one = in_folder(work, "original.output"), *other = in_folder(work, "tuned.output");
	bool same = one && other;
	if (same && work->check->compare) {
		struct heddle_words words = {0};
		char *output = in_folder(work, "compared"), *errors = in_folder(work, "compared.errors");
		struct tune_run run = {.status = 1};
		heddle__words_add(&words, "/bin/sh");
		heddle__words_add(&words, "-c");
		heddle__words_add_format(&words, "%s \"$@\"", work->check->compare);
		heddle__words_add(&words, "compare");
		heddle__words_add(&words, one);
		heddle__words_add(&words, other);
		same = output && errors && heddle__tune_command(&words, output, errors, LEAST_SECONDS, &run) == 0 &&
		       run.status == 0;
		heddle__words_free(&words);
		free(output);
		free(errors);
	} else if (same) {
		same = same_bytes(one, other);
	}
	free(one);
	free(other);
	return same;
}

static const char *status_text(char text[64], int status)
{
	if (status == TUNE_TIMED_OUT)
		snprintf(text, 64, "did not end in time");
	else if (status > 128)
		snprintf(text, 64, "ended by signal %d", status - 128);
	else
		snprintf(text, 64, "ended with status %d", status);
	return text;
}

/* ---- comparing ---- */

static int complain(const struct work *work, const char *threads, const char *what)
{
	char *errors = in_folder(work, "tuned.errors");
	fprintf(stderr, "heddle: tune: %s%s: %s\n", threads ? threads : "with the launcher",
		threads ? " UPC threads" : "", what);
	show_file(errors);
	free(errors);
	return HEDDLE_EXIT_REFUSED;
}

static int compare_contents(const struct work *work, const char *threads, int *compared)
{
	char *before = in_folder(work, "original.contents"), *after = in_folder(work, "tuned.contents");
	char what[256] = "", message[320];
	*compared = 0;
	bool same = before && after && heddle__tune_contents_same(before, after, compared, what, sizeof(what));
	for (int t = 0; before && after && t <= *compared; t++) {
		char name[PATH_MAX + 16];
		snprintf(name, sizeof(name), "%s.%d", before, t);
		unlink(name);
		snprintf(name, sizeof(name), "%s.%d", after, t);
		unlink(name);
	}
	free(before);
	free(after);
	snprintf(message, sizeof(message), "shared memory differs at the end: %s", what);
	return same ? 0 : complain(work, threads, message);
}

/* Compares with one number of threads, or the launcher's if it is NULL. */
static int compare_once(struct work *work, const char *threads)
{
	struct tune_run runs[2];
	char one[64], other[64], message[256];
	bool whole = work->contents;
	int compared = 0;
	for (int p = 0; p < 2; p++) {
		if (!run_program(work, (enum program)p, whole, threads, &runs[p]))
			return HEDDLE_EXIT_FAILED;
		if (p == ORIGINAL && runs[p].status == TUNE_TIMED_OUT)
			return complain(work, threads, "the original program timed out");
		if (p == ORIGINAL && 10 * runs[p].seconds > work->limit)
			work->limit = 10 * runs[p].seconds;
	}
	if (runs[0].status != runs[1].status) {
		snprintf(message, sizeof(message), "the original %s, the tuned program %s",
			status_text(one, runs[0].status), status_text(other, runs[1].status));
		return complain(work, threads, message);
	}
	if (!same_outputs(work))
		return complain(work, threads,
			work->check->compare ? "the outputs differ, according to the command of --compare"
					     : "the outputs differ");
	int status = whole ? compare_contents(work, threads, &compared) : 0;
	if (!status)
		printf("%s%s: same exit status (%d)%s%s\n", threads ? threads : "launcher",
			threads ? " UPC threads" : "", runs[0].status, compared ? ", output" : " and output",
			compared ? " and contents of shared memory" : "");
	if (!status && runs[0].status != 0)
		printf("note: the original program %s: check whether it did its work\n",
			status_text(one, runs[0].status));
	return status;
}

static int compare_all(struct work *work)
{
	if (work->check->launcher->count)
		return compare_once(work, NULL);
	char *list = strdup(work->check->threads), *rest = list;
	int status = list ? 0 : HEDDLE_EXIT_FAILED;
	for (char *threads; !status && (threads = strsep(&rest, ",")) != NULL;)
		if (*threads)
			status = compare_once(work, threads);
	free(list);
	return status;
}

/* ---- timing ---- */

/* Compares ratios as logarithms: their mean is that of the speed-up, and the interval is right for any ratio. */
static void print_speed(const double *before, const double *after, unsigned runs, const char *threads)
{
	struct heddle_difference difference = heddle__compare(after, runs, before, runs);
	double low = exp(difference.change - difference.margin), high = exp(difference.change + difference.margin);
	printf("speed-up %.2f (%.2f to %.2f at 95 %% confidence), %s%s, %u runs of each: %.3g s -> %.3g s\n",
		exp(difference.change), low, high, threads ? threads : "as launched", threads ? " UPC threads" : "",
		runs, exp(difference.after), exp(difference.before));
}

static int time_both(const struct work *work, const char *threads)
{
	unsigned runs = work->check->runs;
	double *seconds[2] = {calloc(runs, sizeof(double)), calloc(runs, sizeof(double))};
	int status = seconds[0] && seconds[1] ? 0 : HEDDLE_EXIT_FAILED;
	for (unsigned r = 0; !status && r < 2 * runs; r++) {
		struct tune_run run;
		/* Alternately, and each program is the first one equally often. */
		enum program program = (r / 2 + r) % 2 ? CHANGED : ORIGINAL;
		if (!run_program(work, program, false, threads, &run))
			status = HEDDLE_EXIT_FAILED;
		else if (run.status == TUNE_TIMED_OUT)
			status = complain(work, threads, "a program timed out");
		else
			seconds[program][r / 2] = log(run.seconds);
	}
	if (!status)
		print_speed(seconds[ORIGINAL], seconds[CHANGED], runs, threads);
	free(seconds[0]);
	free(seconds[1]);
	return status;
}

/* Measures with the largest number of threads, or as launched. */
static int time_largest(const struct work *work)
{
	long most = 0;
	char text[24];
	for (const char *at = work->check->threads; *at; at += strcspn(at, ","), at += *at == ',') {
		long number = strtol(at, NULL, 10);
		most = number > most ? number : most;
	}
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	most = processors > 1 && most > processors ? processors : most;
	snprintf(text, sizeof(text), "%ld", most);
	return time_both(work, work->check->launcher->count ? NULL : text);
}

static bool build_both_alone(const struct work *work)
{
	return build_alone(work, ORIGINAL) && build_alone(work, CHANGED);
}

static int check_in_folder(struct work *work)
{
	work->contents = !work->check->races && build_writer(work) && build_with_contents(work, ORIGINAL) &&
			 build_with_contents(work, CHANGED);
	if (!work->contents && !build_both_alone(work))
		return HEDDLE_EXIT_FAILED;
	if (work->check->races)
		puts("the loops have races: contents of shared memory are not compared, outputs are");
	else if (!work->contents)
		puts("contents of shared memory are not compared: the program cannot be built with the code that "
		     "writes them");
	int status = compare_all(work);
	if (!status && work->contents && !build_both_alone(work))
		status = HEDDLE_EXIT_FAILED;
	return status ? status : time_largest(work);
}

int heddle__tune_check(const struct tune_check *check)
{
	struct work work = {.check = check, .limit = LEAST_SECONDS};
	const char *base = getenv("TMPDIR");
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	snprintf(work.folder, sizeof(work.folder), "%s/heddle-tune-XXXXXX", base && *base ? base : "/tmp");
	if (length <= 0 || !mkdtemp(work.folder)) {
		fprintf(stderr, "heddle: tune: %s cannot be made: %s\n", work.folder, strerror(errno));
		return HEDDLE_EXIT_FAILED;
	}
	self[length] = '\0';
	work.heddle = self;
	fflush(stdout);
	int status = check_in_folder(&work);
	remove_folder(&work);
	return status;
}

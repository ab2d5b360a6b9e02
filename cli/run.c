/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle run`: turns options into HEDDLE_* variables, preloads libheddle.so into the program, and waits for it. The
 * program's output, exit status and signals stay its own; what Heddle has to say goes to standard error, a line each.
 */
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/run/aftermath.h"
#include "cli/run/companions.h"
#include "cli/run/launch.h"
#include "cli/run/launchers.h"
#include "cli/run/live.h"
#include "cli/run/locate.h"
#include "cli/run/program.h"
#include "cli/run/survivors.h"
#include "cli/run/traces.h"
#include "cli/run/upc_start.h"
#include "format/quantity.h"
#include "format/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct setting {
	const char *name, *variable, *option, *argument, *initial, *help;
	enum heddle_setting_kind kind;
	long low, high;
};

static const struct setting settings[HEDDLE_SETTING_COUNT] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	{#name, variable, option, argument, initial, help, HEDDLE_SETTING_KIND_##kind, low, high},
	HEDDLE_SETTINGS(X)
#undef X
};

struct run {
	struct heddle_program program;
	const char *settings[HEDDLE_SETTING_COUNT]; /* as options gave them; NULL: not given */
	char **arguments;                           /* of the program, its name first */
	const char *output;                         /* as the user gave it; NULL: the default */
	const char *openmp_runtime;                 /* argument of --openmp-runtime; NULL: the program's own */
	const char *threads;                        /* argument of -n; NULL: the program's own */
	char runtime[PATH_MAX];                     /* the file it stands for */
	char library[PATH_MAX];                     /* libheddle.so */
	char memory[PATH_MAX];                      /* libheddle-memory.so; "": the malloc family is not measured */
	char private_directory[64];                 /* with links to libraries under other names; "": none */
	bool live;                                  /* --live */
	struct heddle_live *line;                   /* of it; NULL: it is not shown */
	bool preload;                               /* measuring is possible */
	struct heddle_output directory;
	struct heddle_ranks ranks; /* of a launcher */
	int survivors;             /* processes that still run after the program has ended, and write there */
};

static const struct heddle_option options[] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	{option, argument, help, HEDDLE_OPTION_TEXT, offsetof(struct run, settings[HEDDLE_SETTING_##name])},
	HEDDLE_SETTINGS(X)
#undef X
		{"-n", "N", "run a UPC program with N UPC threads", HEDDLE_OPTION_TEXT, offsetof(struct run, threads)},
	{"--openmp-runtime", "llvm|PATH", "run the program's OpenMP on this LLVM runtime (GCC's has no tool interface)",
		HEDDLE_OPTION_TEXT, offsetof(struct run, openmp_runtime)},
	{"--live", NULL, "show time, CPU use, samples and the top function in the terminal's last line",
		HEDDLE_OPTION_FLAG, offsetof(struct run, live)},
	{0},
};

/* The library's own default is not to sample. */
#define INITIAL(name, initial) (HEDDLE_SETTING_##name == HEDDLE_SETTING_SAMPLE_HZ ? HEDDLE_RUN_SAMPLE_HZ : (initial))

static const struct heddle_option_variable variables[] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) {variable, INITIAL(name, initial)},
	HEDDLE_SETTINGS(X)
#undef X
		{"UPC_THREADS", ""},
	{0},
};

/* Whether `word` (of that length) is in the list `words`, separated by `separator`. */
static bool listed(const char *words, char separator, const char *word, size_t length)
{
	const char separators[] = {separator, '\0'};
	while (*words != '\0') {
		size_t size = strcspn(words, separators);

		if (size == length && strncmp(words, word, length) == 0)
			return length > 0;
		words += size + (words[size] != '\0');
	}
	return false;
}

static bool valid_list(const char *words, const char *value)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");

		if (!listed(words, ',', at, length))
			return false;
		at += length;
		if (*at == '\0')
			return true;
	}
}

static bool valid_number(const struct setting *setting, const char *value)
{
	char *end;
	long number;
	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	number = strtol(value, &end, 10);
	return errno == 0 && *end == '\0' && number >= setting->low && number <= setting->high;
}

/* 0, or why not: errno. */
static int readable_file(const char *path)
{
	struct stat about;
	if (stat(path, &about) != 0 || access(path, R_OK) != 0)
		return errno;
	return S_ISDIR(about.st_mode) ? EISDIR : 0;
}

static int check_quantity(const struct setting *setting, const char *from, const char *value)
{
	uint64_t first, last;
	if (setting->kind == HEDDLE_SETTING_KIND_SIZE && heddle__read_size(value, &first) &&
		first >= (uint64_t)setting->low && first <= (uint64_t)setting->high)
		return 0;
	if (setting->kind == HEDDLE_SETTING_KIND_TIME && heddle__read_time(value, &first))
		return 0;
	if (setting->kind == HEDDLE_SETTING_KIND_WINDOW && heddle__read_window(value, &first, &last))
		return 0;
	if (setting->kind == HEDDLE_SETTING_KIND_SIZE)
		fprintf(stderr, "heddle: run: %s: '%s' is not a size from %ldK to %ldM, such as 8M\n", from, value,
			setting->low >> 10, setting->high >> 20);
	else
		fprintf(stderr, "heddle: run: %s: '%s' is not %s\n", from, value,
			setting->kind == HEDDLE_SETTING_KIND_TIME ? "a time, such as 5s or 300ms"
								  : "two times, FROM:TO, such as 10s:20s");
	return HEDDLE_EXIT_USAGE;
}

/* Reports a wrong value, and where it came from; 0 or HEDDLE_EXIT_USAGE. */
static int check_value(const struct setting *setting, const char *from, const char *value)
{
	switch (setting->kind) {
	case HEDDLE_SETTING_KIND_NUMBER:
		if (valid_number(setting, value))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not a number from %ld to %ld\n", from, value, setting->low,
			setting->high);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_CHOICE:
		if (listed(setting->argument, '|', value, strlen(value)))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not one of %s\n", from, value, setting->argument);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_LIST:
		if (valid_list(setting->argument, value))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not a list of some of %s\n", from, value, setting->argument);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_PATH:
		if (*value != '\0')
			return 0;
		fprintf(stderr, "heddle: run: %s: a directory's name is missing\n", from);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_FILE:
		if (readable_file(value) == 0)
			return 0;
		fprintf(stderr, "heddle: run: %s: cannot read '%s': %s\n", from, value, strerror(readable_file(value)));
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_SIZE:
	case HEDDLE_SETTING_KIND_TIME:
	case HEDDLE_SETTING_KIND_WINDOW:
		return check_quantity(setting, from, value);
	case HEDDLE_SETTING_KIND_TEXT: /* cli/counters.c checks it */
	case HEDDLE_SETTING_KIND_FLAG:
		break;
	}
	return 0;
}

static int make_trace_directory(const char *from, const char *value)
{
	if ((mkdir(value, 0777) == 0 || errno == EEXIST) && access(value, W_OK | X_OK) == 0)
		return 0;
	fprintf(stderr, "heddle: run: %s: cannot write to '%s': %s\n", from, value, strerror(errno));
	return HEDDLE_EXIT_OUTPUT;
}

static int set_setting(const struct setting *setting, const char *value)
{
	char whole[PATH_MAX];
	int failure = check_value(setting, setting->option, value);
	/* The program's children may start in another directory. */
	bool local = setting == &settings[HEDDLE_SETTING_TRACE_DIR];
	if (failure == 0 && local)
		failure = make_trace_directory(setting->option, value);
	if ((local || setting->kind == HEDDLE_SETTING_KIND_FILE) && realpath(value, whole))
		value = whole;
	if (failure == 0)
		setenv(setting->variable, value, 1);
	return failure;
}

static int check_threads(const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);
	if (*value >= '1' && *value <= '9' && *end == '\0' && number <= 1024)
		return 0;
	fprintf(stderr, "heddle: run: -n: '%s' is not a number of UPC threads from 1 to 1024\n", value);
	return HEDDLE_EXIT_USAGE;
}

/* Variables from the environment are checked as options are. */
static int check_environment(void)
{
	for (int i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const char *value = getenv(settings[i].variable);

		if (value && *value != '\0' && check_value(&settings[i], settings[i].variable, value) != 0)
			return HEDDLE_EXIT_USAGE;
	}
	return 0;
}

/* By default, the library alone takes no samples; `heddle run` turns sampling on. */
static void sample_by_default(void)
{
	const char *hz = getenv("HEDDLE_SAMPLE_HZ"), *event = getenv("HEDDLE_SAMPLE_EVENT");
	if ((!hz || *hz == '\0') && (!event || *event == '\0'))
		setenv("HEDDLE_SAMPLE_HZ", HEDDLE_RUN_SAMPLE_HZ, 1);
}

static int take_settings(const struct run *run)
{
	int failure = run->threads ? check_threads(run->threads) : 0;
	for (int i = 0; i < HEDDLE_SETTING_COUNT && failure == 0; i++)
		if (run->settings[i])
			failure = set_setting(&settings[i], run->settings[i]);
	return failure != 0 ? failure : check_environment();
}

/* Returns 0 or an exit status; HEDDLE_EXIT_HELPED after help was given. */
static int take_arguments(int argc, char **argv, struct run *run)
{
	int count, failure;
	run->arguments = calloc((size_t)argc + 1, sizeof(*run->arguments));
	if (!run->arguments)
		return HEDDLE_EXIT_FAILED;
	failure = heddle__options_parse(&heddle__command_run, argc, argv, run, (const char **)run->arguments, &count);
	if (failure != 0)
		return failure;
	if (run->settings[HEDDLE_SETTING_METRICS] && strcmp(run->settings[HEDDLE_SETTING_METRICS], "help") == 0) {
		heddle__counters_print();
		return HEDDLE_EXIT_HELPED;
	}
	failure = take_settings(run);
	if (failure == 0 && count == 0) {
		fputs("heddle: run: no program given; see: heddle run --help\n", stderr);
		failure = HEDDLE_EXIT_USAGE;
	}
	run->output = getenv("HEDDLE_OUTPUT");
	if (run->output && *run->output == '\0')
		run->output = NULL;
	return failure;
}

/* A hint: a file here, or the program compiled from a source file here. */
static bool is_here(const char *name, char *path, size_t size)
{
	const char *dot = strrchr(name, '.');
	snprintf(path, size, "./%s", name);
	if (access(path, X_OK) == 0)
		return true;
	if (dot && dot > name) {
		snprintf(path, size, "./%.*s", (int)(dot - name), name);
		if (access(path, X_OK) == 0)
			return true;
		snprintf(path, size, "./%s", name);
	}
	return access(path, F_OK) == 0;
}

static int complain_not_found(const char *name)
{
	char here[PATH_MAX];
	if (strchr(name, '/'))
		fprintf(stderr, "heddle: run: %s: program not found\n", name);
	else if (is_here(name, here, sizeof here))
		fprintf(stderr, "heddle: run: %s: program not found on PATH; did you mean %s?\n", name, here);
	else
		fprintf(stderr, "heddle: run: %s: program not found on PATH\n", name);
	return HEDDLE_EXIT_NO_PROGRAM;
}

static int find_program(struct run *run)
{
	int status = heddle__program_find(run->arguments[0], &run->program);
	switch (status) {
	case 0:
		heddle__program_inspect(&run->program);
		return 0;
	case -EISDIR:
		fprintf(stderr, "heddle: run: %s: is a directory, not a program\n", run->program.path);
		return HEDDLE_EXIT_NOT_EXECUTABLE;
	case -EACCES:
		fprintf(stderr, "heddle: run: %s: not executable (permission denied)\n", run->program.path);
		return HEDDLE_EXIT_NOT_EXECUTABLE;
	default:
		return complain_not_found(run->arguments[0]);
	}
}

/* Why preloading cannot work for this program; NULL when it can. */
static const char *unmeasurable(const struct heddle_program *program)
{
	if (program->foreign)
		return "is built for another processor or word size than Heddle";
	if (program->elf && !program->interpreted)
		return "is statically linked, so Heddle's library can't be preloaded; link it dynamically";
	if (program->privileged)
		return "changes its user, group or capabilities, for which the system ignores preloading";
	return NULL;
}

/* The second library, when it is asked for; without it the rest is measured. */
static void find_memory_library(struct run *run)
{
	const char *wanted = getenv("HEDDLE_MEMORY");
	if (!wanted || *wanted == '\0' || strcmp(wanted, "0") == 0)
		return;
	if (heddle__locate_library("libheddle-memory.so", run->memory) == 0)
		return;
	fprintf(stderr, "heddle: %s is missing: memory is not measured; build or install Heddle whole\n", run->memory);
	run->memory[0] = '\0';
	unsetenv("HEDDLE_MEMORY");
}

static void judge_program(struct run *run)
{
	const char *reason = unmeasurable(&run->program);
	run->preload = false;
	if (reason)
		fprintf(stderr, "heddle: %s %s: it runs unmeasured\n", run->arguments[0], reason);
	else if (heddle__locate_library("libheddle.so", run->library) != 0)
		fprintf(stderr, "heddle: %s is missing: %s runs unmeasured; build or install Heddle whole\n",
			run->library, run->arguments[0]);
	else
		run->preload = true;
	if (run->preload)
		find_memory_library(run);
	if (run->preload && run->program.needs_libgomp && !run->program.needs_libomp && !run->openmp_runtime)
		fprintf(stderr,
			"heddle: %s uses GCC's OpenMP runtime (libgomp), which offers no tool interface: OpenMP "
			"context is "
			"missing; add --openmp-runtime llvm to run it on LLVM's\n",
			run->arguments[0]);
}

/* The file that --openmp-runtime stands for: the newest of LLVM's, a library, or a directory that holds one. */
static int find_runtime(struct run *run)
{
	struct heddle_openmp_runtime runtimes[HEDDLE_OPENMP_RUNTIMES_MAX];
	char path[PATH_MAX];
	if (strcmp(run->openmp_runtime, "llvm") == 0) {
		int count = heddle__locate_openmp_runtimes(runtimes);

		for (int i = 0; i < count; i++) {
			if (runtimes[i].tools) {
				memcpy(run->runtime, runtimes[i].path, sizeof run->runtime);
				return 0;
			}
		}
		fputs("heddle: run: --openmp-runtime llvm: no LLVM OpenMP runtime found; install one (Debian: "
		      "libomp5-14), "
		      "or give its path\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (realpath(run->openmp_runtime, run->runtime) && heddle__elf_defines(run->runtime, "__kmpc_fork_call"))
		return 0;
	if (snprintf(path, sizeof path, "%s/libomp.so.5", run->openmp_runtime) < (int)sizeof path &&
		realpath(path, run->runtime) && heddle__elf_defines(run->runtime, "__kmpc_fork_call"))
		return 0;
	fprintf(stderr, "heddle: run: --openmp-runtime %s: no LLVM OpenMP runtime (libomp.so.5) there\n",
		run->openmp_runtime);
	return HEDDLE_EXIT_USAGE;
}

static const char *const link_names[] = {
	"libgomp.so.1", "libomp.so.5", "libiomp5.so", "libheddle.so", "libheddle-memory.so"};

static const char *link_target(const struct run *run, const char *name)
{
	if (strcmp(name, "libheddle.so") == 0)
		return run->library;
	return strcmp(name, "libheddle-memory.so") == 0 ? run->memory : run->runtime;
}

static int make_private_directory(struct run *run)
{
	const char *base = getenv("TMPDIR");
	char path[128];
	if (run->private_directory[0] != '\0')
		return 0;
	if (!base || *base == '\0' || strlen(base) > 40 || strpbrk(base, " :;"))
		base = "/tmp";
	snprintf(run->private_directory, sizeof run->private_directory, "%s/heddle-run-XXXXXX", base);
	if (!mkdtemp(run->private_directory)) {
		fprintf(stderr, "heddle: run: cannot make a directory in %s: %s\n", base, strerror(errno));
		run->private_directory[0] = '\0';
		return HEDDLE_EXIT_OUTPUT;
	}
	for (size_t i = 0; i < sizeof link_names / sizeof link_names[0]; i++) {
		const char *target = link_target(run, link_names[i]);

		snprintf(path, sizeof path, "%s/%s", run->private_directory, link_names[i]);
		if (*target != '\0' && symlink(target, path) != 0)
			fprintf(stderr, "heddle: run: cannot link %s: %s\n", path, strerror(errno));
	}
	return 0;
}

static void remove_private_directory(const struct run *run)
{
	char path[128];
	if (run->private_directory[0] == '\0')
		return;
	for (size_t i = 0; i < sizeof link_names / sizeof link_names[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", run->private_directory, link_names[i]);
		unlink(path);
	}
	rmdir(run->private_directory);
}

static void prepend(const char *variable, const char *value)
{
	const char *before = getenv(variable);
	char *whole;
	if (!before || *before == '\0') {
		setenv(variable, value, 1);
	} else if (asprintf(&whole, "%s:%s", value, before) >= 0) {
		setenv(variable, whole, 1);
		free(whole);
	}
}

/* In the child: its process id is the program's. */
static int prepare_child(void *context)
{
	struct run *run = context;
	if (run->openmp_runtime)
		prepend("LD_LIBRARY_PATH", run->private_directory);
	if (!run->preload)
		return 0;
	if (heddle__output_make(&run->directory, getpid()) != 0)
		return HEDDLE_EXIT_OUTPUT;
	setenv("HEDDLE_OUTPUT", run->directory.absolute, 1);
	if (run->memory[0] != '\0')
		prepend("LD_PRELOAD", run->memory);
	prepend("LD_PRELOAD", run->library);
	if (run->program.sanitizer[0] != '\0')
		prepend("LD_PRELOAD", run->program.sanitizer);
	return 0;
}

/*
 * A message about a program that left no profile, by its status; the dynamic linker's own status is that of shells.
 * Returns `text`.
 */
static char *describe_end(char *text, size_t size, int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char name[32];
	if (number >= SIGRTMIN)
		snprintf(name, sizeof name, "SIGRTMIN+%d", number - SIGRTMIN);
	else
		snprintf(name, sizeof name, "SIG%s", sigabbrev_np(number) ? sigabbrev_np(number) : "?");
	if (number != 0)
		snprintf(text, size,
			"it was killed by %s; --flush-seconds N would have left the last N seconds' profile", name);
	else if (WEXITSTATUS(status) == HEDDLE_EXIT_NO_PROGRAM)
		snprintf(text, size,
			"the dynamic linker did not start it, or ended it: a library or a symbol is missing (exit "
			"status %d)",
			WEXITSTATUS(status));
	else
		snprintf(text, size,
			"it ended with status %d past its exit handlers, or is a wrapper that clears LD_PRELOAD",
			WEXITSTATUS(status));
	return text;
}

/* The program may have gone into the background. */
static void find_survivors(struct run *run, pid_t pid)
{
	if (run->preload && heddle__output_resolve(&run->directory, pid) == 0)
		run->survivors = heddle__survivors(run->directory.absolute);
}

static void say_survivors(const struct run *run, bool profiles)
{
	const char *name = run->arguments[0], *quoted = run->directory.quoted;
	char who[64];
	if (run->survivors == 1)
		snprintf(who, sizeof who, "1 process that it started still runs");
	else
		snprintf(who, sizeof who, "%d processes that it started still run", run->survivors);
	if (profiles)
		fprintf(stderr, "heddle: measured %s: %s, and %s: more profiles follow; see: %s report %s\n", name,
			quoted, who, program_invocation_name, quoted);
	else
		fprintf(stderr,
			"heddle: %s has ended, and %s: profiles will be written to %s; see then: %s report %s\n", name,
			who, quoted, program_invocation_name, quoted);
}

static void say_result(struct run *run, pid_t pid, int status)
{
	char why[192];
	if (!run->preload)
		return;
	bool resolved = heddle__output_resolve(&run->directory, pid) == 0;
	int trouble = resolved ? heddle__aftermath_failure(run->directory.absolute) : ENOENT;
	if (resolved && run->survivors > 0) {
		say_survivors(run, heddle__output_holds_profiles(&run->directory));
		return;
	}
	if (resolved)
		heddle__output_tidy(&run->directory, pid);
	if (resolved && heddle__output_holds_profiles(&run->directory)) {
		heddle__launchers_set_aside(&run->directory);
		fprintf(stderr, "heddle: measured %s: %s; see: %s report %s\n", run->arguments[0],
			run->directory.quoted, program_invocation_name, run->directory.quoted);
		heddle__aftermath_say_incomplete(run->directory.absolute, trouble);
		return;
	}
	if (trouble == 0)
		trouble = heddle__aftermath_unwritable(run->directory.absolute);
	if (trouble != 0) {
		fprintf(stderr, "heddle: no profile of %s: it could not be written to %s: %s\n", run->arguments[0],
			run->directory.quoted, strerror(trouble));
		heddle__output_remove_if_empty(&run->directory);
		return;
	}
	fprintf(stderr, "heddle: no profile of %s was written: %s; see: %s doctor\n", run->arguments[0],
		describe_end(why, sizeof why, status), program_invocation_name);
	heddle__output_remove_if_empty(&run->directory);
}

/* The ranks of a job share a directory; the UPC run-time system and blame know it by the same name. */
static int prepare_output(struct run *run)
{
	struct timespec second = {1, 0};
	if (!heddle__ranks_detect(&run->ranks))
		return HEDDLE_EXIT_USAGE;
	int error = heddle__output_check(&run->directory, run->output, run->arguments[0], &run->ranks);
	if (error == 0 && run->ranks.count > 1)
		setenv("HEDDLE_JOB", run->directory.job, 1);
	if (error != 0 && run->ranks.rank > 0) /* rank 0 says why, before the launcher ends all */
		nanosleep(&second, NULL);
	return error == 0 ? 0 : HEDDLE_EXIT_OUTPUT;
}

/* Everything that can be refused before the program starts. */
static int prepare(struct run *run)
{
	int failure = find_program(run);
	if (failure == 0 && run->openmp_runtime)
		failure = find_runtime(run);
	if (failure != 0)
		return failure;
	judge_program(run);
	if (run->threads && heddle__program_is_upc(run->program.path) == 0)
		fprintf(stderr, "heddle: -n %s means nothing to %s, which is no UPC program\n", run->threads,
			run->arguments[0]);
	if (run->preload) {
		sample_by_default();
		failure = heddle__counters_resolve();
		if (failure != 0)
			return failure;
		failure = prepare_output(run);
		if (failure != 0)
			return failure;
	}
	if (run->openmp_runtime || (run->preload && strpbrk(run->library, " :")))
		failure = make_private_directory(run);
	/*
	 * LD_PRELOAD has no quoting: a path with a blank or colon is given by a link. Both libraries are in one folder.
	 */
	if (failure == 0 && run->preload && strpbrk(run->library, " :")) {
		snprintf(run->library, sizeof run->library, "%s/libheddle.so", run->private_directory);
		if (run->memory[0] != '\0')
			snprintf(run->memory, sizeof run->memory, "%s/libheddle-memory.so", run->private_directory);
	}
	return failure;
}

/* Of several ranks, one says what came of it. */
static void conclude(struct run *run, pid_t pid, int status)
{
	const char *elsewhere = getenv("HEDDLE_TRACE_DIR");
	if (run->preload && elsewhere && *elsewhere != '\0' && heddle__output_resolve(&run->directory, pid) == 0)
		heddle__traces_bring(run->directory.absolute);
	bool shared = run->preload && run->ranks.count > 1 && heddle__output_resolve(&run->directory, pid) == 0;
	if (shared && !heddle__companions_end(&run->directory, &run->ranks, status != 0))
		return;
	say_result(run, pid, status);
	if (shared)
		heddle__companions_leave(&run->directory);
}

static void wait_with_line(void *context, pid_t pid, int *status)
{
	const struct run *run = context;
	heddle__live_wait(run->line, pid, status);
}

static int launch(struct run *run, pid_t *pid, int *status)
{
	run->line = run->live ? heddle__live_open(&run->ranks) : NULL;
	struct heddle_launch launch = {.path = run->program.path,
		.arguments = run->arguments,
		.prepare = prepare_child,
		.wait = run->line ? wait_with_line : NULL,
		.context = run};
	int failure = heddle__launch(&launch, pid, status);
	heddle__live_close(run->line);
	return failure;
}

static int run(int argc, char **argv)
{
	static struct run run;
	int failure = take_arguments(argc, argv, &run);
	int status = 0;
	pid_t pid = 0;
	if (failure != 0)
		return failure;
	failure = prepare(&run);
	if (failure == 0 && run.threads)
		run.arguments = heddle__upc_start(run.program.path, run.arguments, run.threads);
	if (failure == 0)
		failure = launch(&run, &pid, &status);
	if (failure == 0 && run.ranks.count == 1) /* other ranks may run still */
		find_survivors(&run, pid);
	if (run.survivors == 0) /* they may start programs that need it */
		remove_private_directory(&run);
	signal(SIGPIPE, SIG_IGN); /* a closed standard error must not change how this ends */
	if (failure == 0)
		conclude(&run, pid, status);
	else if (run.preload && heddle__output_resolve(&run.directory, pid) == 0)
		heddle__output_remove_if_empty(&run.directory);
	return failure != 0 ? failure : heddle__launch_end_like(status);
}

const struct heddle_command heddle__command_run = {
	.name = "run",
	.summary = "Measure a program",
	.arguments = "[--] PROGRAM [ARGUMENT]...",
	.details = "The program runs as usual; the measurement is a directory, which heddle report reads. Each option "
		   "sets\n"
		   "an environment variable and overrides it.\n",
	.exit_status = "the program's own; before it starts 2 after wrong usage, 6 if the output cannot be written,\n"
		       "126 if the program cannot be executed, 127 if it was not found",
	.options = options,
	.variables = variables,
	.runs_program = true,
	.run = run,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle run`: turns options into HEDDLE_* variables, preloads libheddle.so into the program, and waits for it. The
 * program's output, exit status and signals are not changed; Heddle's messages go to standard error, one line each.
 */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/locate.h"
#include "cli/counters.h"
#include "cli/output.h"
#include "cli/run/annotations_start.h"
#include "cli/run/code_maps.h"
#include "cli/run/companions.h"
#include "cli/run/launch.h"
#include "cli/run/launch_words.h"
#include "cli/run/links.h"
#include "cli/run/live.h"
#include "cli/run/mpi_start.h"
#include "cli/run/outcome.h"
#include "cli/run/settings.h"
#include "cli/run/subject.h"
#include "cli/run/survivors.h"
#include "cli/run/traces.h"
#include "cli/run/unmeasured.h"
#include "cli/run/upc_start.h"
#include "format/settings.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct run {
	struct heddle_program program;
	const char *settings[HEDDLE_SETTING_COUNT];       /* values of options; NULL: not given */
	char **arguments;                                 /* of the program, its name first */
	const char *output;                               /* as the user gave it; NULL: the default */
	const char *openmp_runtime;                       /* argument of --openmp-runtime; NULL: the program's own */
	const char *threads;                              /* argument of -n; NULL: the program's own */
	char runtime[PATH_MAX];                           /* the file that `openmp_runtime` stands for */
	char libraries[HEDDLE_PRELOADED_COUNT][PATH_MAX]; /* "": not preloaded */
	char annotations[PATH_MAX];                       /* libheddle-annotations.so; "": not measured */
	struct heddle_links links;                        /* to libraries, under other names */
	bool live;                                        /* --live */
	struct heddle_live *line;                         /* NULL: not shown */
	bool preload;                                     /* measuring is possible */
	struct heddle_output directory;
	struct heddle_ranks ranks; /* from the launcher */
	uint64_t waited_ns;        /* CPU time of the program and of processes that were waited for; 0: not known */
	long started;              /* seconds since 1970 */
	int survivors;             /* processes that still run after the program's end, and write to the directory */
};

static const struct heddle_option options[] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	{option, argument, help, HEDDLE_OPTION_TEXT, offsetof(struct run, settings[HEDDLE_SETTING_##name])},
	HEDDLE_SETTINGS(X)
#undef X
		{"-n", "N", "run a UPC program with N UPC threads", HEDDLE_OPTION_TEXT, offsetof(struct run, threads)},
	{"--openmp-runtime", "llvm|PATH", "run the program's OpenMP on this LLVM runtime", HEDDLE_OPTION_TEXT,
		offsetof(struct run, openmp_runtime)},
	{"--live", NULL, "show progress in the terminal's last line", HEDDLE_OPTION_FLAG, offsetof(struct run, live)},
	{0},
};

/* By default, the library alone does not sample. */
#define INITIAL(name, initial) (HEDDLE_SETTING_##name == HEDDLE_SETTING_SAMPLE_HZ ? HEDDLE_RUN_SAMPLE_HZ : (initial))

static const struct heddle_option_variable variables[] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) {variable, INITIAL(name, initial)},
	HEDDLE_SETTINGS(X)
#undef X
		{"UPC_THREADS", ""},
	{0},
};

static int check_threads(const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);
	if (*value >= '1' && *value <= '9' && *end == '\0' && number <= 1024)
		return 0;
	fprintf(stderr, "heddle: run: -n: '%s' is not a number of UPC threads from 1 to 1024\n", value);
	return HEDDLE_EXIT_USAGE;
}

/*
 * True if the user wants to attach to a running process, as with other tools. Earlier threads and call paths of the
 * process would be unknown.
 */
static bool asks_to_attach(int argc, char **argv)
{
	for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--pid") == 0 || strncmp(argv[i], "--pid=", 6) == 0)
			return true;
	return false;
}

/* Returns 0 or an exit status; HEDDLE_EXIT_HELPED after help was printed. */
static int take_arguments(int argc, char **argv, struct run *run)
{
	int count, failure;
	if (asks_to_attach(argc, argv)) {
		fputs("heddle: run: a running process cannot be measured, as no library can be loaded into it safely: "
		      "start it with `heddle run --paused`\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
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
	failure = run->threads ? check_threads(run->threads) : 0;
	if (failure == 0)
		failure = heddle__run_settings_take(run->settings);
	if (failure == 0 && count == 0) {
		fputs("heddle: run: no program given; see: heddle run --help\n", stderr);
		failure = HEDDLE_EXIT_USAGE;
	}
	run->output = getenv("HEDDLE_OUTPUT");
	if (run->output && *run->output == '\0')
		run->output = NULL;
	return failure;
}

#define WHOLE "build or install all of Heddle"

/* Finds a requested library; without it, everything else is measured. Returns true if it exists. */
static bool find_library(struct run *run, enum heddle_preloaded which, const char *unmeasured, const char *remedy)
{
	char *path = run->libraries[which];
	if (heddle__locate_library(heddle__preloaded_names[which], path) == 0)
		return true;
	fprintf(stderr, "heddle: %s is missing: %s not measured; %s\n", path, unmeasured, remedy);
	*path = '\0';
	return false;
}

static void find_memory_library(struct run *run)
{
	const char *wanted = getenv("HEDDLE_MEMORY");
	if (wanted && *wanted != '\0' && strcmp(wanted, "0") != 0 &&
		!find_library(run, HEDDLE_PRELOADED_MEMORY, "memory is", WHOLE))
		unsetenv("HEDDLE_MEMORY");
}

static void find_wrapping_libraries(struct run *run)
{
	bool launched = run->ranks.launched || heddle__launch_words_are_in(&run->program, run->arguments);
#define X(key, library, model, label, pattern)                                        \
	if (heddle__wrapped_is_likely(&run->program, HEDDLE_WRAPPED_##key, launched)) \
		find_library(run, HEDDLE_PRELOADED_##key, label " is", WHOLE ", on Debian with the package heddle-mpi");
	HEDDLE_WRAPPED(X)
#undef X
}

/*
 * The library is preloaded only if it wraps another library; other programs load it by the name in a variable, and work
 * without it.
 */
static void find_annotations_library(struct run *run)
{
	char *path = run->libraries[HEDDLE_PRELOADED_ANNOTATIONS];
	if (!heddle__annotations_are_wanted())
		return;
	if (run->program.needs_marker)
		find_library(run, HEDDLE_PRELOADED_ANNOTATIONS, "annotations are", WHOLE);
	else if (heddle__locate_library(heddle__preloaded_names[HEDDLE_PRELOADED_ANNOTATIONS], path) != 0)
		*path = '\0';
	memcpy(run->annotations, path, sizeof(run->annotations));
	if (!run->program.needs_marker)
		*path = '\0';
	if (run->annotations[0] != '\0')
		heddle__annotations_warn(&run->program);
}

static void judge_program(struct run *run)
{
	const char *reason = heddle__subject_unmeasurable(&run->program);
	run->preload = false;
	if (reason)
		fprintf(stderr, "heddle: %s %s: it runs unmeasured\n", run->arguments[0], reason);
	else if (heddle__locate_library("libheddle.so", run->libraries[HEDDLE_PRELOADED_MAIN]) != 0)
		fprintf(stderr, "heddle: %s is missing: %s runs unmeasured; build or install all of Heddle\n",
			run->libraries[HEDDLE_PRELOADED_MAIN], run->arguments[0]);
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

/* The runtime tries the tools in this list if a tool in the program itself declines. */
static void append_tool(const char *library)
{
	const char *before = getenv("OMP_TOOL_LIBRARIES");
	char *whole;
	if (!before || *before == '\0') {
		setenv("OMP_TOOL_LIBRARIES", library, 1);
	} else if (asprintf(&whole, "%s:%s", before, library) >= 0) {
		setenv("OMP_TOOL_LIBRARIES", whole, 1);
		free(whole);
	}
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

/* Called in the child, whose process id is the program's. */
static int prepare_child(void *context)
{
	struct run *run = context;
	if (run->openmp_runtime)
		prepend("LD_LIBRARY_PATH", run->links.directory);
	if (!run->preload)
		return 0;
	if (heddle__output_make(&run->directory, getpid()) != 0)
		return HEDDLE_EXIT_OUTPUT;
	setenv("HEDDLE_OUTPUT", run->directory.absolute, 1);
	for (size_t i = HEDDLE_PRELOADED_COUNT; i-- > 0;)
		if (run->libraries[i][0] != '\0')
			prepend("LD_PRELOAD", run->libraries[i]);
	append_tool(run->libraries[HEDDLE_PRELOADED_MAIN]);
	if (run->annotations[0] != '\0')
		heddle__annotations_offer(&run->program, run->annotations);
	if (run->program.sanitizer[0] != '\0')
		prepend("LD_PRELOAD", run->program.sanitizer);
	return 0;
}

/*
 * The program may have gone into the background. A launcher does not; processes that it started end soon: helpers that
 * kill the ranks of an aborted job, and ranks that write their profiles.
 */
static void find_survivors(struct run *run, pid_t pid)
{
	enum { TRIES_OF_LAUNCHER = 40, MS_BETWEEN_TRIES = 50 };
	int tries = run->libraries[HEDDLE_PRELOADED_MPI][0] != '\0' && !run->ranks.launched ? TRIES_OF_LAUNCHER : 1;
	if (!run->preload || heddle__output_resolve(&run->directory, pid) != 0)
		return;
	run->survivors = heddle__survivors(run->directory.absolute);
	for (int i = 1; i < tries && run->survivors > 0; i++) {
		nanosleep(&(struct timespec){.tv_nsec = MS_BETWEEN_TRIES * 1000000L}, NULL);
		run->survivors = heddle__survivors(run->directory.absolute);
	}
}

/* The ranks of a job share a directory; the UPC run-time system and blame use the same name for the job. */
static int prepare_output(struct run *run)
{
	struct timespec second = {1, 0};
	if (!heddle__ranks_detect(&run->ranks))
		return HEDDLE_EXIT_USAGE;
	int error = heddle__output_check(&run->directory, run->output, run->arguments[0], &run->ranks);
	if (error == 0 && run->ranks.count > 1)
		setenv("HEDDLE_JOB", run->directory.job, 1);
	if (error != 0 && run->ranks.rank > 0) /* rank 0 prints the reason, before the launcher ends all ranks */
		nanosleep(&second, NULL);
	return error == 0 ? 0 : HEDDLE_EXIT_OUTPUT;
}

/* Replaces the path of a preloaded library by that of its link. */
static void name_by_link(const struct run *run, char path[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	char name[64];
	if (!slash)
		return;
	snprintf(name, sizeof name, "%s", slash + 1);
	snprintf(path, PATH_MAX, "%s/%s", run->links.directory, name);
}

/*
 * LD_PRELOAD has no quoting: libraries whose path contains a blank or colon are preloaded by links. All are in one
 * folder.
 */
static int name_libraries(struct run *run)
{
	/* Only root can start a program as another user, who cannot read libraries below a directory of root. */
	bool copies = run->preload && geteuid() == 0 && heddle__is_private(run->libraries[HEDDLE_PRELOADED_MAIN]);
	bool elsewhere = run->preload && (copies || strpbrk(run->libraries[HEDDLE_PRELOADED_MAIN], " :"));
	int failure = 0;
	struct heddle_link_targets targets = {.runtime = run->runtime, .copies = copies};
	for (size_t i = 0; i < HEDDLE_PRELOADED_COUNT; i++)
		targets.libraries[i] = run->libraries[i];
	if (run->openmp_runtime || elsewhere)
		failure = heddle__links_make(&run->links, &targets);
	for (size_t i = 0; failure == 0 && elsewhere && i < HEDDLE_PRELOADED_COUNT; i++)
		name_by_link(run, run->libraries[i]);
	return failure;
}

/* Makes all checks that can fail before the program starts. */
static int prepare(struct run *run)
{
	int failure = heddle__subject_find(run->arguments, &run->program);
	if (failure == 0 && run->openmp_runtime)
		failure = heddle__subject_runtime(run->openmp_runtime, run->runtime);
	if (failure != 0)
		return failure;
	judge_program(run);
	if (run->threads && heddle__program_is_upc(run->program.path) == 0)
		fprintf(stderr, "heddle: -n %s has no effect on %s, which is not a UPC program\n", run->threads,
			run->arguments[0]);
	if (run->preload) {
		heddle__run_settings_sample();
		failure = heddle__counters_resolve();
		if (failure != 0)
			return failure;
		failure = prepare_output(run);
		if (failure != 0)
			return failure;
		find_wrapping_libraries(run);
		find_annotations_library(run);
	}
	return name_libraries(run);
}

/* Prints the summary, unless another rank does. */
static void conclude(struct run *run, pid_t pid, int status)
{
	const char *elsewhere = getenv("HEDDLE_TRACE_DIR");
	if (run->preload && elsewhere && *elsewhere != '\0' && heddle__output_resolve(&run->directory, pid) == 0)
		heddle__traces_bring(run->directory.absolute);
	if (run->preload && heddle__output_resolve(&run->directory, pid) == 0)
		heddle__code_maps_bring(run->directory.absolute, run->started);
	bool shared = run->preload && run->ranks.count > 1 && heddle__output_resolve(&run->directory, pid) == 0;
	struct heddle_companions companions = {.count = 1};
	struct heddle_rank_end end = {
		.failed = status != 0, .interrupted = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT};
	end.lost = shared && !heddle__output_holds_profile_of(&run->directory, pid);
	if (shared && !heddle__companions_end(&run->directory, &run->ranks, end, &companions))
		return;
	if (run->preload)
		heddle__outcome_say(&(struct heddle_outcome){run->arguments[0], pid, status,
			run->ranks.count == 1 ? run->waited_ns : 0, run->survivors, &run->directory, companions,
			run->libraries[HEDDLE_PRELOADED_MPI][0] == '\0' && !run->settings[HEDDLE_SETTING_MODELS]});
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
		.context = run,
		.by_launcher = run->ranks.launched};
	uint64_t before = heddle__waited_ns();
	run->started = (long)time(NULL);
	int failure = heddle__launch(&launch, pid, status);
	run->waited_ns = heddle__waited_ns() - before;
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
	if (failure == 0 && run.ranks.count == 1) /* other ranks may still run */
		find_survivors(&run, pid);
	if (run.survivors == 0) /* survivors may start programs that need the links */
		heddle__links_remove(&run.links);
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
		   "an environment variable, --sample-hz HEDDLE_SAMPLE_HZ, and overrides it: heddle-run(1).\n",
	.exit_status = "the program's own; before it starts 2 after wrong usage, 6 if the output cannot be written,\n"
		       "126 if the program cannot be executed, 127 if it was not found",
	.options = options,
	.variables = variables,
	.runs_program = true,
	.run = run,
};

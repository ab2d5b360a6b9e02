/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle run`: turns options into HEDDLE_* variables, preloads libheddle.so into the program, and waits for it. The
 * program's output, exit status and signals stay its own; what Heddle has to say goes to standard error, a line each.
 */
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/launch.h"
#include "cli/locate.h"
#include "cli/output.h"
#include "cli/program.h"
#include "format/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_OUTPUT = 3, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

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
	char **arguments;           /* of the program, its name first */
	const char *output;         /* as the user gave it; NULL: the default */
	const char *openmp_runtime; /* argument of --openmp-runtime; NULL: the program's own */
	const char *threads;        /* argument of -n; NULL: the program's own */
	char runtime[PATH_MAX];     /* the file it stands for */
	char library[PATH_MAX];     /* libheddle.so */
	char memory[PATH_MAX];      /* libheddle-memory.so; "": the malloc family is not measured */
	char private_directory[64]; /* with links to libraries under other names; "": none */
	bool preload;               /* measuring is possible */
	struct heddle_output directory;
};

static void print_help(void)
{
	puts("Usage: heddle run [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	     "Run a program and measure where it spends its time, as one call-path profile.\n\n"
	     "Options (each has a variable that it sets; an option wins over a variable):");
	for (int i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const struct setting *setting = &settings[i];
		char left[64];

		if (setting->option == NULL)
			continue;
		snprintf(left, sizeof left, "%s %s", setting->option,
			setting->argument != NULL ? setting->argument : "");
		printf("  %-28s %s\n", left, setting->help);
		printf("  %-28s   %s, default: %s\n", "", setting->variable,
			*setting->initial != '\0' ? setting->initial : "not set");
	}
	puts("  -n N                         run a UPC program with N UPC threads\n"
	     "                                 UPC_THREADS\n"
	     "  --openmp-runtime llvm|PATH   run the program's OpenMP on this LLVM runtime (GCC's has no tool "
	     "interface)\n"
	     "  -h, --help                   this text\n\n"
	     "Exit status: the program's own; 2 wrong usage, 3 no output directory, 126 program not executable,\n"
	     "127 program not found.\n"
	     "Afterwards: heddle report DIR. See also: heddle doctor, man heddle-run.");
}

/* Is `word` (of that length) one of the words that `words` lists, separated by `separator`? */
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

/* Says what is wrong with a value, and where it came from; 0 or EXIT_USAGE. */
static int check_value(const struct setting *setting, const char *from, const char *value)
{
	switch (setting->kind) {
	case HEDDLE_SETTING_KIND_NUMBER:
		if (valid_number(setting, value))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not a number from %ld to %ld\n", from, value, setting->low,
			setting->high);
		return EXIT_USAGE;
	case HEDDLE_SETTING_KIND_CHOICE:
		if (listed(setting->argument, '|', value, strlen(value)))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not one of %s\n", from, value, setting->argument);
		return EXIT_USAGE;
	case HEDDLE_SETTING_KIND_LIST:
		if (valid_list(setting->argument, value))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not a list of some of %s\n", from, value, setting->argument);
		return EXIT_USAGE;
	case HEDDLE_SETTING_KIND_PATH:
		if (*value != '\0')
			return 0;
		fprintf(stderr, "heddle: run: %s: a directory's name is missing\n", from);
		return EXIT_USAGE;
	case HEDDLE_SETTING_KIND_FILE:
		if (readable_file(value) == 0)
			return 0;
		fprintf(stderr, "heddle: run: %s: cannot read '%s': %s\n", from, value, strerror(readable_file(value)));
		return EXIT_USAGE;
	case HEDDLE_SETTING_KIND_TEXT: /* cli/counters.c checks it */
	case HEDDLE_SETTING_KIND_FLAG:
		break;
	}
	return 0;
}

static int set_setting(const struct setting *setting, const char *value)
{
	char whole[PATH_MAX];
	int failure = check_value(setting, setting->option, value);

	/* What the program starts may do so from another directory. */
	if (setting->kind == HEDDLE_SETTING_KIND_FILE && realpath(value, whole) != NULL)
		value = whole;
	if (failure == 0)
		setenv(setting->variable, value, 1);
	return failure;
}

static const struct setting *setting_of(const char *option, size_t length)
{
	for (int i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const char *name = settings[i].option;

		if (name != NULL && strlen(name) == length && strncmp(name, option, length) == 0)
			return &settings[i];
	}
	return NULL;
}

/* Options of `heddle run` alone: nothing of them reaches the library. */
static const char **own_option(struct run *run, const char *option, size_t length, const char **argument)
{
	if (length == 2 && strncmp(option, "-n", length) == 0) {
		*argument = "N";
		return &run->threads;
	}
	if (length == strlen("--openmp-runtime") && strncmp(option, "--openmp-runtime", length) == 0) {
		*argument = "llvm|PATH";
		return &run->openmp_runtime;
	}
	return NULL;
}

static int check_threads(const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (*value >= '1' && *value <= '9' && *end == '\0' && number <= 1024)
		return 0;
	fprintf(stderr, "heddle: run: -n: '%s' is not a number of UPC threads from 1 to 1024\n", value);
	return EXIT_USAGE;
}

/*
 * One option at arguments[*index]; moves *index behind it and its argument. `--name=value` and `--name value` are the
 * same. Returns 0, EXIT_USAGE, or -1 when help was asked for and given.
 */
static int take_option(char **arguments, int *index, struct run *run)
{
	const char *option = arguments[*index], *argument = NULL;
	size_t length = strcspn(option, "=");
	const struct setting *setting = setting_of(option, length);
	const char **own = setting == NULL ? own_option(run, option, length, &argument) : NULL;
	const char *value = option[length] == '=' ? option + length + 1 : NULL;

	if (setting == NULL && own == NULL) {
		fprintf(stderr, "heddle: run: unknown option '%s'; see: heddle run --help\n", option);
		return EXIT_USAGE;
	}
	(*index)++;
	if (setting != NULL && setting->kind == HEDDLE_SETTING_KIND_FLAG) {
		if (value == NULL)
			return set_setting(setting, "1");
		fprintf(stderr, "heddle: run: option '%.*s' takes no argument\n", (int)length, option);
		return EXIT_USAGE;
	}
	if (value == NULL && (value = arguments[*index]) == NULL) {
		fprintf(stderr, "heddle: run: option '%s' needs an argument: %s\n", option,
			setting != NULL ? setting->argument : argument);
		return EXIT_USAGE;
	}
	*index += option[length] != '=';
	if (setting == &settings[HEDDLE_SETTING_METRICS] && strcmp(value, "help") == 0) {
		heddle__counters_print();
		return -1;
	}
	if (setting != NULL)
		return set_setting(setting, value);
	*own = value;
	return own == &run->threads ? check_threads(value) : 0;
}

/* Variables that came from outside must be as right as options. */
static int check_environment(void)
{
	for (int i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const char *value = getenv(settings[i].variable);

		if (value != NULL && *value != '\0' && check_value(&settings[i], settings[i].variable, value) != 0)
			return EXIT_USAGE;
	}
	return 0;
}

/* Returns 0, an exit status, or -1 when help was asked for and given. */
static int take_arguments(int argc, char **argv, struct run *run)
{
	int index = 1;

	while (index < argc && argv[index][0] == '-' && argv[index][1] != '\0') {
		int failure;

		if (strcmp(argv[index], "--") == 0) {
			index++;
			break;
		}
		if (strcmp(argv[index], "--help") == 0 || strcmp(argv[index], "-h") == 0) {
			print_help();
			return -1;
		}
		failure = take_option(argv, &index, run);
		if (failure != 0)
			return failure;
	}
	if (index >= argc) {
		fputs("heddle: run: no program given; usage: heddle run [OPTION]... [--] PROGRAM [ARGUMENT]...\n",
			stderr);
		return EXIT_USAGE;
	}
	run->arguments = &argv[index];
	run->output = getenv("HEDDLE_OUTPUT");
	if (run->output != NULL && *run->output == '\0')
		run->output = NULL;
	return check_environment();
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
		return EXIT_NOT_EXECUTABLE;
	case -EACCES:
		fprintf(stderr, "heddle: run: %s: not executable (permission denied)\n", run->program.path);
		return EXIT_NOT_EXECUTABLE;
	default:
		fprintf(stderr, "heddle: run: %s: program not found%s\n", run->arguments[0],
			strchr(run->arguments[0], '/') != NULL ? "" : " on PATH");
		return EXIT_NOT_FOUND;
	}
}

/* Why preloading can't work for this program; NULL when it can. */
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

	if (wanted == NULL || *wanted == '\0' || strcmp(wanted, "0") == 0)
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
	if (reason != NULL)
		fprintf(stderr, "heddle: %s %s: it runs unmeasured\n", run->arguments[0], reason);
	else if (heddle__locate_library("libheddle.so", run->library) != 0)
		fprintf(stderr, "heddle: %s is missing: %s runs unmeasured; build or install Heddle whole\n",
			run->library, run->arguments[0]);
	else
		run->preload = true;
	if (run->preload)
		find_memory_library(run);
	if (run->preload && run->program.needs_libgomp && !run->program.needs_libomp && run->openmp_runtime == NULL)
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
		return EXIT_USAGE;
	}
	if (realpath(run->openmp_runtime, run->runtime) != NULL &&
		heddle__elf_defines(run->runtime, "__kmpc_fork_call"))
		return 0;
	if (snprintf(path, sizeof path, "%s/libomp.so.5", run->openmp_runtime) < (int)sizeof path &&
		realpath(path, run->runtime) != NULL && heddle__elf_defines(run->runtime, "__kmpc_fork_call"))
		return 0;
	fprintf(stderr, "heddle: run: --openmp-runtime %s: no LLVM OpenMP runtime (libomp.so.5) there\n",
		run->openmp_runtime);
	return EXIT_USAGE;
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
	if (base == NULL || *base == '\0' || strlen(base) > 40 || strpbrk(base, " :;") != NULL)
		base = "/tmp";
	snprintf(run->private_directory, sizeof run->private_directory, "%s/heddle-run-XXXXXX", base);
	if (mkdtemp(run->private_directory) == NULL) {
		fprintf(stderr, "heddle: run: cannot make a directory in %s: %s\n", base, strerror(errno));
		run->private_directory[0] = '\0';
		return EXIT_OUTPUT;
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

	if (before == NULL || *before == '\0') {
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

	if (run->threads != NULL)
		setenv("UPC_THREADS", run->threads, 1);
	if (run->openmp_runtime != NULL)
		prepend("LD_LIBRARY_PATH", run->private_directory);
	if (!run->preload)
		return 0;
	if (heddle__output_make(&run->directory, getpid()) != 0)
		return EXIT_OUTPUT;
	setenv("HEDDLE_OUTPUT", run->directory.absolute, 1);
	if (run->memory[0] != '\0')
		prepend("LD_PRELOAD", run->memory);
	prepend("LD_PRELOAD", run->library);
	if (run->program.sanitizer[0] != '\0')
		prepend("LD_PRELOAD", run->program.sanitizer);
	return 0;
}

static void say_result(struct run *run, pid_t pid, int status)
{
	const char *why = "it may have ended without its exit handlers, or be a wrapper that clears LD_PRELOAD";

	if (!run->preload)
		return;
	bool resolved = heddle__output_resolve(&run->directory, pid) == 0;
	if (resolved)
		heddle__output_tidy(&run->directory, pid);
	if (resolved && heddle__output_holds_profiles(&run->directory)) {
		fprintf(stderr, "heddle: measured %s: %s; see: %s report %s\n", run->arguments[0],
			run->directory.quoted, program_invocation_name, run->directory.quoted);
		return;
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		why = "it was killed by SIGKILL; --flush-seconds N would have left the last N seconds' profile";
	fprintf(stderr, "heddle: no profile of %s was written: %s; see: %s doctor\n", run->arguments[0], why,
		program_invocation_name);
	heddle__output_remove_if_empty(&run->directory);
}

/* Everything that can be refused before the program starts. */
static int prepare(struct run *run)
{
	int failure = find_program(run);

	if (failure == 0 && run->openmp_runtime != NULL)
		failure = find_runtime(run);
	if (failure != 0)
		return failure;
	judge_program(run);
	if (run->preload) {
		failure = heddle__counters_resolve();
		if (failure != 0)
			return failure;
		failure = heddle__output_check(&run->directory, run->output, run->arguments[0]);
		if (failure != 0)
			return EXIT_OUTPUT;
	}
	if (run->openmp_runtime != NULL || (run->preload && strpbrk(run->library, " :") != NULL))
		failure = make_private_directory(run);
	/* LD_PRELOAD knows no quoting: a path with a blank or colon goes by a link; both libraries stand in one folder.
	 */
	if (failure == 0 && run->preload && strpbrk(run->library, " :") != NULL) {
		snprintf(run->library, sizeof run->library, "%s/libheddle.so", run->private_directory);
		if (run->memory[0] != '\0')
			snprintf(run->memory, sizeof run->memory, "%s/libheddle-memory.so", run->private_directory);
	}
	return failure;
}

static int run(int argc, char **argv)
{
	static struct run run;
	int failure = take_arguments(argc, argv, &run);
	int status = 0;
	pid_t pid = 0;

	if (failure != 0)
		return failure < 0 ? 0 : failure;
	failure = prepare(&run);
	if (failure == 0)
		failure = heddle__launch(run.program.path, run.arguments, prepare_child, &run, &pid, &status);
	remove_private_directory(&run);
	signal(SIGPIPE, SIG_IGN); /* a closed standard error must not change how this ends */
	if (failure == 0)
		say_result(&run, pid, status);
	else if (run.preload && heddle__output_resolve(&run.directory, pid) == 0)
		heddle__output_remove_if_empty(&run.directory);
	return failure != 0 ? failure : heddle__launch_end_like(status);
}

const struct heddle_command heddle__command_run = {
	.name = "run",
	.summary = "Measure a program",
	.arguments = "[--] PROGRAM [ARGUMENT]...",
	.own_help = true,
	.run = run,
};

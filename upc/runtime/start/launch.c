/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC threads are processes: the program starts itself again for each thread, with one shared memory file. This happens
 * before any constructor runs, so that tools and libraries see thread processes only; the launching process only waits
 * (monitor.c). A program of one thread needs no second process.
 *
 * Everything here runs before constructors: it calls no function of the C library that needs one.
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/environment.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/memory/segment.h"
#include "upc/runtime/start/launch.h"
#include "upc/runtime/start/launcher.h"
#include "upc/runtime/start/monitor.h"
#include "upc/runtime/start/options.h"
#include "upc/runtime/start/ranks.h"
#include "upc/runtime/tools/tool.h"

/* The variable with the number and file descriptor of a thread process, which removes it from its environment. */
#define STATE_NAME "HUPC_THREAD"

#define JOB_SIZE 256

int hupc__arguments_used;

static void fail(const char *what, int error)
{
	hupc__say("cannot %s (error %d: %s)", what, error, strerrordesc_np(error));
	hupc__system(exit_group, 1);
}

/* Parses two numbers "3,4"; returns false for anything else. */
static bool read_state(const char *text, int *thread, int *file)
{
	int *numbers[] = {thread, file}, at = 0;
	*thread = *file = 0;
	for (; *text; text++) {
		if (*text == ',' && at == 0)
			at++;
		else if (*text >= '0' && *text <= '9' && *numbers[at] < 100000)
			*numbers[at] = *numbers[at] * 10 + (*text - '0');
		else
			return false;
	}
	return at == 1;
}

static void forget_state(char **environment)
{
	char **to = environment;
	for (; *environment; environment++) {
		if (strncmp(*environment, STATE_NAME "=", sizeof(STATE_NAME)) != 0)
			*to++ = *environment;
	}
	*to = NULL;
}

static void become_thread(int thread, int file)
{
	int error = hupc__segment_attach_control(file);
	if (!error) {
		hupc__nodes_prepare((int)hupc__control->threads, (int)hupc__control->node_size);
		error = hupc__segment_attach(file);
	}
	hupc__system(close, file);
	if (error || hupc__control->magic != HUPC__MAGIC)
		fail("map the shared memory", error ? -error : EINVAL);
	hupc__mythread = thread;
	hupc__threads = (int)hupc__control->threads;
	hupc__is_thread = true;
}

static int count_processors(void)
{
	cpu_set_t set;
	int got = (int)hupc__system(sched_getaffinity, 0, sizeof(set), &set);
	return got > 0 ? CPU_COUNT_S((size_t)got, &set) : 1;
}

/* Binds a thread to an even share of the available processors. */
static void bind(int thread, int threads)
{
	cpu_set_t all, mine;
	int got = (int)hupc__system(sched_getaffinity, 0, sizeof(all), &all);
	int count = got > 0 ? CPU_COUNT_S((size_t)got, &all) : 0, seen = 0;
	if (!count)
		return;
	int first = threads <= count ? thread * count / threads : thread % count;
	int last = threads <= count ? (thread + 1) * count / threads : first + 1;
	CPU_ZERO(&mine);
	for (int processor = 0; processor < got * CHAR_BIT; processor++) {
		if (!CPU_ISSET_S((size_t)processor, (size_t)got, &all))
			continue;
		if (seen >= first && seen < last)
			CPU_SET(processor, &mine);
		seen++;
	}
	hupc__system(sched_setaffinity, 0, sizeof(mine), &mine);
}

/* With several nodes, only the launcher's variables show how many ranks are on this node. */
static void bind_rank(int rank, int size, char **environment)
{
	static const char *const names[][2] = {
		{"MPI_LOCALRANKID", "MPI_LOCALNRANKS"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int local = hupc__environment_number(environment, names[i][0]);
		int count = hupc__environment_number(environment, names[i][1]);
		if (local >= 0 && count > local) {
			bind(local, count);
			return;
		}
	}
	if (size > 0)
		bind(rank, size);
}

/* Only thread 0 keeps standard input: if processes shared it, each would read parts of it. */
static void close_input(void)
{
	int null = (int)hupc__system(openat, AT_FDCWD, "/dev/null", O_RDONLY);
	if (null < 0)
		return;
	hupc__system(dup3, null, STDIN_FILENO, 0);
	hupc__system(close, null);
}

/* The path of the program's file, from which the kernel names the new process. */
static const char *own_path(char *buffer, size_t size)
{
	static const char own[] = "/proc/self/exe";
	long length = hupc__system(readlinkat, AT_FDCWD, own, buffer, size - 1);
	if (length <= 0)
		return own;
	buffer[length] = '\0';
	return hupc__system(faccessat, AT_FDCWD, buffer, X_OK) == 0 ? buffer : own;
}

/* The environment of the new processes; only the launching process uses it. */
static struct hupc__tool tool;

/* Sets a variable: replaces one of the same name, or appends. */
static void set_variable(char **environment, char *variable)
{
	size_t name = variable ? (size_t)(strchr(variable, '=') - variable) + 1 : 0;
	if (!variable)
		return;
	while (*environment && strncmp(*environment, variable, name) != 0)
		environment++;
	if (!*environment)
		environment[1] = NULL;
	*environment = variable;
}

/* Starts the program in this process again, with the tool. `state`: a variable; NULL: none. Returns on failure. */
static void run_again(char *state, char **argv, char **environment)
{
	char path[PATH_MAX];
	size_t count = 0;
	while (environment[count])
		count++;
	char **extended = __builtin_alloca((count + 4) * sizeof(*extended));
	memcpy(extended, environment, (count + 1) * sizeof(*environment));
	set_variable(extended, state);
	set_variable(extended, tool.preload);
	set_variable(extended, tool.output);
	hupc__system(execve, own_path(path, sizeof(path)), argv, extended);
}

static void run_thread(int thread, const struct hupc__options *options, int file, char **argv, char **environment)
{
	char state[64];
	hupc__format(state, sizeof(state), STATE_NAME "=%d,%d", thread, file);
	argv[options->arguments] = argv[0];
	if (thread > 0)
		close_input();
	if (options->bind)
		bind(thread, options->threads);
	run_again(state, argv + options->arguments, environment);
	hupc__say("cannot run %s again for thread %d (error %d: %s)", argv[0], thread, errno, strerrordesc_np(errno));
	hupc__ask_to_end(126);
	hupc__system(exit_group, 126);
}

static void launch(const struct hupc__options *options, int file, char **argv, char **environment)
{
	hupc__monitor_prepare();
	for (int thread = 0; thread < options->threads; thread++) {
		if (hupc__monitor_fork(thread))
			run_thread(thread, options, file, argv, environment);
	}
	hupc__system(close, file);
	hupc__monitor_wait();
}

/* Writes the data that the other processes read. */
static void describe(const struct hupc__options *options, int file)
{
	int error = hupc__segment_attach_control(file);
	if (error)
		fail("map the shared memory", -error);
	hupc__control->threads = (uint32_t)options->threads;
	hupc__control->processors = (uint32_t)count_processors();
	hupc__control->segment_size = options->segment_size;
	hupc__control->node_size = (uint32_t)options->node_size;
	hupc__control->magic = HUPC__MAGIC;
}

/* Ends a rank after a message of rank 0. Others wait, since a launcher ends all ranks when the first has ended. */
_Noreturn static void refuse(int rank)
{
	struct timespec second = {1, 0};
	if (rank > 0)
		hupc__system(nanosleep, &second, NULL);
	hupc__system(exit_group, 1);
	__builtin_unreachable();
}

/* Starts this process as one thread; main connects it to the others (ranks.c). */
static void start_rank(int rank, int size, int argc, char **argv, char **environment)
{
	struct hupc__options *options = &hupc__ranks_options;
	char path[PATH_MAX], job[JOB_SIZE];
	hupc__say_nothing = rank > 0;
	if (!hupc__options_read(options, size, argc, argv, environment))
		refuse(rank);
	hupc__job_name(environment, rank, size, job, sizeof(job));
	if (hupc__tool_wanted(&tool, own_path(path, sizeof(path)), job, argv, environment))
		run_again(NULL, argv, environment);
	if (rank > 0)
		close_input();
	if (options->bind)
		bind_rank(rank, size, environment);
	hupc__say_nothing = false;
	hupc__arguments_used = options->arguments;
	hupc__ranks_begin(rank, size);
}

static void start(int argc, char **argv, char **environment)
{
	const char *state = hupc__environment_value(environment, STATE_NAME);
	struct hupc__options options;
	char path[PATH_MAX], job[JOB_SIZE];
	int thread, file, size;
	if (state && read_state(state, &thread, &file)) {
		forget_state(environment);
		become_thread(thread, file);
		return;
	}
	bool launched = hupc__job_is_rank(environment, &thread, &size);
	if (launched && size != 1) {
		start_rank(thread, size, argc, argv, environment);
		return;
	}
	if (!hupc__options_read(&options, launched ? size : HUPC__NO_RANKS, argc, argv, environment))
		hupc__system(exit_group, 1);
	file = hupc__segment_create(options.threads, options.segment_size);
	if (file < 0)
		fail("make the shared memory; give a smaller size with UPC_SHARED_HEAP_SIZE", -file);
	describe(&options, file);
	hupc__format(job, sizeof(job), "%d", (int)hupc__system(getpid, 0));
	bool measured = hupc__tool_wanted(&tool, own_path(path, sizeof(path)), job, argv, environment);
	if (options.threads > 1)
		launch(&options, file, argv, environment);
	if (measured)
		run_thread(0, &options, file, argv, environment);
	if (options.bind)
		bind(0, 1);
	hupc__arguments_used = options.arguments;
	become_thread(0, file);
}

__attribute__((section(".preinit_array"), used)) static void (*const start_early)(int, char **, char **) = start;

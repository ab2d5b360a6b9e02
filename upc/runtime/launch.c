/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC threads are processes: the program starts itself again for each thread, around one shared memory file. This
 * happens before any constructor runs, so that tools and libraries see thread processes only; the launching process
 * only waits (monitor.c). A program of one thread needs no second process.
 *
 * Everything here runs before constructors: no function of the C library that needs one.
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>

#include "upc/runtime/control.h"
#include "upc/runtime/launch.h"
#include "upc/runtime/monitor.h"
#include "upc/runtime/options.h"
#include "upc/runtime/say.h"
#include "upc/runtime/segment.h"
#include "upc/runtime/system.h"
#include "upc/runtime/tool.h"

/* How a thread process gets its number and file descriptor. It removes the variable from its environment. */
#define STATE_NAME "HUPC_THREAD"

int hupc__arguments_used;
bool hupc__is_thread;

static void fail(const char *what, int error)
{
	hupc__say("cannot %s (error %d: %s)", what, error, strerrordesc_np(error));
	hupc__system(exit_group, 1);
}

/* Parses two numbers "3,4"; false for anything else. */
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
	int error = hupc__segment_attach(file);
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

/* Only thread 0 gets standard input: if processes shared it, each would get parts. */
static void close_input(void)
{
	int null = (int)hupc__system(openat, AT_FDCWD, "/dev/null", O_RDONLY);
	if (null < 0)
		return;
	hupc__system(dup3, null, STDIN_FILENO, 0);
	hupc__system(close, null);
}

/* The path of the program's file, after which the kernel names the new process. */
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

static void run_thread(int thread, const struct hupc__options *options, int file, char **argv, char **environment)
{
	char path[PATH_MAX], state[64];
	size_t count = 0;
	while (environment[count])
		count++;
	char **extended = __builtin_alloca((count + 4) * sizeof(*extended));
	memcpy(extended, environment, (count + 1) * sizeof(*environment));
	hupc__format(state, sizeof(state), STATE_NAME "=%d,%d", thread, file);
	set_variable(extended, state);
	set_variable(extended, tool.preload);
	set_variable(extended, tool.output);
	argv[options->arguments] = argv[0];
	if (thread > 0)
		close_input();
	if (options->bind)
		bind(thread, options->threads);
	hupc__system(execve, own_path(path, sizeof(path)), argv + options->arguments, extended);
	hupc__say(
		"cannot run %s once more for thread %d (error %d: %s)", argv[0], thread, errno, strerrordesc_np(errno));
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

static void start(int argc, char **argv, char **environment)
{
	const char *state = hupc__environment_value(environment, STATE_NAME);
	struct hupc__options options;
	char path[PATH_MAX];
	int thread, file;
	if (state && read_state(state, &thread, &file)) {
		forget_state(environment);
		become_thread(thread, file);
		return;
	}
	if (!hupc__options_read(&options, argc, argv, environment))
		hupc__system(exit_group, 1);
	file = hupc__segment_create(options.threads, options.segment_size);
	if (file < 0)
		fail("make the shared memory; give a smaller size with UPC_SHARED_HEAP_SIZE", -file);
	describe(&options, file);
	bool measured = hupc__tool_wanted(&tool, own_path(path, sizeof(path)), argv, environment);
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

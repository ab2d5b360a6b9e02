/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle doctor`: what this machine supports. Each check tries what measuring will do; a line reports the result, its
 * consequence, and a remedy. Exits with 0 if measuring can work, else 1.
 */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/locate.h"
#include "cli/base/wrap.h"
#include "cli/counters.h"
#include "cli/network/measure.h"
#include "cli/run/papi.h"
#include "cli/run/system_file.h"
#include "format/kernel_clock.h"
#include "perf/counter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum verdict { OK, LIMITED, MISSING };

__attribute__((format(printf, 3, 4))) static void say(enum verdict verdict, const char *what, const char *format, ...)
{
	static const char *const words[] = {"[ok]     ", "[limited]", "[missing]"};
	struct heddle_wrap how = {.out = stdout, .width = heddle__terminal_width(), .at = 29, .indent = 29};
	va_list arguments;
	char *text;
	if (how.width > 0 && how.width < 72) /* too narrow for a column beside the names */
		how.indent = 4;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) >= 0) {
		printf("%s %-18s ", words[verdict], what);
		heddle__print_wrapped(&how, text);
		putchar('\n');
		free(text);
	}
	va_end(arguments);
}

static void check_machine(void)
{
	struct utsname name;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uname(&name);
	say(OK, "machine", "%s %s on %s, %ld CPU%s", name.sysname, name.release, name.machine, processors,
		processors == 1 ? "" : "s");
}

static int open_cpu_clock(void)
{
	struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1};
	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static volatile sig_atomic_t signals_seen;

/* Context: signal. */
static void count_signal(int number)
{
	(void)number;
	signals_seen++;
}

static int64_t now_ns(clockid_t clock)
{
	return (int64_t)heddle__kernel_clock_ns(clock);
}

/* Uses the CPU for that long, in user mode, since time in the kernel does not count for the perf clock. */
static void burn(int64_t ns)
{
	int64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end) {
		for (volatile int i = 0; i < 100000; i++)
			;
	}
}

/*
 * Returns the number of signals in 100 ms of CPU time at 1,000 per second; a negative errno if the timer cannot be set
 * up.
 */
static int try_perf_signals(int descriptor)
{
	struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
	if (fcntl(descriptor, F_SETFL, O_ASYNC) != 0 || fcntl(descriptor, F_SETSIG, SIGURG) != 0 ||
		fcntl(descriptor, F_SETOWN_EX, &owner) != 0 || ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0) != 0)
		return -errno;
	signals_seen = 0;
	burn(100000000);
	ioctl(descriptor, PERF_EVENT_IOC_DISABLE, 0);
	return (int)signals_seen;
}

/* Checks whether perf may observe the kernel, and signal on return from it. */
static void check_kernel_time(const char *paranoid)
{
	const struct heddle_perf_code clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
	int error = heddle__perf_try_trap(&clock);
	if (!error) {
		say(OK, "time in the kernel", "is attributed to the calling code");
		return;
	}
	say(OK, "time in the kernel",
		"is charged to the next sample: perf may not observe the kernel (%s; perf_event_paranoid is %s). "
		"To change it: sysctl kernel.perf_event_paranoid=1 (as root), Linux 5.19 or later",
		strerror(-error), *paranoid != '\0' ? paranoid : "unknown");
}

static bool check_perf(void)
{
	char paranoid[32];
	int descriptor = open_cpu_clock(), error = errno;
	int count;
	heddle__first_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
	if (descriptor < 0) {
		say(LIMITED, "perf clock", "forbidden: %s (perf_event_paranoid is %s). POSIX timers will be used.",
			error == ENOSYS ? "the kernel or a container's filter has no perf_event_open" : strerror(error),
			*paranoid != '\0' ? paranoid : "unknown");
		if (error != ENOSYS && atoi(paranoid) > 2)
			say(LIMITED, "", "To allow it: sysctl kernel.perf_event_paranoid=2 (as root)");
		return false;
	}
	count = try_perf_signals(descriptor);
	close(descriptor);
	if (count < 50) {
		say(LIMITED, "perf clock", "opens, but delivered %d of 100 signals. POSIX timers may be used instead.",
			count < 0 ? 0 : count);
		return false;
	}
	say(OK, "perf clock", "%d of 100 signals at 1,000 a second: samples arrive at the requested rate", count);
	check_kernel_time(paranoid);
	return true;
}

static bool check_timers(bool needed)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
	struct itimerspec spec = {.it_interval = {0, 1000000}, .it_value = {0, 1000000}};
	timer_t timer;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) {
		say(MISSING, "POSIX timers", "%s", strerror(errno));
		return false;
	}
	signals_seen = 0;
	timer_settime(timer, 0, &spec, NULL);
	burn(100000000);
	timer_delete(timer);
	if (signals_seen < 5)
		say(MISSING, "POSIX timers", "delivered %d signals in 100 ms", (int)signals_seen);
	else if (signals_seen >= 80)
		say(OK, "POSIX timers", "%d of 100 signals at 1,000 a second", (int)signals_seen);
	else
		say(needed ? LIMITED : OK, "POSIX timers",
			"%d of 100 signals at 1,000 a second: the kernel's %d Hz tick limits them. %s",
			(int)signals_seen, (int)(signals_seen + 2) / 5 * 50,
			needed ? "There are fewer samples, but each is weighted by the periods it accounts for."
			       : "They sample threads that switch often.");
	return signals_seen >= 5;
}

/* Returns true when some source of samples works. */
static bool check_sampling(void)
{
	struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
	bool perf, timers;
	sigaction(SIGURG, &action, NULL);
	perf = check_perf();
	timers = check_timers(!perf);
	signal(SIGURG, SIG_IGN);
	if (!perf && !timers)
		say(MISSING, "sampling", "no timer delivers signals on this system: only events can be measured");
	return perf || timers;
}

static void check_clock(void)
{
	char source[64];
	struct timespec resolution;
	heddle__first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source);
	clock_getres(CLOCK_MONOTONIC, &resolution);
#if defined(__aarch64__)
	const char *counter = "virtual counter";
#else
	const char *counter = heddle__file_says("/proc/cpuinfo", "flags", " constant_tsc") &&
					      heddle__file_says("/proc/cpuinfo", "flags", " nonstop_tsc")
				      ? "invariant time-stamp counter"
				      : NULL;
#endif
	if (counter)
		say(OK, "clock", "%s; the kernel uses %s", counter, *source ? source : "an unknown source");
	else
		say(OK, "clock", "CLOCK_MONOTONIC, resolution %ld ns; the kernel uses %s", resolution.tv_nsec,
			*source ? source : "an unknown source");
}

static void check_unwinding(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	say(OK, "unwinding", "Heddle's own tables: code needs no frame pointers and no debug information");
#else
	say(LIMITED, "unwinding",
		"by frame pointers: compile programs with -fno-omit-frame-pointer, or call paths are cut");
#endif
}

/*
 * Preloads the library into `true`, so that it is not loaded into this process, and collects its standard error. If a
 * library cannot be loaded, the dynamic linker only prints a message. Returns the exit status, or -1.
 */
static int try_loading(const char *path, char *said, size_t size)
{
	char directory[PATH_MAX];
	int ends[2], status = 0;
	ssize_t length;
	pid_t child;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	fflush(NULL);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		/* Run from the library's directory: LD_PRELOAD cannot hold a path with a blank. */
		snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
		if (chdir(directory) != 0)
			_exit(126);
		setenv("LD_PRELOAD", "./libheddle.so", 1);
		/* No output directory: a measurement that cannot start does not affect the program. */
		setenv("HEDDLE_OUTPUT", "/dev/null/none", 1);
		setenv("HEDDLE_SAMPLE_HZ", "0", 1);
		execlp("true", "true", (char *)NULL);
		_exit(126);
	}
	close(ends[1]);
	length = child < 0 ? 0 : read(ends[0], said, size - 1);
	said[length < 0 ? 0 : length] = '\0';
	said[strcspn(said, "\n")] = '\0';
	close(ends[0]);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool check_library(void)
{
	char path[PATH_MAX], said[512];
	if (heddle__locate_library("libheddle.so", path) != 0) {
		say(MISSING, "libheddle.so",
			"not found at %s: programs run unmeasured. Build or install all of Heddle.", path);
		return false;
	}
	if (try_loading(path, said, sizeof said) != 0) {
		say(MISSING, "libheddle.so", "%s: programs fail when it is preloaded. %s", path, said);
		return false;
	}
	if (strstr(said, "cannot be preloaded") || strstr(said, "undefined symbol")) {
		say(MISSING, "libheddle.so", "cannot be loaded: %s", said);
		return false;
	}
	say(OK, "libheddle.so", "%s", path);
	return true;
}

static void check_openmp(void)
{
	struct heddle_openmp_runtime runtimes[HEDDLE_OPENMP_RUNTIMES_MAX];
	int count = heddle__locate_openmp_runtimes(runtimes);
	for (int i = 0; i < count; i++) {
		char version[32] = "LLVM of unknown version";

		if (runtimes[i].version > 0)
			snprintf(version, sizeof version, "LLVM %d", runtimes[i].version);
		if (runtimes[i].tools)
			say(OK, "OpenMP runtime", "%s, %s: has the tool interface (OMPT)", runtimes[i].path, version);
		else
			say(LIMITED, "OpenMP runtime",
				"%s, %s: built without the tool interface (OMPT): no OpenMP context", runtimes[i].path,
				version);
	}
	if (count == 0)
		say(LIMITED, "OpenMP runtime",
			"LLVM's (libomp.so.5) not found in the usual places: programs are sampled without OpenMP "
			"context. Install it (Debian: libomp5).");
}

static void check_limits(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur == RLIM_INFINITY) {
		say(OK, "open files", "no limit");
		return;
	}
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < 4096)
		say(LIMITED, "open files",
			"at most %llu: the perf clock needs one for each thread. Raise it (ulimit -n) for many "
			"threads.",
			(unsigned long long)limit.rlim_max);
	else
		say(OK, "open files", "%llu at once: the perf clock needs one for each thread",
			(unsigned long long)limit.rlim_cur);
}

static bool check_directory(const char *directory, const char *what, const char *advice)
{
	char path[PATH_MAX];
	struct statvfs space;
	int descriptor;
	snprintf(path, sizeof path, "%s/.heddle-try-XXXXXX", directory);
	descriptor = mkostemp(path, O_CLOEXEC);
	if (descriptor < 0) {
		say(LIMITED, what, "%s is not writable: %s. %s", directory, strerror(errno), advice);
		return false;
	}
	close(descriptor);
	unlink(path);
	statvfs(directory, &space);
	if ((uint64_t)space.f_bavail * space.f_frsize < 16 << 20) {
		say(LIMITED, what, "%s is almost full. %s", directory, advice);
		return false;
	}
	say(OK, what, "%s is writable", directory);
	return true;
}

static void check_counters(void)
{
	char names[1024];
	const char *reason = heddle__counters_no_hardware();
	heddle__counters_names(false, names, sizeof names);
	say(OK, "counters", "%s", names);
	heddle__counters_names(true, names, sizeof names);
	if (reason)
		say(LIMITED, "hardware counters", "none: %s. Count task-clock or page-faults instead.", reason);
	else
		say(OK, "hardware counters", "%s", names);
	reason = heddle__papi_unusable();
	if (reason)
		say(OK, "PAPI", "%s; needed only for PAPI's names of counters", reason);
	else
		say(OK, "PAPI",
			"%s: its names can be used; heddle run --metric help lists those that work on this system",
			heddle__papi_version());
}

struct doctor_options {
	bool network;
	struct heddle_network_options of_network;
};

static const struct heddle_option options[] = {
	{"--network", NULL, "measure the costs of UPC shared-memory accesses instead", HEDDLE_OPTION_FLAG,
		offsetof(struct doctor_options, network)},
	{"--launcher", "COMMAND", "with --network: launcher, such as \"mpirun -n 4\"", HEDDLE_OPTION_TEXT,
		offsetof(struct doctor_options, of_network.launcher)},
	{"-n", "N", "with --network: number of threads without a launcher (default: 2)", HEDDLE_OPTION_COUNT,
		offsetof(struct doctor_options, of_network.threads)},
	{"-o", "FILE", "with --network: write the result, for heddle advise", HEDDLE_OPTION_TEXT,
		offsetof(struct doctor_options, of_network.output)},
	{0},
};

static int check_options(const struct doctor_options *chosen)
{
	const struct heddle_network_options *of_network = &chosen->of_network;
	if (chosen->network || !(of_network->launcher || of_network->threads || of_network->output))
		return 0;
	fprintf(stderr, "heddle: doctor: %s applies to --network only\n",
		of_network->launcher  ? "--launcher"
		: of_network->threads ? "-n"
				      : "-o");
	return HEDDLE_EXIT_USAGE;
}

static int check_all(void)
{
	bool library, sampling;
	check_machine();
	library = check_library();
	sampling = check_sampling();
	check_clock();
	check_unwinding();
	check_openmp();
	check_limits();
	check_directory(".", "this directory", "Choose another one for heddle run with -o DIR.");
	check_directory(
		"/tmp", "/tmp", "--openmp-runtime, upcc, tune --check and doctor --network need it; or set TMPDIR.");
	check_counters();
	puts(library && sampling ? "Programs can be measured on this machine."
		: library        ? "Programs can't be sampled on this machine; events of their models can be measured."
				 : "Programs can't be measured on this machine.");
	return library && sampling ? HEDDLE_EXIT_OK : HEDDLE_EXIT_FAILED;
}

static int doctor(int argc, char **argv)
{
	const char **rest = calloc((size_t)argc + 1, sizeof(*rest));
	struct doctor_options chosen = {0};
	int count, status = HEDDLE_EXIT_FAILED;
	if (rest)
		status = heddle__options_parse(&heddle__command_doctor, argc, argv, &chosen, rest, &count);
	if (status == 0 && count > 0) {
		fprintf(stderr, "heddle: doctor: unexpected argument '%s'; see: heddle doctor --help\n", rest[0]);
		status = HEDDLE_EXIT_USAGE;
	}
	free(rest);
	if (status == 0)
		status = check_options(&chosen);
	if (status != 0)
		return status;
	return chosen.network ? heddle__network_measure(&chosen.of_network) : check_all();
}

const struct heddle_command heddle__command_doctor = {
	.name = "doctor",
	.summary = "Check what this system offers for measuring",
	.arguments = "",
	.details =
		"Tries each feature that measurement needs, and reports what works, the consequences, and what to do.\n"
		"With --network it runs a small UPC program, alone or on the ranks of a launcher:\n"
		"  mpirun -n 2 heddle doctor --network\n",
	.options = options,
	.exit_status = "0 if programs can be sampled, 1 if not, 2 after wrong usage; with --network also 6",
	.run = doctor,
};

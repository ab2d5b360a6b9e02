/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs before constructors, so it calls no function of the C library that needs one. Its signals are blocked, and it
 * receives them one at a time by a system call.
 */
#include "upc/runtime/start/monitor.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/starved.h"
#include "upc/runtime/base/system.h"

#define KERNEL_SET_SIZE 8 /* bytes of a signal set in system calls */
#define PATIENCE_MS 5000  /* for threads to end by themselves: a tool may have much to write */
#define STEP_MS 50

/* The kernel's struct sigaction. */
struct action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM};

static pid_t own, child[UPCRT_MAX_THREADS]; /* 0: none, or the process has ended */
static int living;
static bool ending;
static int end_status, end_signal;
static uint64_t received; /* signals that this process received, as a set */
static uint64_t taken, old_mask;
static struct action old_child_action;

static uint64_t bit(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

static bool ignored(int signal)
{
	struct action action = {0};
	hupc__system(rt_sigaction, signal, NULL, &action, KERNEL_SET_SIZE);
	return action.handler == SIG_IGN;
}

void hupc__monitor_prepare(void)
{
	struct action normal = {0};
	own = (pid_t)hupc__system(getpid, 0);
	taken = bit(SIGCHLD);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++) {
		if (!ignored(passed_on[i]))
			taken |= bit(passed_on[i]);
	}
	hupc__system(rt_sigaction, SIGCHLD, &normal, &old_child_action, KERNEL_SET_SIZE);
	hupc__system(rt_sigprocmask, SIG_BLOCK, &taken, &old_mask, KERNEL_SET_SIZE);
}

/* In the new process: restores the signal state; the process will end with the monitor, however that ends. */
static void restore(void)
{
	hupc__system(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (hupc__system(getppid, 0) != own)
		hupc__system(exit_group, 1);
	hupc__system(rt_sigaction, SIGCHLD, &old_child_action, NULL, KERNEL_SET_SIZE);
	hupc__system(rt_sigprocmask, SIG_SETMASK, &old_mask, NULL, KERNEL_SET_SIZE);
}

static void start_ending(int status)
{
	if (ending)
		return;
	ending = true;
	end_status = status;
	for (uint32_t t = 0; t < hupc__control->threads; t++) {
		if (child[t]) {
			hupc__system(kill, child[t], HUPC__END_SIGNAL);
			hupc__system(kill, child[t], SIGCONT);
		}
	}
}

bool hupc__monitor_fork(int thread)
{
	if (ending)
		return false;
	long pid = hupc__system(clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		restore();
		return true;
	}
	if (pid < 0) {
		hupc__say("cannot create a process for thread %d of %d (error %d: %s); use fewer threads", thread,
			(int)hupc__control->threads, errno, strerrordesc_np(errno));
		start_ending(1);
		return false;
	}
	child[thread] = (pid_t)pid;
	living++;
	return false;
}

static const char *advice(int signal)
{
	switch (signal) {
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGABRT:
		return "; a debugger on that thread's process, or its core file, shows where";
	case SIGKILL:
		return "; if nobody sent it, memory may have run out: check the kernel's messages (dmesg)";
	default:
		return "";
	}
}

static void killed(int thread, int signal)
{
	if (ending)
		return;
	if (!hupc__ask_to_end(128 + signal))
		return;
	end_signal = signal;
	/* SIGPIPE: the reader of its output has ended, which is normal */
	if (!(received & bit(signal)) && signal != SIGPIPE) {
		const char *name = sigdescr_np(signal);
		hupc__say("thread %d: killed by signal %d (%s)%s", thread, signal, name ? name : "unknown",
			advice(signal));
	}
	start_ending(128 + signal);
}

static void gone(int thread, int status)
{
	struct hupc__thread_control *it = &hupc__control->thread[thread];
	child[thread] = 0;
	living--;
	if (WIFSIGNALED(status))
		killed(thread, WTERMSIG(status));
	else
		atomic_store(&it->status, WEXITSTATUS(status));
	atomic_store(&it->gone, 1);
	atomic_fetch_add(&hupc__control->ended, 1);
	hupc__futex_wake(&hupc__control->barrier.generation, INT_MAX);
	hupc__futex_wake(&hupc__control->ended, INT_MAX);
	uint32_t asked = atomic_load(&hupc__control->ending);
	if (asked)
		start_ending((int)(asked & 0xff));
}

static void reap(void)
{
	int status;
	long pid;
	while ((pid = hupc__system(wait4, -1, &status, WNOHANG, NULL)) > 0) {
		for (uint32_t t = 0; t < hupc__control->threads; t++) {
			if (child[t] == pid)
				gone((int)t, status);
		}
	}
}

/* A signal sent only to this process is meant for the program; a terminal sends its signals to all processes. */
static void pass_on(const siginfo_t *info)
{
	received |= bit(info->si_signo);
	if (info->si_code > 0)
		return;
	for (uint32_t t = 0; t < hupc__control->threads; t++) {
		if (child[t])
			hupc__system(kill, child[t], info->si_signo);
	}
}

/* Does not count the time in which a thread has no processor, and could not end sooner. */
static void kill_late_ones(void)
{
	static uint64_t cpu_ns[UPCRT_MAX_THREADS];
	static int waited_ms[UPCRT_MAX_THREADS];
	for (uint32_t t = 0; t < hupc__control->threads; t++) {
		if (child[t] && !hupc__is_starved(child[t], STEP_MS, &cpu_ns[t]))
			waited_ms[t] += STEP_MS;
		if (child[t] && waited_ms[t] >= PATIENCE_MS)
			hupc__system(kill, child[t], SIGKILL);
	}
}

/* The status of the first thread that failed. */
static int common_status(void)
{
	for (uint32_t t = 0; t < hupc__control->threads; t++) {
		int status = atomic_load(&hupc__control->thread[t].status);
		if (status)
			return status;
	}
	return 0;
}

/* Ends by the same signal as the thread, without a core file of this process. */
static void end_by_signal(int signal)
{
	struct rlimit none = {0, 0};
	uint64_t mask = bit(signal);
	hupc__system(prlimit64, 0, RLIMIT_CORE, &none, NULL);
	hupc__system(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	hupc__system(kill, own, signal);
	hupc__system(rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, KERNEL_SET_SIZE);
}

void hupc__monitor_wait(void)
{
	struct timespec step = {0, STEP_MS * 1000000L};
	while (living > 0) {
		siginfo_t info;
		long signal = hupc__system(rt_sigtimedwait, &taken, &info, ending ? &step : NULL, KERNEL_SET_SIZE);
		if (signal == SIGCHLD)
			reap();
		else if (signal > 0)
			pass_on(&info);
		else if (ending)
			kill_late_ones();
	}
	if (end_signal)
		end_by_signal(end_signal);
	hupc__system(exit_group, ending ? end_status : common_status());
	__builtin_unreachable();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that restricts its system calls (seccomp) also restricts Heddle's, and may be killed for one of them. So a
 * copy of the process tries them first: under the same filter, it makes the system calls that Heddle will need. If that
 * fails, measurement ends before the filter is installed. The copy makes system calls only.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/wrappers/host_filter.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/patience.h"
#include "core/base/process_info.h"
#include "core/host/host_functions.h"
#include "core/host/host_signal.h"
#include "core/process/process.h"
#include "core/threads/control.h"

enum outcome { ENOUGH = 17, REFUSED, TOO_LITTLE }; /* exit statuses not used otherwise */

#define KERNEL_SIGSET_SIZE 8
#define FIRST_NAP_NS 50000
#define LONGEST_NAP_NS 10000000
#define LONGEST_TRIAL_NS 5000000000u
#define CALL(...) HEDDLE_REAL(syscall)(__VA_ARGS__)

/* Like the C library: newer architectures have only the second call. */
#if defined(SYS_renameat)
#define RENAME(...) CALL(SYS_renameat, __VA_ARGS__)
#else
#define RENAME(...) CALL(SYS_renameat2, __VA_ARGS__, 0)
#endif

/* Makes calls that may fail, but must not end the process. */
static void call_all(void)
{
	struct timespec now = {0, 0};
	uint64_t number = 0;
	CALL(SYS_getpid);
	CALL(SYS_gettid);
	CALL(SYS_tgkill, CALL(SYS_getpid), CALL(SYS_gettid), 0);
	CALL(SYS_sched_yield);
	CALL(SYS_nanosleep, &now, NULL);
	CALL(SYS_clock_nanosleep, CLOCK_REALTIME, 0, &now, NULL);
	CALL(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	CALL(SYS_rt_sigprocmask, SIG_BLOCK, NULL, NULL, KERNEL_SIGSET_SIZE);
	CALL(SYS_rt_sigpending, &number, KERNEL_SIGSET_SIZE);
	CALL(SYS_rt_sigtimedwait, &number, NULL, &now, KERNEL_SIGSET_SIZE);
	CALL(SYS_rt_sigaction, SIGTERM, NULL, NULL, KERNEL_SIGSET_SIZE);
	CALL(SYS_sigaltstack, NULL, NULL);
	CALL(SYS_getrusage, RUSAGE_SELF, NULL);
	CALL(SYS_process_vm_readv, CALL(SYS_getpid), NULL, 0, NULL, 0, 0);
	CALL(SYS_perf_event_open, NULL, 0, -1, -1, 0);
	CALL(SYS_ioctl, -1, FIONREAD, NULL);
	CALL(SYS_fcntl, -1, F_GETFD, 0);
	CALL(SYS_read, -1, NULL, 0);
	CALL(SYS_lseek, -1, 0, SEEK_SET);
	CALL(SYS_pwrite64, -1, NULL, 0, 0);
	CALL(SYS_ftruncate, -1, 0);
	CALL(SYS_timer_create, -1, NULL, NULL);
	CALL(SYS_timer_settime, -1, 0, NULL, NULL);
	CALL(SYS_timer_getoverrun, -1);
	CALL(SYS_timer_delete, -1);
	CALL(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
	CALL(SYS_clock_gettime, CLOCK_REALTIME, &now);
	CALL(SYS_mkdirat, -1, ".", 0);
	CALL(SYS_symlinkat, "", -1, "");
	CALL(SYS_getppid);
	CALL(SYS_newfstatat, -1, ".", NULL, 0);
}

static bool can_measure(void)
{
	struct timespec now;
	long block = CALL(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return CALL(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now) == 0 && (void *)block != MAP_FAILED &&
	       CALL(SYS_munmap, block, 4096) == 0;
}

#define TRIALS 100 /* trials at the same time, in one directory */

/* Creates a file that does not exist; `number` points to the two digits in its name that are varied. */
static long create_aside(long directory, const char *aside, char *number)
{
	long file = -1;
	errno = EEXIST;
	for (int n = 0; file < 0 && errno == EEXIST && n < TRIALS; n++) {
		number[0] = (char)('0' + n / 10);
		number[1] = (char)('0' + n % 10);
		file = CALL(SYS_openat, directory, aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	return file;
}

static bool can_write(void)
{
	char aside[] = ".heddle-trial-00.part", name[] = ".heddle-trial-00";
	char *number = aside + sizeof(".heddle-trial-") - 1;
	long directory = CALL(SYS_openat, AT_FDCWD, heddle__process.output, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	long file = create_aside(directory, aside, number);
	bool written = file >= 0 && CALL(SYS_write, file, name, sizeof(name)) == (long)sizeof(name) &&
		       CALL(SYS_close, file) == 0;
	name[sizeof(name) - 3] = number[0];
	name[sizeof(name) - 2] = number[1];
	CALL(SYS_newfstatat, directory, name, NULL, 0);
	bool renamed = file >= 0 && RENAME(directory, aside, directory, name) == 0;
	bool removed = CALL(SYS_unlinkat, directory, renamed ? name : aside, 0) == 0 || errno == ENOENT;
	return renamed && written && removed;
}

static void try_under(const struct heddle_filter_call *call)
{
	struct rlimit no_core = {0, 0};
	enum outcome outcome = TOO_LITTLE;
	CALL(SYS_prlimit64, 0, RLIMIT_CORE, &no_core, NULL);
	if (CALL(call->number, call->argument[0], call->argument[1], call->argument[2], call->argument[3],
		    call->argument[4]) < 0) {
		outcome = REFUSED;
	} else {
		call_all();
		if (can_measure() && can_write())
			outcome = ENOUGH;
	}
	CALL(SYS_exit_group, outcome);
}

/*
 * Waits for the copy's end. A call that a listener of the program has to answer does not return, so the copy is killed
 * after some seconds.
 */
static int end_of(long copy)
{
	struct timespec nap = {0, FIRST_NAP_NS};
	struct heddle_patience patience;
	int status = 0;
	bool killed = false;
	heddle__patience_renew(&patience);
	for (;;) {
		long ended = CALL(SYS_wait4, copy, &status, killed ? __WALL : __WALL | WNOHANG, NULL);
		if (ended == copy)
			return status;
		if (ended < 0 && errno != EINTR)
			return -1;
		if (!killed && !heddle__patience_lasts(&patience, LONGEST_TRIAL_NS)) {
			CALL(SYS_kill, copy, SIGKILL);
			killed = true;
		} else if (!killed) {
			CALL(SYS_nanosleep, &nap, NULL);
			nap.tv_nsec = nap.tv_nsec * 2 < LONGEST_NAP_NS ? nap.tv_nsec * 2 : LONGEST_NAP_NS;
		}
	}
}

/*
 * Runs the trial in a copy, whose end sends no signal to the program. With all signals blocked, a trap of the filter
 * also ends the copy.
 */
static enum outcome outcome_in_copy(const struct heddle_filter_call *call)
{
	struct heddle_signal_guard guard;
	heddle__guard_signals(&guard);
	long copy = CALL(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (copy == 0)
		try_under(call);
	int status = copy > 0 ? end_of(copy) : -1;
	heddle__release_signals(&guard);
	return status >= 0 && WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : TOO_LITTLE;
}

/* True for the strict mode: it permits only read, write, exit and sigreturn, not exit_group. */
static bool is_strict(const struct heddle_filter_call *call)
{
	if (call->number == SYS_prctl)
		return call->argument[1] == SECCOMP_MODE_STRICT;
	return call->argument[0] == SECCOMP_SET_MODE_STRICT;
}

/*
 * True if the program itself, or another process, will answer calls. Whether it answers Heddle's is unknown, and the
 * copy would have another listener than the program.
 */
static bool has_listener(const struct heddle_filter_call *call)
{
	return call->number == SYS_seccomp && call->argument[0] == SECCOMP_SET_MODE_FILTER &&
	       ((unsigned long)call->argument[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

void heddle__before_filter(const struct heddle_filter_call *call)
{
	int saved = errno;
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF)
		return;
	enum outcome outcome = is_strict(call) || has_listener(call) ? TOO_LITTLE : outcome_in_copy(call);
	if (outcome != ENOUGH && outcome != REFUSED) {
		heddle__warn("the program forbids system calls that measurement needs (seccomp): it is measured up to "
			     "this point");
		heddle__process.pid = getpid(); /* also if a child shares its parent's state, which must become OFF */
		heddle__finish("seccomp");
		heddle__host_retire();
	}
	errno = saved;
}

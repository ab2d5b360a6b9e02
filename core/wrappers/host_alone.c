/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps calls that depend on the other threads of the process. The kernel refuses some to a multi-threaded process
 * (namespaces); the C library repeats some in each thread and aborts if one fails (user and group ids); others change
 * the calling thread only, which would leave Heddle's thread with more privileges than the program's (capabilities,
 * seccomp). The keeper is stopped while they run.
 */
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"
#include "core/process/keeper.h"
#include "core/process/process.h"
#include "core/wrappers/host_filter.h"
#include "core/wrappers/host_raw_action.h"

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

#define ALONE(name, parameters, arguments)                \
	HEDDLE_EXPORT int name parameters                 \
	{                                                 \
		struct heddle_alone alone;                \
		heddle__keeper_leave(&alone);             \
		int result = HEDDLE_REAL(name) arguments; \
		heddle__keeper_return(&alone);            \
		return result;                            \
	}

#define BECOME(name, parameters, arguments, user)         \
	HEDDLE_EXPORT int name parameters                 \
	{                                                 \
		struct heddle_alone alone;                \
		heddle__keeper_leave(&alone);             \
		give_trace_to(user);                      \
		int result = HEDDLE_REAL(name) arguments; \
		heddle__keeper_return(&alone);            \
		return result;                            \
	}

static _Atomic bool filtered; /* the program may have forbidden itself system calls that it does not need */

static void give_trace_to(uid_t user)
{
	if (!atomic_load(&filtered))
		heddle__before_user(user);
}

BECOME(setuid, (uid_t user), (user), user)
BECOME(seteuid, (uid_t user), (user), user)
BECOME(setreuid, (uid_t real, uid_t effective), (real, effective), effective)
BECOME(setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved), effective)
BECOME(setfsuid, (uid_t user), (user), user)
ALONE(setgid, (gid_t group), (group))
ALONE(setegid, (gid_t group), (group))
ALONE(setregid, (gid_t real, gid_t effective), (real, effective))
ALONE(setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved))
ALONE(setfsgid, (gid_t group), (group))
ALONE(setgroups, (size_t count, const gid_t *groups), (count, groups))
ALONE(initgroups, (const char *user, gid_t group), (user, group))
ALONE(capset, (void *header, const void *data), (header, data))
ALONE(unshare, (int flags), (flags))
ALONE(setns, (int fd, int kind), (fd, kind))

/* True for attributes that restrict what a thread may do; the program assumes that it has only one thread. */
static bool restricts_thread(unsigned long option)
{
	switch (option) {
	case PR_SET_KEEPCAPS:
	case PR_SET_SECUREBITS:
	case PR_SET_NO_NEW_PRIVS:
	case PR_SET_SECCOMP:
	case PR_SET_SPECULATION_CTRL:
	case PR_CAPBSET_DROP:
	case PR_CAP_AMBIENT:
		return true;
	default:
		return false;
	}
}

/* System calls, by number: of this kind (1), about signals (2), that execute a program (3). Others are passed on. */
#define CALL_NUMBERS 512
__attribute__((visibility("hidden"), used)) const unsigned char heddle__host_alone_calls[CALL_NUMBERS] = {
	[SYS_setuid] = 1,
	[SYS_setreuid] = 1,
	[SYS_setresuid] = 1,
	[SYS_setfsuid] = 1,
	[SYS_setgid] = 1,
	[SYS_setregid] = 1,
	[SYS_setresgid] = 1,
	[SYS_setfsgid] = 1,
	[SYS_setgroups] = 1,
	[SYS_capset] = 1,
	[SYS_unshare] = 1,
	[SYS_setns] = 1,
	[SYS_prctl] = 1,
	[SYS_seccomp] = 1,
	[SYS_landlock_restrict_self] = 1,
	[SYS_rt_sigaction] = 2,
	[SYS_execve] = 3,
	[SYS_execveat] = 3,
};

static bool wants_to_be_alone(long number, unsigned long option)
{
	if (number == SYS_prctl)
		return restricts_thread(option);
	return number >= 0 && number < CALL_NUMBERS && heddle__host_alone_calls[number] == 1;
}

/* True if the call may forbid the creation of threads, or make it end the process. */
static bool filters_calls(long number, unsigned long option)
{
	if (number == SYS_seccomp)
		return option == SECCOMP_SET_MODE_STRICT || option == SECCOMP_SET_MODE_FILTER;
	return number == SYS_prctl && option == PR_SET_SECCOMP;
}

/* Handles calls that change the user; made as bare system calls, they change only the calling thread's. */
static void before_call(long number, long a, long b)
{
	if (number == SYS_setuid || number == SYS_setfsuid)
		give_trace_to((uid_t)a);
	else if (number == SYS_setreuid || number == SYS_setresuid)
		give_trace_to((uid_t)b);
}

static void after_filter(void)
{
	atomic_store(&filtered, true);
	heddle__keeper_bar();
}

typedef long system_call(long number, long a, long b, long c, long d, long e, long f);
typedef int process_control(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

/*
 * Declared under other names, with all arguments; reading more than were passed is harmless, as in the C library's own
 * functions.
 */
process_control heddle__host_prctl __asm__("prctl");

#if defined(__x86_64__)
/*
 * Other calls are passed on by a jump: the last argument is on the stack, where a caller with fewer arguments may keep
 * other data; and calls that return on another stack (clone) must reach the C library's function as without Heddle.
 */
system_call heddle__host_syscall;
__attribute__((visibility("hidden"))) system_call *heddle__host_forward = heddle__host_syscall;
__asm__(".pushsection .text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	cmpq $512, %rdi\n" /* CALL_NUMBERS */
	"	jae 1f\n"
	"	leaq heddle__host_alone_calls(%rip), %rax\n"
	"	cmpb $0, (%rax,%rdi)\n"
	"	jne heddle__host_syscall\n"
	"1:	jmp *heddle__host_forward(%rip)\n"
	"	.cfi_endproc\n"
	".size syscall, .-syscall\n"
	".popsection");
#define HOST_SYSCALL __attribute__((visibility("hidden"), used))
#else
system_call heddle__host_syscall __asm__("syscall");
#define HOST_SYSCALL HEDDLE_EXPORT
#endif

static system_call *real_syscall(void)
{
	system_call *real = (system_call *)(void (*)(void)) & HEDDLE_REAL(syscall);
#if defined(__x86_64__)
	heddle__host_forward = real;
#endif
	return real;
}

static process_control *real_prctl(void)
{
	return (process_control *)(void (*)(void)) & HEDDLE_REAL(prctl);
}

static long execute(long number, long a, long b, long c, long d, long e)
{
	heddle__before_exec();
	int held = heddle__hold_claim();
	long result = real_syscall()(number, a, b, c, d, e, 0);
	heddle__release_claim(held);
	heddle__after_failed_exec();
	return result;
}

HOST_SYSCALL long heddle__host_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	struct heddle_alone alone;
	if (number == SYS_rt_sigaction && heddle__take_raw_action(&(struct heddle_raw_action){a, b, c, d}))
		return 0;
	if (number == SYS_execve || number == SYS_execveat)
		return execute(number, a, b, c, d, e);
	if (!wants_to_be_alone(number, (unsigned long)a))
		return real_syscall()(number, a, b, c, d, e, f);
	heddle__keeper_leave(&alone);
	before_call(number, a, b);
	bool filters = filters_calls(number, (unsigned long)a);
	if (filters)
		heddle__before_filter(&(struct heddle_filter_call){number, {a, b, c, d, e}});
	long result = real_syscall()(number, a, b, c, d, e, f);
	if (result >= 0 && filters)
		after_filter();
	heddle__keeper_return(&alone);
	return result;
}

HEDDLE_EXPORT int heddle__host_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	struct heddle_alone alone;
	if (!restricts_thread((unsigned long)option))
		return real_prctl()(option, a, b, c, d);
	heddle__keeper_leave(&alone);
	if (option == PR_SET_SECCOMP)
		heddle__before_filter(
			&(struct heddle_filter_call){SYS_prctl, {option, (long)a, (long)b, (long)c, (long)d}});
	int result = real_prctl()(option, a, b, c, d);
	if (result >= 0 && option == PR_SET_SECCOMP)
		after_filter();
	heddle__keeper_return(&alone);
	return result;
}

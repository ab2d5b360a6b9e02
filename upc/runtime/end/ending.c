/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/end/ending.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/wait.h"

/* Defined by the linker: the bounds of the program's own code. */
extern const char __executable_start[], _etext[];

#define END_MS 5000 /* to wait for others to end this process */

static pid_t owner;    /* the pid of the thread process: children that the program forks end for themselves */
static bool libraries; /* the C library is a separate file: the program is not linked statically */

void hupc__ending_prepare(void)
{
	owner = getpid();
	libraries = getauxval(AT_BASE) != 0;
}

void hupc__wait_for_end(void)
{
	for (int naps = 0; naps < END_MS / HUPC__NAP_MS && !atomic_load(&hupc__control->ending); naps++)
		hupc__sleep(&hupc__control->ended, atomic_load(&hupc__control->ended));
	uint32_t asked = atomic_load(&hupc__control->ending);
	fflush(NULL);
	_exit(asked ? (int)(asked & 0xff) : 1);
}

static void flush(FILE *stream)
{
	if (ftrylockfile(stream) != 0)
		return;
	fflush_unlocked(stream);
	funlockfile(stream);
}

/* Returns true if CODE may hold a stream's lock: code of the C library, or of a statically linked program. */
static bool may_be_in_stream(const void *code)
{
	bool own = (const char *)code >= __executable_start && (const char *)code < _etext;
	return !hupc__in_futex && !(own && libraries);
}

void hupc__flush_in_signal(const void *code)
{
	if (getpid() != owner)
		return;
	if (!may_be_in_stream(code)) {
		fflush(NULL);
		return;
	}
	flush(stdout);
	flush(stderr);
}

void *hupc__interrupted(const void *context)
{
	const ucontext_t *it = context;
#if defined(__x86_64__)
	return (void *)it->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (void *)it->uc_mcontext.pc;
#else
	return NULL;
#endif
}

void hupc__speak_undisturbed(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, HUPC__END_SIGNAL);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * old_signals N...: prints what the older signal functions return and do for each signal. Then burns, so that samples
 * are taken after these functions have reset all signals.
 */
#include "burn.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

sighandler_t __sysv_signal(int number, sighandler_t handler);

static volatile sig_atomic_t handled;

static NOINLINE void burn_here(double ms)
{
	burn_ms(ms);
}

static void count(int number)
{
	(void)number;
	handled++;
}

static const char *name_of(sighandler_t handler)
{
	if (handler == SIG_DFL)
		return "default";
	if (handler == SIG_IGN)
		return "ignore";
	if (handler == SIG_HOLD)
		return "hold";
	if (handler == SIG_ERR)
		return "error";
	return handler == count ? "count" : "unknown";
}

static void with_sigset(int number)
{
	handled = 0;
	printf("sigset: %s", name_of(sigset(number, count)));
	raise(number);
	printf(" %d", (int)handled);
	printf(" %s", name_of(sigset(number, SIG_HOLD)));
	printf(" %s", name_of(sigset(number, SIG_HOLD)));
	raise(number);
	printf(" %d", (int)handled);
	printf(" %s", name_of(sigset(number, count)));
	printf(" %d", (int)handled);
	printf(" %s\n", name_of(sigset(number, SIG_DFL)));
}

static void with_hold(int number)
{
	handled = 0;
	signal(number, count);
	printf("hold: %d", sighold(number));
	raise(number);
	printf(" %d", (int)handled);
	printf(" %d", sigrelse(number));
	printf(" %d", (int)handled);
	printf(" %d", sigignore(number));
	raise(number);
	printf(" %d", (int)handled);
	printf(" %s\n", name_of(signal(number, SIG_DFL)));
}

static void with_masks(int number)
{
	unsigned int bit = 1u << (number - 1);
	handled = 0;
	signal(number, count);
	printf("masks: %d", sigblock((int)bit));
	printf(" %d", (unsigned int)sigblock(0) == bit);
	raise(number);
	printf(" %d", (int)handled);
	printf(" %d", (unsigned int)sigsetmask(0) == bit);
	printf(" %d %d\n", sigblock(0), (int)handled);
	signal(number, SIG_DFL);
}

static int restarts(int number)
{
	struct sigaction now;
	sigaction(number, NULL, &now);
	return (now.sa_flags & SA_RESTART) != 0;
}

static void with_flags(int number)
{
	struct sigaction now;
	signal(number, count);
	printf("flags: restarts %d", restarts(number));
	printf(", %d %d", siginterrupt(number, 1), restarts(number));
	signal(number, count);
	printf(", again %d", restarts(number));
	printf(", %d %d", siginterrupt(number, 0), restarts(number));
	printf(", %s", name_of(__sysv_signal(number, count)));
	sigaction(number, NULL, &now);
	printf(", once %d\n", (now.sa_flags & (int)SA_RESETHAND) != 0);
	signal(number, SIG_DFL);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int number = atoi(argv[i]);
		printf("signal %d\n", number);
		with_sigset(number);
		with_hold(number);
		with_masks(number);
		with_flags(number);
		sigset(number, SIG_DFL);
	}
	printf("none: %s %d %d\n", name_of(sigset(99, count)), sighold(99), siginterrupt(99, 1));
	sigset(SIGTRAP, SIG_DFL);
	sigset(SIGURG, SIG_DFL);
	burn_here(100);
	for (int i = 1; i < argc; i++) {
		__sysv_signal(atoi(argv[i]), SIG_DFL);
		siginterrupt(atoi(argv[i]), 1);
	}
	burn_here(100);
	puts("end");
	return 0;
}

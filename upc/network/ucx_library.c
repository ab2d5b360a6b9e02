/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads UCX. Its library catches signals of errors (SIGSEGV and others) and SIGHUP as soon as it is loaded, and gives
 * the thread another signal stack: the program gets its own back. It is therefore not linked. Context: open.
 */
#include "upc/network/ucx.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void *load_quietly(void)
{
	struct sigaction actions[NSIG];
	stack_t stack;
	void *library;
	for (int signal = 1; signal < NSIG; signal++)
		sigaction(signal, NULL, &actions[signal]);
	sigaltstack(NULL, &stack);
	library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
	for (int signal = 1; signal < NSIG; signal++) {
		struct sigaction action;
		if (!sigaction(signal, NULL, &action) && action.sa_sigaction != actions[signal].sa_sigaction)
			sigaction(signal, &actions[signal], NULL);
	}
	sigaltstack(&stack, NULL);
	return library;
}

bool hupc__ucx_load(char *problem, size_t problem_size)
{
	static const char *const names[] = {
#define NAME(name) #name,
		HUPC__UCX_FUNCTIONS(NAME)
#undef NAME
	};
	char *table = (char *)&hupc__ucx.api;
	void *library = load_quietly();
	_Static_assert(sizeof names == sizeof hupc__ucx.api, "one pointer each");
	if (!library) {
		const char *why = dlerror();
		snprintf(problem, problem_size, "cannot load UCX: %s", why ? why : "no reason given");
		return false;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		void *function = dlsym(library, names[i]);
		if (!function) {
			snprintf(problem, problem_size, "this version of UCX has no %s", names[i]);
			return false;
		}
		memcpy(table + i * sizeof function, &function, sizeof function);
	}
	return true;
}

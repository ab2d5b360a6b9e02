/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads UCX. As soon as its library is loaded, it catches SIGHUP and signals of errors (SIGSEGV and others), and sets
 * the thread's signal stack. It is therefore not linked but loaded here, and the program's handlers and stack are
 * restored. Context: open.
 */
#include "upc/network/ucx.h"
#include "upc/network/ucx_gate.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucs/debug/log_def.h>

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

/* Suppresses UCX's messages while this plug-in calls it: UCX also returns these errors, and the runtime prints them. */
static ucs_log_func_rc_t say_nothing(const char *file, unsigned line, const char *function, ucs_log_level_t level,
	const ucs_log_component_config_t *component, const char *message, va_list arguments)
{
	(void)file;
	(void)line;
	(void)function;
	(void)component;
	(void)message;
	(void)arguments;
	return level != UCS_LOG_LEVEL_FATAL && (hupc__ucx_held() || hupc__ucx_gate_accepting())
		       ? UCS_LOG_FUNC_RC_STOP
		       : UCS_LOG_FUNC_RC_CONTINUE;
}

void hupc__ucx_silence(void)
{
	void (*push)(ucs_log_func_t handler);
	*(void **)&push = dlsym(hupc__ucx.library, "ucs_log_push_handler");
	if (push && !getenv("UCX_LOG_LEVEL"))
		push(say_nothing);
}

bool hupc__ucx_load(char *problem, size_t problem_size)
{
	static const char *const names[] = {
#define NAME(name) #name,
		HUPC__UCX_FUNCTIONS(NAME)
#undef NAME
	};
	char *table = (char *)&hupc__ucx.api;
	void *library = hupc__ucx.library = load_quietly();
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

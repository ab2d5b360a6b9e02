/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes calls to the system fail, chosen by their number. HEDDLE_FAULT="mmap:7" makes the seventh mmap of the process
 * fail, "mmap:7+" that one and all later ones; with HEDDLE_FAULT_RANK, only in the process with that PMI_RANK.
 * HEDDLE_FAULT_CALLS names a file to which each call appends a line. A file that includes this one defines CALLS(X),
 * with X(NAME, ERROR) for each call. Objects are linked with its functions in place of the C library's (-Wl,--wrap),
 * which return an error if fails(CALL_NAME) is true. Runs in signal handlers.
 */
#ifndef HEDDLE_TESTS_SUPPORT_FAULTS_H
#define HEDDLE_TESTS_SUPPORT_FAULTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define X(name, number) CALL_##name,
enum call { CALLS(X) CALL_COUNT };
#undef X

static const struct {
	const char *name;
	int error;
} calls[] = {
#define X(name, number) {#name, number},
	CALLS(X)
#undef X
};

static _Atomic unsigned int counts[CALL_COUNT];
static _Atomic int chosen = -1; /* index into calls; -1: not chosen yet, CALL_COUNT: none */
static unsigned int first, last;

static bool of_this_rank(void)
{
	const char *wanted = getenv("HEDDLE_FAULT_RANK"), *rank = getenv("PMI_RANK");
	return !wanted || (rank && strcmp(wanted, rank) == 0);
}

static void choose(void)
{
	const char *text = of_this_rank() ? getenv("HEDDLE_FAULT") : NULL, *colon = text ? strchr(text, ':') : NULL;
	int call = 0;
	while (colon && call < CALL_COUNT &&
		(strlen(calls[call].name) != (size_t)(colon - text) ||
			strncmp(calls[call].name, text, (size_t)(colon - text)) != 0))
		call++;
	if (colon) {
		first = (unsigned int)strtoul(colon + 1, NULL, 10);
		last = text[strlen(text) - 1] == '+' ? ~0u : first;
	}
	atomic_store(&chosen, colon ? call : CALL_COUNT);
}

/* Appends a line for this call at once, for processes that end without running a destructor. */
static void list(enum call call)
{
	const char *name = of_this_rank() ? getenv("HEDDLE_FAULT_CALLS") : NULL;
	char line[32];
	int fd = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	syscall(SYS_write, fd, line, (size_t)snprintf(line, sizeof(line), "%s\n", calls[call].name));
	syscall(SYS_close, fd);
}

/* Counts this call. Returns true, with errno set, if it is to fail. */
static bool fails(enum call call)
{
	if (atomic_load(&chosen) < 0)
		choose();
	list(call);
	unsigned int number = atomic_fetch_add(&counts[call], 1) + 1;
	if ((int)call != atomic_load(&chosen) || number < first || number > last)
		return false;
	errno = calls[call].error;
	return true;
}

/* Declares the two functions of the linker's -Wl,--wrap, and begins the definition of the second. */
#define WRAP(result, name, ...)            \
	result __real_##name(__VA_ARGS__); \
	result __wrap_##name(__VA_ARGS__); \
	result __wrap_##name(__VA_ARGS__)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps the calls that end a program without running destructors: _exit, _Exit, quick_exit, and the exec family. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"
#include "core/process/process.h"
#include "core/wrappers/host_executed.h"

HEDDLE_EXPORT void _exit(int status)
{
	heddle__finish("_exit");
	HEDDLE_REAL(_exit)(status);
	__builtin_unreachable();
}

HEDDLE_EXPORT void _Exit(int status)
{
	heddle__finish("_exit");
	HEDDLE_REAL(_Exit)(status);
	__builtin_unreachable();
}

/* The profile is written first: the C library's function calls its own _exit, which cannot be wrapped. */
HEDDLE_EXPORT void quick_exit(int status)
{
	heddle__finish("quick_exit");
	HEDDLE_REAL(quick_exit)(status);
	__builtin_unreachable();
}

/* `searched`: whether `path` is a name to be searched for on PATH; `path` NULL: not known. */
#define EXEC(name, parameters, arguments, path, searched, environment) \
	HEDDLE_EXPORT int name parameters                              \
	{                                                              \
		heddle__note_executed(path, searched, environment);    \
		heddle__before_exec();                                 \
		int held = heddle__hold_claim();                       \
		int result = HEDDLE_REAL(name) arguments;              \
		heddle__release_claim(held);                           \
		heddle__after_failed_exec();                           \
		return result;                                         \
	}

EXEC(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp), path, 0, envp)
EXEC(execv, (const char *path, char *const argv[]), (path, argv), path, 0, environ)
EXEC(execvp, (const char *file, char *const argv[]), (file, argv), file, 1, environ)
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp), file, 1, envp)
EXEC(fexecve, (int fd, char *const argv[], char *const envp[]), (fd, argv, envp), NULL, 0, envp)
EXEC(execveat, (int dir, const char *path, char *const argv[], char *const envp[], int flags),
	(dir, path, argv, envp, flags), dir == AT_FDCWD ? path : NULL, 0, envp)

#define ARGUMENTS_ON_STACK 64

/*
 * Collects variadic arguments after the first in an array, which is `small` if they fit. Sets `envp`, unless NULL, to
 * the argument after the NULL.
 */
static char **gather(const char *first, va_list list, char **small, char *const **envp)
{
	va_list copy;
	size_t count = 1;
	va_copy(copy, list);
	while (va_arg(copy, char *))
		count++;
	va_end(copy);
	char **argv = count < ARGUMENTS_ON_STACK ? small : heddle__alloc((count + 1) * sizeof(*argv));
	if (!argv)
		return NULL;
	argv[0] = (char *)(uintptr_t)first;
	for (size_t i = 1; i <= count; i++)
		argv[i] = va_arg(list, char *);
	if (envp)
		*envp = va_arg(list, char *const *);
	return argv;
}

HEDDLE_EXPORT int execl(const char *path, const char *argument, ...)
{
	char *small[ARGUMENTS_ON_STACK + 1];
	va_list list;
	va_start(list, argument);
	char **argv = gather(argument, list, small, NULL);
	va_end(list);
	return argv ? execv(path, argv) : -1;
}

HEDDLE_EXPORT int execlp(const char *file, const char *argument, ...)
{
	char *small[ARGUMENTS_ON_STACK + 1];
	va_list list;
	va_start(list, argument);
	char **argv = gather(argument, list, small, NULL);
	va_end(list);
	return argv ? execvp(file, argv) : -1;
}

HEDDLE_EXPORT int execle(const char *path, const char *argument, ...)
{
	char *small[ARGUMENTS_ON_STACK + 1];
	char *const *envp = NULL;
	va_list list;
	va_start(list, argument);
	char **argv = gather(argument, list, small, &envp);
	va_end(list);
	return argv ? execve(path, argv, envp) : -1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes system calls only: the caller may be the child of a vfork, whose memory is its parent's. A note that it adds is
 * intended to be in the parent's profile, as the child writes none.
 */
#include "core/wrappers/host_executed.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/notes.h"
#include "core/threads/control.h"
#include "format/ids.h"

#define HEAD_SIZE 1024 /* bytes at the begin of a file: the ELF header, followed by the program headers */
#define NAME_MOST 160

static const char *variable_of(char *const environment[], const char *name)
{
	size_t length = strlen(name);
	for (; environment && *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

static bool is_preloaded(char *const environment[])
{
	const char *value = variable_of(environment, "LD_PRELOAD");
	return value && strstr(value, "libheddle");
}

/* True if Heddle was preloaded by the environment at the start; the program may have changed it since. */
static bool was_preloaded(void)
{
	extern char **environ;
	static _Atomic int known; /* 1: no, 2: yes */
	if (!atomic_load(&known))
		atomic_store(&known, 1 + is_preloaded(environ));
	return atomic_load(&known) == 2;
}

__attribute__((constructor)) static void remember(void)
{
	was_preloaded();
}

/* Searches for a program as execvp(3) does. */
static bool search(const char *name, char path[PATH_MAX])
{
	extern char **environ;
	const char *at = variable_of(environ, "PATH");
	for (at = at ? at : "/bin:/usr/bin"; *at; at += *at == ':') {
		int length = (int)strcspn(at, ":");
		int n = snprintf(path, PATH_MAX, "%.*s%s%s", length, at, length ? "/" : "./", name);
		if (n < PATH_MAX && faccessat(AT_FDCWD, path, X_OK, 0) == 0)
			return true;
		at += length;
	}
	return false;
}

static bool is_dynamic_linker(const char *path)
{
	const char *name = strrchr(path, '/');
	name = name ? name + 1 : path;
	return strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.so", 5) == 0;
}

/* True if the program names no dynamic linker; false for files that are not programs of this word size. */
static bool is_static(const char *path)
{
	_Alignas(8) unsigned char head[HEAD_SIZE];
	const Elf64_Ehdr *header = (const void *)head;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t size = file < 0 ? -1 : pread(file, head, sizeof(head), 0);
	if (file >= 0)
		close(file);
	if (size < (ssize_t)sizeof(*header) || memcmp(head, ELFMAG, SELFMAG) != 0 || head[EI_CLASS] != ELFCLASS64 ||
		header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff % 8 != 0 ||
		header->e_phoff + header->e_phnum * sizeof(Elf64_Phdr) > (size_t)size)
		return false;
	const Elf64_Phdr *parts = (const void *)(head + header->e_phoff);
	for (unsigned int i = 0; i < header->e_phnum; i++)
		if (parts[i].p_type == PT_INTERP)
			return false;
	return !is_dynamic_linker(path);
}

/* Returns why the program will not be measured, or NULL if it will, as far as is known. */
static const char *reason_of(const char *path, char *const environment[])
{
	struct stat about;
	if (faccessat(AT_FDCWD, path, X_OK, 0) || fstatat(AT_FDCWD, path, &about, 0) || !S_ISREG(about.st_mode))
		return NULL; /* it will not be executed */
	if (!is_preloaded(environment))
		return "was executed with an environment without Heddle's library (LD_PRELOAD)";
	if ((about.st_mode & S_ISUID && about.st_uid != geteuid()) ||
		(about.st_mode & S_ISGID && about.st_gid != getegid()))
		return "changes its user or group";
	return is_static(path) ? "is statically linked" : NULL;
}

void heddle__note_executed(const char *path, int searched, char *const environment[])
{
	static char text[NAME_MOST + 128], found[PATH_MAX];
	static _Atomic bool busy, noted;
	int saved = errno;
	if (!path || atomic_load(&heddle__run_state) == HEDDLE_OFF || !was_preloaded() || atomic_load(&noted) ||
		atomic_exchange(&busy, true))
		return;
	const char *whole = path;
	if (searched && !strchr(path, '/'))
		whole = search(path, found) ? found : NULL;
	const char *reason = whole ? reason_of(whole, environment) : NULL;
	if (reason) {
		snprintf(text, sizeof(text), HEDDLE_NOTE_UNMEASURED "%.*s %s", NAME_MOST, path, reason);
		heddle__note(text);
		atomic_store(&noted, true);
	}
	atomic_store(&busy, false);
	errno = saved;
}

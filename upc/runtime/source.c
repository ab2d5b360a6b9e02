/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs addr2line. Async-signal-safe: system calls only. The child gets an empty environment, so no tool is loaded into
 * it.
 */
#include "upc/runtime/source.h"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

#include "upc/runtime/say.h"
#include "upc/runtime/system.h"

#define LIMIT 16
#define PATIENCE_MS 3000 /* less than the monitor's time limit for this process */

extern const char __executable_start[], _end[];

static const char *const programs[] = {"/usr/bin/addr2line", "/usr/bin/llvm-addr2line-14", "/usr/bin/llvm-addr2line"};

/* The address in the program's file, as text; false for an address in a library. */
static bool describe_address(char *text, size_t size, const void *address)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)__executable_start;
	uintptr_t place = (uintptr_t)address;
	if ((const char *)address < __executable_start || (const char *)address >= _end)
		return false;
	if (header->e_type == ET_DYN)
		place -= (uintptr_t)__executable_start;
	hupc__format(text, size, "0x%lx", (unsigned long)place);
	return true;
}

/* Runs in the child. */
static void run(char *const *arguments, int output)
{
	static char *nothing[] = {NULL};
	long null = hupc__system(openat, AT_FDCWD, "/dev/null", O_RDWR);
	hupc__system(dup3, null, STDIN_FILENO, 0);
	hupc__system(dup3, null, STDERR_FILENO, 0);
	hupc__system(dup3, output, STDOUT_FILENO, 0);
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		hupc__system(execve, programs[i], arguments, nothing);
	hupc__system(exit_group, 127);
}

static size_t read_all(int file, char *text, size_t size)
{
	size_t length = 0;
	struct timespec patience = {PATIENCE_MS / 1000, 0};
	struct pollfd wanted = {file, POLLIN, 0};
	while (length + 1 < size && hupc__system(ppoll, &wanted, 1, &patience, NULL, 0) > 0) {
		long got = hupc__system(read, file, text + length, size - 1 - length);
		if (got <= 0)
			break;
		length += (size_t)got;
	}
	text[length] = '\0';
	return length;
}

/* Captures a program's output, NULL-terminated. */
static void capture(char *const *arguments, char *text, size_t size)
{
	int ends[2];
	text[0] = '\0';
	if (hupc__system(pipe2, ends, O_CLOEXEC) != 0)
		return;
	long child = hupc__system(clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		run(arguments, ends[1]);
	hupc__system(close, ends[1]);
	if (child > 0) {
		read_all(ends[0], text, size);
		hupc__system(kill, child, SIGKILL);
		hupc__system(wait4, child, NULL, 0, NULL);
	}
	hupc__system(close, ends[0]);
}

/* Whether a line of addr2line's output is a position in the user's source. */
static bool is_useful(const char *line, size_t length)
{
	static const char own[] = "upc/runtime/";
	if (!length || line[0] == '?' || line[length - 1] == '?' ||
		(length > 1 && line[length - 2] == ':' && line[length - 1] == '0'))
		return false;
	for (size_t i = 0; i + sizeof(own) - 1 <= length; i++) {
		if (memcmp(line + i, own, sizeof(own) - 1) == 0)
			return false;
	}
	return true;
}

static void choose_line(char *text, size_t size, char *lines)
{
	for (char *line = lines, *next; *line; line = next) {
		size_t length = strcspn(line, "\n");
		next = line + length + (line[length] == '\n');
		line[length] = '\0';
		line[strcspn(line, " ")] = '\0'; /* " (discriminator 3)" */
		if (is_useful(line, strlen(line))) {
			hupc__format(text, size, "%s: ", line);
			return;
		}
	}
}

void hupc__source_describe(char *text, size_t size, void *const *addresses, int count)
{
	char numbers[LIMIT][24], path[512], output[4096];
	char *arguments[LIMIT + 4] = {"addr2line", "-e", path};
	int used = 3;
	text[0] = '\0';
	long length = hupc__system(readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return;
	path[length] = '\0';
	for (int i = 0; i < count && used < LIMIT + 3; i++) {
		if (describe_address(numbers[used - 3], sizeof(numbers[0]), addresses[i])) {
			arguments[used] = numbers[used - 3];
			used++;
		}
	}
	if (used == 3)
		return;
	capture(arguments, output, sizeof(output));
	choose_line(text, size, output);
}

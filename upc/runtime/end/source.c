/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs addr2line. Async-signal-safe: only system calls. The child gets an empty environment, so that no tool is loaded
 * into it.
 */
#include "upc/runtime/end/source.h"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/base/starved.h"
#include "upc/runtime/base/system.h"

#define OWN "upc/runtime/" /* occurs in the names of the run-time system's files */
#define MOST 64
#define STEPS 60 /* less than the monitor waits for this process, in steps of the same length */
#define STEP_MS 50

extern const char __executable_start[], _end[];

static const char *const programs[] = {"/usr/bin/addr2line", "/usr/bin/llvm-addr2line"};

/* Writes the address in the program's file as text; returns false for an address in a library. */
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

/* Does not count steps in which the writer had no processor. */
static size_t read_all(long writer, int file, char *text, size_t size)
{
	uint64_t cpu_ns = 0;
	size_t length = 0;
	struct pollfd wanted = {file, POLLIN, 0};
	for (int steps = 0; length + 1 < size && steps < STEPS;) {
		struct timespec step = {0, STEP_MS * 1000000L}; /* the system call changes it */
		long ready = hupc__system(ppoll, &wanted, 1, &step, NULL, 0);
		long got = ready > 0 ? hupc__system(read, file, text + length, size - 1 - length) : 0;
		if (ready < 0 || (ready > 0 && got <= 0))
			break;
		length += (size_t)got;
		steps += ready == 0 && !hupc__is_starved(writer, STEP_MS, &cpu_ns);
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
		read_all(child, ends[0], text, size);
		hupc__system(kill, child, SIGKILL);
		hupc__system(wait4, child, NULL, 0, NULL);
	}
	hupc__system(close, ends[0]);
}

/* Returns true if a line of addr2line's output is a position in the user's source. */
static bool is_useful(const char *line, size_t length)
{
	if (!length || line[0] == '?' || line[length - 1] == '?' ||
		(length > 1 && line[length - 2] == ':' && line[length - 1] == '0'))
		return false;
	return !strstr(line, OWN);
}

/* Returns true if a function without debug information is the user's, not the run-time system's or the C library's. */
static bool is_users(const char *function)
{
	static const char *const others[] = {"hupc__", "upc_", "pupc_", "_", "?"};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strncmp(function, others[i], strlen(others[i])) == 0)
			return false;
	}
	return *function != '\0';
}

/* Cuts the next line off TEXT; NULL: there is none. */
static char *take_line(char **text)
{
	char *line = *text;
	size_t length = strcspn(line, "\n");
	if (!*line)
		return NULL;
	*text = line + length + (line[length] == '\n');
	line[length] = '\0';
	return line;
}

/* The output of addr2line for an address. */
struct answer {
	void *address;
	char *function, *place;
};

/*
 * Runs addr2line, which prints two lines for an address: its function, and its place. Calls `choose` for each address
 * until it returns true. Only the one thread that ends the program calls this. Binutils 2.44 may answer the first query
 * without a line, and the same query correctly the next time: the first address is passed twice.
 */
static void ask(void *const *addresses, int count, bool (*choose)(void *, const struct answer *), void *context)
{
	static char numbers[MOST][24], path[512], output[16384];
	char *arguments[MOST + 6] = {"addr2line", "-f", "-e", path, numbers[0]}, *rest = output;
	void *asked[MOST];
	int used = 0;
	long length = hupc__system(readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return;
	path[length] = '\0';
	for (int i = 0; i < count && used < MOST; i++) {
		if (!describe_address(numbers[used], sizeof(numbers[0]), addresses[i]))
			continue;
		asked[used] = addresses[i];
		arguments[5 + used] = numbers[used];
		used++;
	}
	if (!used)
		return;
	capture(arguments, output, sizeof(output));
	take_line(&rest);
	take_line(&rest);
	for (int i = 0; i < used; i++) {
		struct answer answer = {.address = asked[i], .function = take_line(&rest)};
		answer.place = take_line(&rest);
		if (!answer.function || !answer.place)
			return;
		answer.function[strcspn(answer.function, ".")] = '\0'; /* remove the suffix of a version */
		answer.place[strcspn(answer.place, " ")] = '\0';       /* remove " (discriminator 3)" */
		if (choose(context, &answer))
			return;
	}
}

struct description {
	char *text;
	size_t size;
	void *without_line; /* a user's address without a line, in a file with debug information; or NULL */
	char function[200]; /* of that address */
};

static bool choose_same_node(void *context, const struct answer *answer)
{
	struct description *it = context;
	if (strcmp(answer->function, it->function) != 0 || !is_useful(answer->place, strlen(answer->place)))
		return false;
	hupc__format(it->text, it->size, "near %s: ", answer->place);
	return true;
}

/*
 * The optimizer moves and merges instructions, and removes their lines. Other instructions of the same function have
 * lines. Most instructions are moved up, out of loops and branches, so later ones are more likely to be of the same
 * statement than earlier ones, which are searched a quarter as far.
 */
static void describe_same_node(struct description *it)
{
	void *addresses[MOST];
	int count = 0;
	for (long distance = 1; count + 1 < MOST; distance += 1 + distance / 4) {
		addresses[count++] = (char *)it->without_line + distance;
		addresses[count++] = (char *)it->without_line - (distance + 3) / 4;
	}
	ask(addresses, count, choose_same_node, it);
	if (!it->text[0])
		hupc__format(it->text, it->size, "in %s: ", it->function);
}

/* The first address in the user's code is chosen. */
static bool choose_first(void *context, const struct answer *answer)
{
	struct description *it = context;
	bool users = is_users(answer->function);
	if (is_useful(answer->place, strlen(answer->place))) {
		hupc__format(it->text, it->size, "%s: ", answer->place);
	} else if (users && answer->place[0] == '?') {
		hupc__format(it->text, it->size, "in %s: ", answer->function);
	} else if (users && !strstr(answer->place, OWN)) {
		it->without_line = answer->address;
		hupc__format(it->function, sizeof(it->function), "%s", answer->function);
	}
	return it->text[0] || it->without_line;
}

void hupc__source_describe(char *text, size_t size, void *const *addresses, int count)
{
	struct description description = {.text = text, .size = size};
	text[0] = '\0';
	ask(addresses, count, choose_first, &description);
	if (description.without_line)
		describe_same_node(&description);
}

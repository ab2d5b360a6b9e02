/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bundled run-time system reads UPC_THREADS. Berkeley's, on one machine, reads a number of processes,
 * GASNET_PSHM_NODES, each with as many threads as were compiled in. GNU's and Clang's read an argument of the program.
 * Texts in the program's file show which run-time system it has.
 */
#include "cli/run/upc_start.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Berkeley's upcc writes it, followed by a number, into programs with several threads in a process. */
#define PTHREADS_TEXT "$UPCRDefaultPthreadCount: "

struct text {
	const char *data;
	size_t size;
};

static struct text map_file(const char *path)
{
	struct text text = {NULL, 0};
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	void *data;
	if (descriptor < 0)
		return text;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
		data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
		if (data != MAP_FAILED)
			text = (struct text){data, (size_t)status.st_size};
	}
	close(descriptor);
	return text;
}

/* Returns the text after `words` in the file; NULL: not found. */
static const char *behind(const struct text *text, const char *words, size_t size)
{
	const char *found = text->data ? memmem(text->data, text->size, words, size) : NULL;
	return found && found + size < text->data + text->size ? found + size : NULL;
}

/* Returns the threads in each process of a Berkeley UPC program; 1 if each process is one thread. */
static long threads_of_process(const struct text *text)
{
	const char *found = behind(text, PTHREADS_TEXT, strlen(PTHREADS_TEXT)), *own = getenv("UPC_PTHREADS_PER_PROC");
	long count = 0;
	if (!found)
		return 1;
	while (found < text->data + text->size && isdigit((unsigned char)*found) && count < 1024)
		count = count * 10 + (*found++ - '0');
	if (own && atol(own) > 0)
		count = atol(own);
	return count > 0 ? count : 1;
}

static void set_processes(const struct text *text, long threads)
{
	long each = threads_of_process(text);
	char number[24];
	if (threads % each != 0) {
		each = 1;
		setenv("UPC_PTHREADS_PER_PROC", "1", 1);
	}
	snprintf(number, sizeof number, "%ld", threads / each);
	setenv("GASNET_PSHM_NODES", number, 1);
}

/*
 * True if the run-time system takes the number as an argument. GNU and Clang UPC rename main; so does Berkeley UPC with
 * one of these compilers, whose programs contain its texts.
 */
static bool takes_argument(const struct text *text, char *const *arguments)
{
	static const char main_name[] = "\0upc_main";
	bool given = arguments[1] && (strncmp(arguments[1], "-fupc-", 6) == 0 || strcmp(arguments[1], "-n") == 0);
	return !given && behind(text, main_name, sizeof main_name) && !behind(text, "$UPCR", 5);
}

static char **with_argument(char **arguments, const char *threads)
{
	size_t count = 0;
	char **all;
	while (arguments[count])
		count++;
	all = calloc(count + 2, sizeof(*all));
	if (!all || asprintf(&all[1], "-fupc-threads-%s", threads) < 0) {
		free(all);
		return arguments;
	}
	all[0] = arguments[0];
	memcpy(&all[2], &arguments[1], count * sizeof(*all));
	return all;
}

char **heddle__upc_start(const char *path, char **arguments, const char *threads)
{
	struct text text = map_file(path);
	setenv("UPC_THREADS", threads, 1);
	set_processes(&text, atol(threads));
	if (takes_argument(&text, arguments))
		arguments = with_argument(arguments, threads);
	if (text.data)
		munmap((void *)text.data, text.size);
	return arguments;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a thread's arguments, environment, input, files and name, and checks that constructors ran once in each. */
#include <dirent.h>
#include <sched.h>
#include <sys/prctl.h>

#include "upc_program.h"

UNIT(NULL);

static int constructed;

__attribute__((constructor)) static void construct(void)
{
	constructed++;
	if (getenv("SAY_CONSTRUCTED"))
		print_line("constructed");
}

static int count_files(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = -1; /* excludes the directory's own descriptor */

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count - 2; /* . and .. */
}

int __upcrt_user_main(int argc, char **argv)
{
	char line[256], input[64] = "", name[32] = "";
	cpu_set_t set;
	size_t length = 0;

	if (scanf("%63s", input) != 1)
		strcpy(input, "nothing");
	prctl(PR_GET_NAME, name);
	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 1; i <= argc; i++)
		length += (size_t)snprintf(line + length, sizeof(line) - length, "%s ", argv[i] ? argv[i] : "end");
	CHECK(constructed == 1 && getenv("HUPC_THREAD") == NULL && (getenv("HOME") || getenv("PATH")));
	printf("%d/%d %sinput=%s files=%d name=%s%s\n", MYTHREAD, THREADS, line, input, count_files(), name,
		getenv("SAY_PROCESSORS") && CPU_COUNT(&set) == 1 ? " one processor" : "");
	return 0;
}

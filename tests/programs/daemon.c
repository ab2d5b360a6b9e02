/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * daemon HOW SECONDS: a process that outlives the one that was started, and works for a while. HOW: "library" by
 * daemon(3), whose parent runs no exit handlers; "twice" by two forks; "several" by three children of a parent that
 * works as well; "exec" by a child that executes the program again; "slowly" by one in which the dynamic linker waits
 * at the FIFO named by SLOW, before it loads another library; "chain" by the last of many processes, each of which
 * forks the next one and ends.
 */
#include "../support/patience.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double x;

/*
 * Burns until that much CPU time is used and the file named by RELEASED exists, so that the process outlives its parent
 * on a busy machine, too. If the test was ended and never creates the file, there is a limit.
 */
static __attribute__((noinline)) void burn_after(double seconds)
{
	const char *released = getenv("RELEASED");
	time_t end = time(NULL) + patience() / 4;
	clock_t begin = clock(); /* CPU time used by the process's start does not count */
	do {
		for (int i = 0; i < 100000; i++)
			x += i;
	} while ((double)(clock() - begin) / CLOCKS_PER_SEC < seconds ||
		 (released && access(released, F_OK) && time(NULL) < end));
}

static __attribute__((noinline)) void burn_before(void)
{
	while (clock() < CLOCKS_PER_SEC / 20)
		for (int i = 0; i < 10000; i++)
			x += i;
}

static void preload_first(const char *file)
{
	char list[4096];
	const char *others = getenv("LD_PRELOAD");
	snprintf(list, sizeof list, "%s:%s", file ? file : "", others ? others : "");
	setenv("LD_PRELOAD", list, 1);
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	double seconds = argc > 2 ? atof(argv[2]) : 0;
	if (strcmp(how, "library") == 0 && daemon(0, 1))
		return 1;
	if (strcmp(how, "twice") == 0) {
		if (fork())
			return 0;
		setsid();
		for (int i = 0; i < 100; i++)
			close(i);
		if (fork())
			_exit(0);
	}
	if (strcmp(how, "chain") == 0) {
		for (int i = 0; i < 50; i++)
			if (fork())
				_exit(0);
	}
	if (strcmp(how, "several") == 0) {
		int child = 0;
		while (child < 3 && fork())
			child++;
		if (child == 3) {
			burn_before();
			puts("3 children");
			return 3;
		}
	}
	if (strcmp(how, "exec") == 0 || strcmp(how, "slowly") == 0) {
		if (fork())
			return 0;
		if (strcmp(how, "slowly") == 0)
			preload_first(getenv("SLOW"));
		execl(argv[0], argv[0], "work", argv[2], NULL);
		return 1;
	}
	burn_after(seconds);
	return 0;
}

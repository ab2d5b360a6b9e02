/* SPDX-License-Identifier: BSD-3-Clause */
/* heddle-upcc1: compiles and links UPC programs with clang and the bundled runtime. Used by `heddle upcc`. */
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

/*
 * The directory upc/ next to this program, even if it was called through a symbolic link; HEDDLE_UPC_HOME overrides it,
 * for tests.
 */
static char *find_home(void)
{
	const char *home = getenv("HEDDLE_UPC_HOME");
	if (home && *home != '\0')
		return upc__format("%s", home);
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	path[length > 0 ? length : 0] = '\0';
	return upc__format("%s/upc", dirname(path));
}

/* Adds the library of heddle/upc_cache.h, which is linked if the program uses it. HEDDLE_UPC_HOME may lack it. */
static void add_cache(const struct driver *driver, struct arguments *command)
{
	char *path = upc__format("%s/libheddle-upc-cache%s.a", driver->home, driver->inst ? "-inst" : "");
	if (access(path, R_OK) == 0)
		upc__argument(command, path);
	else
		free(path);
}

static int link_program(struct driver *driver)
{
	struct arguments command = {0};
	const char *tool = driver->tool ? upc__tool_file(driver) : NULL;
	upc__argument(&command, CLANG);
	upc__argument(&command, "-Wno-unused-command-line-argument");
	upc__arguments(&command, &driver->link);
	upc__find_openmp_library(driver, &command);
	if (driver->output) {
		upc__argument(&command, "-o");
		upc__argument(&command, driver->output);
	}
	/* A preloaded tool looks this symbol up in the program; linkers export only symbols that are requested. */
	upc__argument(&command, "-Wl,-u,heddle_upc_bridge,--export-dynamic-symbol=heddle_upc_bridge");
	if (tool)
		upc__argument(&command, tool);
	add_cache(driver, &command);
	upc__argument(&command, upc__format("%s/libheddle-upc.a", driver->home));
	upc__argument(&command, "-lpthread");
	upc__argument(&command, "-lm");
	return upc__run(driver, &command, NULL);
}

static int run(struct driver *driver)
{
	bool link = driver->last == STAGE_LINK && !driver->dependencies_only;
	int status = 0;
	for (int i = 0; i < driver->source_count; i++) {
		char *object = link ? upc__format("%s/object-%d.o", driver->work, i) : NULL;
		int own = upc__compile(driver, &driver->sources[i], link ? object : driver->output);
		status = own != 0 ? own : status;
		if (link)
			driver->link.list[driver->sources[i].at] = object;
	}
	return status == 0 && link ? link_program(driver) : status;
}

/* Queries about the compiler, which build systems make without any input; clang answers them. */
static bool is_question(int argc, char **argv)
{
	static const char *const questions[] = {"--version", "-v", "-###", "-dump", "-print-", "--print-"};
	bool asks = false;
	for (int i = 1; i < argc; i++) {
		if (*argv[i] != '-')
			return false;
		for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
			asks = asks || strncmp(argv[i], questions[q], strlen(questions[q])) == 0;
	}
	return asks;
}

static int answer(int argc, char **argv)
{
	int kept = 1;
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--tool-library=", strlen("--tool-library=")) != 0)
			argv[kept++] = argv[i];
	argv[kept] = NULL;
	argc = kept;
	if (strcmp(argv[argc - 1], "--version") == 0) {
		puts("heddle-upcc1 (UPC 1.3), on");
		fflush(stdout);
	}
	argv[0] = (char *)CLANG;
	execvp(CLANG, argv);
	perror("heddle-upcc1: cannot run " CLANG);
	return 1;
}

int main(int argc, char **argv)
{
	struct driver driver = {0};
	if (!upc__expand_responses(&argc, &argv))
		return 1;
	if (is_question(argc, argv))
		return answer(argc, argv);
	signal(SIGCHLD, SIG_DFL); /* if a parent ignored it, the commands' exit statuses would be lost */
	if (!upc__read_options(&driver, argc, argv))
		return 1;
	driver.home = find_home();
	driver.work = upc__make_work();
	if (!driver.work)
		return 1;
	int status = driver.source_tree ? upc__write_source_tree(&driver) : run(&driver);
	if (getenv("HEDDLE_UPC_KEEP"))
		fprintf(stderr, "heddle-upcc1: kept %s\n", driver.work);
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds Heddle's library and LLVM's OpenMP runtimes in the directories where builds, installations and Debian put them,
 * and in those that compilers report.
 */
#include "cli/base/locate.h"

#include "cli/base/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *heddle__system_library_directory(void)
{
	static char directory[PATH_MAX];
	Dl_info info;
	void *address = dlsym(RTLD_DEFAULT, "getpid");
	char *slash;
	if (directory[0] != '\0')
		return directory;
	if (!address || dladdr(address, &info) == 0 || !realpath(info.dli_fname, directory))
		strcpy(directory, "/usr/lib");
	else if ((slash = strrchr(directory, '/')) != NULL)
		*slash = '\0';
	return directory;
}

/* Removes the last component; false when there is none. */
static bool parent_directory(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

/* Finds the prefix where this command is installed or was built: /usr for /usr/bin/heddle; "" when unknown. */
static void find_prefix(char prefix[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", prefix, PATH_MAX - 1);
	bool found;
	prefix[length > 0 ? length : 0] = '\0';
	found = parent_directory(prefix);
	found = found && parent_directory(prefix);
	if (!found)
		prefix[0] = '\0';
}

int heddle__locate_library(const char *name, char path[PATH_MAX])
{
	const char *system = heddle__system_library_directory();
	const char *triplet = strrchr(system, '/');
	const char *middles[] = {"/lib", "/lib", "/lib64"};
	char prefix[PATH_MAX];
	char candidate[PATH_MAX];
	find_prefix(prefix);
	snprintf(path, PATH_MAX, "%.4000s/lib/%s", prefix, name);
	for (int i = 0; i < 3; i++) {
		int size = snprintf(
			candidate, sizeof candidate, "%s%s%s/%s", prefix, middles[i], i == 1 ? triplet : "", name);

		if (size < PATH_MAX && access(candidate, R_OK) == 0) {
			memcpy(path, candidate, (size_t)size + 1);
			return 0;
		}
	}
	return -ENOENT;
}

/* Finds `file` below the prefix. Returns 0 or -ENOENT. */
static int locate_file(const char *file, int access_mode, char path[PATH_MAX])
{
	char prefix[PATH_MAX];
	find_prefix(prefix);
	snprintf(path, PATH_MAX, "%.4000s/%s", prefix, file);
	return access(path, access_mode) == 0 ? 0 : -ENOENT;
}

int heddle__locate_headers(char path[PATH_MAX])
{
	int status = locate_file("include/heddle/pupc.h", R_OK, path);
	if (status == 0) {
		parent_directory(path);
		parent_directory(path);
	}
	return status;
}

int heddle__locate_bridge(char path[PATH_MAX])
{
	return locate_file("share/heddle/bridge.upc", R_OK, path);
}

int heddle__locate_upc_driver(char path[PATH_MAX])
{
	return locate_file("libexec/heddle/heddle-upcc1", X_OK, path);
}

int heddle__locate_network_program(char path[PATH_MAX])
{
	return locate_file("share/heddle/network.upc", R_OK, path);
}

/* The number in "llvm-14", "libomp-19.so.5" or "llvm-16.0.6"; 0 when there is none. */
static int version_in(const char *path)
{
	const char *words[] = {"llvm-", "libomp-"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const char *found = strstr(path, words[i]);

		if (found && atoi(found + strlen(words[i])) > 0)
			return atoi(found + strlen(words[i]));
	}
	return 0;
}

static int newest_first(const void *a, const void *b)
{
	const struct heddle_openmp_runtime *x = a, *y = b;
	return x->version != y->version ? y->version - x->version : strcmp(x->path, y->path);
}

static void add_runtime(const char *path, struct heddle_openmp_runtime *runtimes, int *count)
{
	struct heddle_openmp_runtime *runtime = &runtimes[*count];
	if (*count == HEDDLE_OPENMP_RUNTIMES_MAX || !realpath(path, runtime->path))
		return;
	for (int i = 0; i < *count; i++) {
		if (strcmp(runtimes[i].path, runtime->path) == 0)
			return;
	}
	if (!heddle__elf_defines(runtime->path, "__kmpc_fork_call"))
		return;
	runtime->version = version_in(path) != 0 ? version_in(path) : version_in(runtime->path);
	runtime->tools = heddle__elf_defines(runtime->path, "ompt_start_tool") ||
			 heddle__elf_defines(runtime->path, "ompt_tool");
	(*count)++;
}

static void add_runtimes(const char *directory, struct heddle_openmp_runtime *runtimes, int *count)
{
	char pattern[PATH_MAX];
	glob_t found;
	int size = snprintf(pattern, sizeof pattern, "%s/lib{omp.so.5,omp.so,iomp5.so}", directory);
	if (size >= (int)sizeof pattern || glob(pattern, GLOB_BRACE, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_runtime(found.gl_pathv[i], runtimes, count);
	globfree(&found);
}

/* Adds the runtimes of an LLVM-based compiler, whose own files are in LIB/clang/VERSION. */
static void add_compilers(const char *compiler, struct heddle_openmp_runtime *runtimes, int *count)
{
	char command[64], line[PATH_MAX] = "";
	snprintf(command, sizeof command, "%s -print-resource-dir 2>/dev/null", compiler);
	FILE *answer = popen(command, "re");
	if (!answer)
		return;
	if (!fgets(line, sizeof line, answer))
		line[0] = '\0';
	pclose(answer);
	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '/' && parent_directory(line) && parent_directory(line))
		add_runtimes(line, runtimes, count);
}

int heddle__locate_openmp_runtimes(struct heddle_openmp_runtime runtimes[HEDDLE_OPENMP_RUNTIMES_MAX])
{
	static const char *const compilers[] = {"clang", "amdclang", "icx"};
	const char *directories[] = {"/usr/lib/llvm-*/lib", "/usr/lib/llvm/*/lib64", heddle__system_library_directory(),
		"/usr/lib64", "/usr/lib", "/usr/local/lib"};
	int count = 0;
	for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
		add_compilers(compilers[i], runtimes, &count);
	for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++)
		add_runtimes(directories[i], runtimes, &count);
	qsort(runtimes, (size_t)count, sizeof runtimes[0], newest_first);
	return count;
}

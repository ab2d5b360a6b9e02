/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/run/links.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/base/exit_status.h"

const char *const heddle__preloaded_names[HEDDLE_PRELOADED_COUNT] = {
#define X(key, name, ...) name,
	HEDDLE_PRELOADED(X)
#undef X
};

static const char *const link_names[] = {"libgomp.so.1", "libomp.so.5", "libiomp5.so",
#define X(key, name, ...) name,
	HEDDLE_PRELOADED(X)
#undef X
};

static const char *link_target(const struct heddle_link_targets *targets, const char *name)
{
	for (size_t i = 0; i < HEDDLE_PRELOADED_COUNT; i++)
		if (strcmp(name, heddle__preloaded_names[i]) == 0)
			return targets->libraries[i];
	return targets->runtime;
}

bool heddle__is_private(const char *path)
{
	char part[PATH_MAX];
	struct stat about;
	bool hidden = stat(path, &about) == 0 && !(about.st_mode & S_IROTH);
	for (const char *slash = strchr(path + 1, '/'); slash && !hidden; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		hidden = stat(part, &about) == 0 && !(about.st_mode & S_IXOTH);
	}
	return hidden;
}

/* False if programs cannot be mapped from that directory, as in some temporary directories (noexec). */
static bool may_execute(const char *directory)
{
	struct statvfs about;
	return statvfs(directory, &about) == 0 && !(about.f_flag & ST_NOEXEC);
}

static bool copy_file(const char *from, const char *to)
{
	int source = open(from, O_RDONLY | O_CLOEXEC);
	int target = source < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t n = target < 0 ? -1 : 1;
	while (n > 0)
		n = sendfile(target, source, NULL, (size_t)1 << 20);
	bool done = n == 0 && fchmod(target, 0555) == 0;
	if (source >= 0)
		close(source);
	if (target >= 0 && close(target) != 0)
		done = false;
	if (!done && target >= 0)
		unlink(to);
	return done;
}

/* Falls back to a link, by which at least processes of this user find the file. */
static bool make_one(const struct heddle_link_targets *targets, const char *name, const char *target, const char *path)
{
	bool own = strncmp(name, "libheddle", strlen("libheddle")) == 0;
	if (own && targets->copies && copy_file(target, path))
		return true;
	return symlink(target, path) == 0;
}

int heddle__links_make(struct heddle_links *links, const struct heddle_link_targets *targets)
{
	const char *base = getenv("TMPDIR");
	struct heddle_link_targets wanted = *targets;
	char path[128];
	if (links->directory[0] != '\0')
		return 0;
	if (!base || *base == '\0' || strlen(base) > 40 || strpbrk(base, " :;"))
		base = "/tmp";
	snprintf(links->directory, sizeof links->directory, "%s/heddle-run-XXXXXX", base);
	if (!mkdtemp(links->directory)) {
		fprintf(stderr, "heddle: run: cannot make a directory in %s: %s\n", base, strerror(errno));
		links->directory[0] = '\0';
		return HEDDLE_EXIT_OUTPUT;
	}
	if (wanted.copies && (!may_execute(links->directory) || chmod(links->directory, 0711) != 0)) {
		fprintf(stderr,
			"heddle: run: processes of other users are not measured, as they can neither read %s nor load "
			"a copy from %s: set TMPDIR, or install Heddle where all can read it\n",
			wanted.libraries[HEDDLE_PRELOADED_MAIN], base);
		wanted.copies = false;
	}
	for (size_t i = 0; i < sizeof link_names / sizeof link_names[0]; i++) {
		const char *target = link_target(targets, link_names[i]);

		snprintf(path, sizeof path, "%s/%s", links->directory, link_names[i]);
		if (*target != '\0' && !make_one(&wanted, link_names[i], target, path))
			fprintf(stderr, "heddle: run: cannot link %s: %s\n", path, strerror(errno));
	}
	return 0;
}

void heddle__links_remove(const struct heddle_links *links)
{
	char path[128];
	if (links->directory[0] == '\0')
		return;
	for (size_t i = 0; i < sizeof link_names / sizeof link_names[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", links->directory, link_names[i]);
		unlink(path);
	}
	rmdir(links->directory);
}

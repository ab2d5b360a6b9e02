/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/run/links.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_status.h"

static const char *const link_names[] = {
	"libgomp.so.1", "libomp.so.5", "libiomp5.so", "libheddle.so", "libheddle-memory.so"};

static const char *link_target(const struct heddle_link_targets *targets, const char *name)
{
	if (strcmp(name, "libheddle.so") == 0)
		return targets->library;
	return strcmp(name, "libheddle-memory.so") == 0 ? targets->memory : targets->runtime;
}

int heddle__links_make(struct heddle_links *links, const struct heddle_link_targets *targets)
{
	const char *base = getenv("TMPDIR");
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
	for (size_t i = 0; i < sizeof link_names / sizeof link_names[0]; i++) {
		const char *target = link_target(targets, link_names[i]);

		snprintf(path, sizeof path, "%s/%s", links->directory, link_names[i]);
		if (*target != '\0' && symlink(target, path) != 0)
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

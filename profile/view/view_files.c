/* SPDX-License-Identifier: BSD-3-Clause */
/* Debug information has full paths; events of compiled code have the name that the compiler was given. */
#include "profile/view/view_files.h"

#include "profile/view/system_code.h"

#include <errno.h>
#include <string.h>

/* True if a full path ends with a relative name. */
static bool ends_with(const char *path, const char *name)
{
	size_t length = strlen(path), tail = strlen(name);
	return length > tail && path[length - tail - 1] == '/' && strcmp(path + length - tail, name) == 0;
}

/* Returns the only path that ends with a name, or the name itself if there is none or several. */
static const char *complete(const struct profile_intern *paths, const char *name)
{
	const char *found = name, *end = strncmp(name, "./", 2) == 0 ? name + 2 : name;
	for (size_t i = 0; i < paths->count; i++) {
		if (!ends_with(paths->texts[i], end))
			continue;
		if (found != name)
			return name;
		found = paths->texts[i];
	}
	return found;
}

/* Collects paths of functions. Those of regions are not used: they are as the measurement reports them. */
static int collect_paths(const struct profile_view *view, struct profile_intern *paths)
{
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		if (label->kind == HEDDLE_NODE_FRAME && *label->file == '/' && !profile_is_system_code(label) &&
			profile_intern(paths, label->file) == HEDDLE_INTERN_NONE)
			return -ENOMEM;
	}
	return 0;
}

int profile_view_complete_files(struct profile_view *view)
{
	struct profile_intern paths = {0};
	const char *last = "", *completed = "";
	int error = collect_paths(view, &paths);
	for (size_t i = 0; !error && i < view->label_count; i++) {
		struct profile_label *label = &view->labels[i];
		if (label->kind != HEDDLE_NODE_REGION || !*label->file || *label->file == '/')
			continue;
		if (label->file != last) { /* texts are interned, and labels of a file follow each other */
			last = label->file;
			completed = profile_intern_text(&view->texts, complete(&paths, last));
		}
		if (completed)
			label->file = completed;
		else
			error = -ENOMEM;
	}
	profile_intern_free(&paths);
	return error;
}

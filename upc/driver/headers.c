/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders whose headers may be UPC although the preprocessor calls them system headers: the compiler's own, and
 * those that the user names. The preprocessor does so for folders of -isystem, and those below its own, such as
 * /usr/local/include.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

/* Returns true if `folder`, without slashes at its end, is `parent`, or its subfolder for a processor's headers. */
static bool is_of(const char *folder, size_t length, const char *parent)
{
	size_t before = strlen(parent);
	if (length < before || strncmp(folder, parent, before) != 0)
		return false;
	const char *rest = folder + before, *system = strstr(rest, "-linux-");
	return length == before ||
	       (*rest == '/' && !memchr(rest + 1, '/', length - before - 1) && system && system < folder + length);
}

/* Returns true for folders with headers of C, not UPC, even if the user names them. */
static bool is_c_only(const char *folder)
{
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/')
		length--;
	return length == 0 || is_of(folder, length, "/include") || is_of(folder, length, "/usr/include") ||
	       is_of(folder, length, "/usr/local/include");
}

static void add_folder(struct arguments *folders, const char *folder)
{
	if (folder && !is_c_only(folder))
		upc__argument(folders, folder);
}

static void add_named(const struct driver *driver, struct arguments *folders)
{
	static const char *const options[] = {"-isystem", "-idirafter", "-I"};
	const struct arguments *words = &driver->preprocess;
	for (int i = 0; i < words->count; i++)
		for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
			size_t length = strlen(options[o]);
			if (strncmp(words->list[i], options[o], length) != 0)
				continue;
			bool alone = words->list[i][length] == '\0';
			add_folder(folders, !alone                 ? words->list[i] + length
					    : i + 1 < words->count ? words->list[i + 1]
								   : NULL);
		}
}

const char *const *upc__header_folders(const struct driver *driver)
{
	struct arguments folders = {0};
	upc__argument(&folders, upc__format("%s/include", driver->home));
	add_named(driver, &folders);
	const char *path = getenv("C_INCLUDE_PATH");
	while (path && *path != '\0') {
		int length = (int)strcspn(path, ":");
		add_folder(&folders, upc__format("%.*s", length, path));
		path += length + (path[length] == ':');
	}
	return folders.list;
}

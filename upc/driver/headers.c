/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders whose headers may be UPC although the preprocessor calls them the system's: the compiler's own, and those
 * that the user names. It does so with -isystem, and with folders below its own, such as /usr/local/include.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

/* Folders of C without UPC, also if they are named. */
static bool is_c_only(const char *folder)
{
	static const char *const folders[] = {"/include", "/usr/include", "/usr/include/x86_64-linux-gnu",
		"/usr/include/aarch64-linux-gnu", "/usr/local/include", "/usr/local/include/x86_64-linux-gnu",
		"/usr/local/include/aarch64-linux-gnu"};
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/')
		length--;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strlen(folders[i]) == length && strncmp(folder, folders[i], length) == 0)
			return true;
	return length == 0;
}

static void add(struct arguments *folders, const char *folder)
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
			add(folders, !alone                 ? words->list[i] + length
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
		add(&folders, upc__format("%.*s", length, path));
		path += length + (path[length] == ':');
	}
	return folders.list;
}

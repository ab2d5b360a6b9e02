/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of Berkeley UPC's extensions that a program uses without a declaration: Berkeley's upc.h declares them.
 * bupc_extensions.h declares those that exist here. It is included only when clang misses one, so that programs may
 * define functions of these names.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

static bool is_extension(const char *name, size_t length)
{
	static const char *const others[] = {"upc_poll", "upc_dump_shared", "UPC_DUMP_MIN_LENGTH"};
	bool found = length > 5 && (strncmp(name, "bupc_", 5) == 0 || strncmp(name, "BUPC_", 5) == 0);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		found = found || (strlen(others[i]) == length && strncmp(name, others[i], length) == 0);
	return found;
}

const char *upc__missing_extension(const char *message, size_t *length)
{
	static const char *const missing[] = {"use of undeclared identifier '", "unknown type name '",
		"implicit declaration of function '", "call to undeclared function '"};
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
		const char *at = strstr(message, missing[i]), *name = at ? at + strlen(missing[i]) : NULL;
		*length = name ? strcspn(name, "'\n") : 0;
		if (name && is_extension(name, *length))
			return name;
	}
	return NULL;
}

bool upc__wants_extensions(const struct driver *driver, const char *messages)
{
	bool wants = false;
	if (driver->extensions)
		return false;
	for (const char *at = messages; at && *at != '\0' && !wants; at += strspn(at, "\n")) {
		size_t length;
		char *line = upc__format("%.*s", (int)strcspn(at, "\n"), at);
		wants = upc__missing_extension(line, &length);
		free(line);
		at += strcspn(at, "\n");
	}
	return wants;
}

const char *upc__extensions_header(const struct driver *driver)
{
	char *path = upc__format("%s/include/bupc_extensions.h", driver->home);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

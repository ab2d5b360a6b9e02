/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Runs before constructors: calls no function of the C library that needs one. */
#include "upc/runtime/base/environment.h"

#include <stddef.h>
#include <string.h>

const char *hupc__environment_value(char **environment, const char *name)
{
	size_t length = strlen(name);
	for (; *environment; environment++) {
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	}
	return NULL;
}

int hupc__environment_number(char **environment, const char *name)
{
	const char *text = hupc__environment_value(environment, name);
	int number = 0;
	if (!text || !*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > 10000000)
			return -1;
		number = number * 10 + (*text - '0');
	}
	return number;
}

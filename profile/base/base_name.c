/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the last part of a path. */
#include "profile/base/base_name.h"

#include <string.h>

const char *profile_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

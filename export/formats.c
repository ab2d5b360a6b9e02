/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of export formats, made from the list in formats.h: no format is named in this file. */
#include "export/formats.h"

#include <string.h>

const struct export_format *const export_formats[] = {
#define X(name) &export_##name,
	EXPORT_FORMATS(X)
#undef X
		NULL,
};

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; export_formats[i]; i++)
		if (strcmp(export_formats[i]->name, name) == 0)
			return export_formats[i];
	return NULL;
}

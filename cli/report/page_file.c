/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the file of a page. */
#include "cli/report/page_file.h"

#include "cli/base/exit_status.h"
#include "cli/base/output_file.h"
#include "cli/base/session.h"
#include "cli/base/terminal.h"
#include "export/html.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int complain(const char *command, const char *path, int error)
{
	fprintf(stderr, "heddle: %s: can't write %s: %s: choose another with --html FILE\n", command,
		heddle__shown(path), strerror(error));
	return HEDDLE_EXIT_OUTPUT;
}

int heddle__page_check(const char *command, const char *path)
{
	struct stat status;
	const char *missing = export_page_missing();
	if (missing) {
		fprintf(stderr, "heddle: %s: --html: this Heddle has no pages: %s\n", command, missing);
		return HEDDLE_EXIT_FAILED;
	}
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return 0;
	fprintf(stderr, "heddle: %s: %s exists: choose another with --html FILE, or remove it\n", command,
		heddle__shown(path));
	return HEDDLE_EXIT_OUTPUT;
}

int heddle__page_write(const char *command, const char *path, const char *measured,
	int (*write)(const void *context, FILE *out), const void *context)
{
	FILE *out = heddle__output_file_create(path);
	if (!out)
		return complain(command, path, errno);
	int error = write(context, out);
	int why = heddle__output_file_close(out, path, error);
	if (error)
		return heddle__complain_file(measured, error);
	if (why)
		return complain(command, path, why);
	printf("heddle: %s: %s: open it in a browser\n", command, heddle__shown(path));
	return 0;
}

# SPDX-License-Identifier: BSD-3-Clause
# For the tests of pages in a browser: $work/page.html, and python's interpreter that has selenium. Skips what can't be
# had.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

if ! "$heddle" report m --html page.html >/dev/null 2>&1; then
	echo "skipped: this build has no pages (esbuild, or the package preact, was missing)"
	exit 77
fi
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null ||
	! /usr/bin/python3 -c 'import selenium' 2>/dev/null; then
	echo "skipped: no chromium, chromedriver or python3-selenium here"
	exit 77
fi
export HOME="$work" PYTHONDONTWRITEBYTECODE=1

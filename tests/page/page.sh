# SPDX-License-Identifier: BSD-3-Clause
# For tests of pages in a browser: makes $work/page.html, and finds a Python interpreter with selenium. Skips the test
# if something is not available. HEDDLE_BROWSER: chromium (the default) or firefox.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

browser=${HEDDLE_BROWSER:-chromium}
if ! "$heddle" report m --html page.html >/dev/null 2>&1; then
	echo "skipped: this build has no pages (esbuild, or the package preact, was missing)"
	exit 77
fi
if ! /usr/bin/python3 -c 'import selenium' 2>/dev/null; then
	echo "skipped: no python3-selenium here"
	exit 77
fi
if [ "$browser" = chromium ] && { ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; }; then
	echo "skipped: no chromium or chromedriver here"
	exit 77
fi
if [ "$browser" = firefox ] && ! command -v firefox-esr >/dev/null && ! command -v firefox >/dev/null; then
	echo "skipped: no firefox here (Debian's package firefox-esr)"
	exit 77
fi
export HOME="$work" PYTHONDONTWRITEBYTECODE=1

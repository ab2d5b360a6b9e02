#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The README's picture in a browser: no blank of the table is lost, and its columns are aligned (page_picture.py).
. "$HEDDLE_SOURCE/tests/page/page.sh"
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_picture.py" "$browser" "$HEDDLE_SOURCE/docs/report.svg" || failed=1
exit $failed

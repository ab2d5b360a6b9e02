#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every view of pages looks as accepted in tests/page/screens: light and dark in a wide window, light in a narrow one.
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/compared_measurements.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/blamed_measurement.sh"

if ! fc-list 2>/dev/null | grep -q 'DejaVu Sans Mono'; then
	echo "skipped: no DejaVu fonts here (Debian's packages fonts-dejavu-core and fontconfig)"
	exit 77
fi
for measurement in upc t blamed; do
	"$heddle" report "$measurement" --html "$measurement.html" >/dev/null || exit 1
done
"$heddle" diff --html diff.html b1 b2 b3 -- a1 a2 a3 >/dev/null || exit 1
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_screens.py" "$HEDDLE_SOURCE/tests/page/screens" \
	"$HEDDLE_BUILD/tests/screens" "$work/page.html" "$work/upc.html" "$work/t.html" "$work/blamed.html" "$work/diff.html"

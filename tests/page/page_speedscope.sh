#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# speedscope, in a headless Chromium, opens what `heddle export` writes for it: a profile, and a trace in Chrome's
# format.
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"

viewer=$HEDDLE_SOURCE/build/deps/npm/node_modules/speedscope/dist/release/index.html
if [ ! -e "$viewer" ]; then
	echo "skipped: speedscope was not fetched (./dev test fetches it)"
	exit 77
fi
"$heddle" export m --format speedscope -o profile.json || exit 1
"$heddle" export t --format chrome -o trace.json || exit 1
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_speedscope.py" "$viewer" profile.json trace.json

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sources are formatted as .clang-format describes; `./dev format` does it.
set -eu
command -v clang-format-14 >/dev/null || { echo "skipped: no clang-format-14"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! "$HEDDLE_SOURCE/dev" format --check >"$work/output" 2>&1; then
	echo "run ./dev format; not in form, with the number of places:"
	sed -n 's/^\(\.[^:]*\):[0-9:]* error: .*/\1/p' "$work/output" | sort | uniq -c
	exit 1
fi

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The colours of pages are distinct for people with any kind of colour blindness, in both themes (page_palette.py).
command -v python3 >/dev/null || { echo "skipped: no python3 on this machine"; exit 77; }
exec python3 "$HEDDLE_SOURCE/tests/page/page_palette.py" "$HEDDLE_SOURCE/html/src/colors.ts"

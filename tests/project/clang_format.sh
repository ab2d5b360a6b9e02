#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sources have the form that .clang-format describes; `./dev format` brings them into it.
set -eu
command -v clang-format-14 >/dev/null || { echo "skipped: no clang-format-14"; exit 77; }
exec "$HEDDLE_SOURCE/dev" format --check

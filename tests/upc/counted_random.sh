#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Counts and bytes of random programs, in all ways to compile and measure them, see counted_random.py.
# HEDDLE_FUZZ_SEEDS="FIRST LAST" uses other seeds than the default.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
unset UPC_NODE_SIZE OMP_TOOL OMP_TOOL_LIBRARIES
# shellcheck disable=SC2086
python3 "$here/counted_random.py" ${HEDDLE_FUZZ_SEEDS:-1 3} --heddle "$HEDDLE_BUILD/bin/heddle" --folder "$work"

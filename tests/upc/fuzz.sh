#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random programs against a model of UPC, see fuzz.py. HEDDLE_FUZZ_SEEDS="FIRST LAST" uses other seeds than the default.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
# shellcheck disable=SC2086
python3 "$here/fuzz.py" ${HEDDLE_FUZZ_SEEDS:-1 100} --compiler "$upcc" --folder "$work"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random loops that `heddle tune` changes, see tune_fuzz.py. HEDDLE_FUZZ_SEEDS="FIRST LAST" uses other seeds.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
network=
[ ! -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ] || network=--network
# shellcheck disable=SC2086
python3 "$here/tune/tune_fuzz.py" ${HEDDLE_FUZZ_SEEDS:-1 40} --heddle "$HEDDLE_BUILD/bin/heddle" --folder "$work" $network

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Messages over the network, as functions of the number of ranks: counted, and compared with a model.
set -eu
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
[ -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ] || { echo "skipped: the network was not built (libucx-dev)"; exit 77; }
command -v mpirun.mpich > /dev/null || { echo "skipped: mpirun.mpich is not installed (package mpich)"; exit 77; }
"$HEDDLE_BUILD/bin/heddle" upcc -O2 "$here/scaling/scaling.upc" -o "$work/scaling"
python3 "$here/scaling/model.py" "$work/scaling" mpirun.mpich -np RANKS

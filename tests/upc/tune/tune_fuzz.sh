#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random loops changed by `heddle tune`, see tune_fuzz.py: three programs of eight loops, one of them with lines that
# end in CR LF and one tuned by a single command, and one program over the network. HEDDLE_FUZZ_SEEDS="FIRST LAST" uses
# other seeds.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
fuzz() {
	python3 "$here/tune/tune_fuzz.py" "$@" --heddle "$HEDDLE_BUILD/bin/heddle" --folder "$work"
}
# shellcheck disable=SC2086
fuzz ${HEDDLE_FUZZ_SEEDS:-9 32}
# A few over the network.
[ -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ] && command -v mpirun.openmpi >/dev/null || {
	echo "left out: over the network: no libheddle-upc-ucx.so, or no mpirun.openmpi"
	exit 0
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fuzz 1001 1008 --launcher "mpirun.openmpi --oversubscribe --bind-to none"

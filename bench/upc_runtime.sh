#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The UPC run-time system's barrier, lock and transfers compared with what C offers between processes; see README.md.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
runtime=$HEDDLE_BUILD/libexec/heddle/upc/libheddle-upc.a
[ -e "$runtime" ] || { echo "left out: $runtime is not built"; exit 77; }
build upc_runtime upc_runtime.c -I"$here/.." -I"$here/../include" "$runtime"
machine
printf '%7s  %-18s %12s %12s  %-20s %6s\n' threads what 'ns, UPC' 'ns, C' beside ratio
for threads in 1 2 4 8; do
	"$work/upc_runtime" -n $threads "${REPEATS:-7}"
done

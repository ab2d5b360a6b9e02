#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Time and peak memory of the reader on 1,000 ranks of an MPI program: profiles of 50,000 paths, traces of 10 million
# nonblocking messages (100 million records). Fails if a report takes more than 15 s, the merge more than 2 s, or one of
# them more than 2 GB; on a busy machine its CPU time counts, which equals elapsed time on an idle one.
# Usage: bench/mpi_scale.sh [RANKS [PATHS [MESSAGES]]]
. "${BASH_SOURCE%/*}/lib.sh"
ranks=${1:-1000} paths=${2:-50000} messages=${3:-10000000}
generator=$(find "$HEDDLE_BUILD" -name bench_big_mpi -type f -perm -u+x -print -quit 2> /dev/null || true)
have "${generator:-bench_big_mpi}" "the generator" "./dev build" || exit 77
have python3 "the measuring of memory" "package python3" || exit 77

cat > "$work/peak.py" << 'END'
import resource, subprocess, sys, time
limit, name = float(sys.argv[1]), sys.argv[2]
start = time.time()
subprocess.run(sys.argv[3:], stdout=subprocess.DEVNULL, check=True)
elapsed, used = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
spent, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
print("%-34s %8.2f s %8.2f s CPU %8.0f MiB" % (name, elapsed, spent, memory))
if min(elapsed, spent) > limit or memory > 2048:
    sys.exit("%s: beyond %g s or 2 GB" % (name, limit))
END
# peak SECONDS NAME COMMAND...
peak() { python3 "$work/peak.py" "$@"; }

machine
"$generator" "$work/ranks" "$ranks" "$paths" "$messages"
peak 15 "heddle report" "$heddle" report "$work/ranks"
peak 15 "heddle report --messages" "$heddle" report --messages "$work/ranks"
peak 15 "heddle report --late" "$heddle" report --late "$work/ranks"
peak 15 "heddle report --html" "$heddle" report --html="$work/page.html" "$work/ranks"
peak 2 "heddle merge" "$heddle" merge --drop-traces -o "$work/merged" "$work/ranks"

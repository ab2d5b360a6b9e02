#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Time and peak memory of `heddle merge`, and of reports on the merged file compared with the directory: for processes
# with the same paths, and for ones that share few. Usage: bench/merge_scale.sh [PROCESSES [NODES [PROCESSES-OF-FEW-SHARED]]]
. "${BASH_SOURCE%/*}/lib.sh"
processes=${1:-1000} nodes=${2:-50000} few=${3:-100}
generator=$(find "$HEDDLE_BUILD" -name bench_big_measurement -type f -perm -u+x -print -quit 2> /dev/null || true)
have "${generator:-bench_big_measurement}" "the generator" "./dev build" || exit 77
have python3 "the measuring of memory" "package python3" || exit 77

cat > "$work/peak.py" << 'END'
import resource, subprocess, sys, time
start = time.time()
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%-34s %8.2f s %8.2f s CPU %8.0f MiB" % (sys.argv[1], time.time() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
END
peak() { python3 "$work/peak.py" "$@"; }

machine
for kind in "same $processes 0" "few-shared $few 1"; do
	read -r name count distinct <<< "$kind"
	"$generator" "$work/$name" 1 "$nodes" "$count" "$distinct"
	printf '\n%s: %s processes x %s nodes\n' "$name" "$count" "$nodes"
	peak "heddle merge" "$heddle" merge "$work/$name" -o "$work/$name.heddle"
	for arguments in "report" "report --stats"; do
		read -ra words <<< "$arguments"
		peak "heddle $arguments, directory" "$heddle" "${words[0]}" "$work/$name" "${words[@]:1}"
		peak "heddle $arguments, merged" "$heddle" "${words[0]}" "$work/$name.heddle" "${words[@]:1}"
	done
	"$heddle" info "$work/$name.heddle" | grep 'tree nodes'
	printf '%-34s %8d MiB\n%-34s %8d MiB\n' "size of the directory" "$(du -sm "$work/$name" | cut -f1)" \
		"size of the merged file" "$(du -m "$work/$name.heddle" | cut -f1)"
done

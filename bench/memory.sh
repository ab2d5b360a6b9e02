#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Peak memory (VmHWM) that Heddle adds, to a program with every OpenMP construct on 8 threads, and to one of a million short
# regions. Usage: bench/memory.sh
. "${BASH_SOURCE%/*}/lib.sh"
have "$heddle" heddle "./dev build" || exit 77
build truth ../tests/programs/truth.c -fopenmp
build regions ../tests/programs/regions.c -fopenmp

peak() { "$@" 2>&1 > /dev/null | awk '$1 == "VmHWM" { print $2 }'; }

machine
printf '%-10s %10s %10s %10s\n' program 'bare kB' 'heddle kB' 'added kB'
for command in "truth 8 2000" "regions 1000000 2"; do
	read -ra words <<< "$command"
	program=$work/${words[0]}
	bare=$(peak "$program" "${words[@]:1}")
	with=$(peak "$heddle" run --sample-hz 1000 -o "$work/out.${words[0]}" -- "$program" "${words[@]:1}")
	printf '%-10s %10d %10d %10d\n' "${words[0]}" "$bare" "$with" $((with - bare))
done

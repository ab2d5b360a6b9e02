#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The installed Kokkos: labels are phases with exact visits, below the user's path; the user's own tool stays active.
. "${BASH_SOURCE%/*}/lib.sh"
need g++
for headers in /usr/include/trilinos /usr/include/kokkos /usr/include; do
	[ ! -e "$headers/Kokkos_Core.hpp" ] || break
done
[ -e "$headers/Kokkos_Core.hpp" ] || skip "no Kokkos on this machine (libtrilinos-kokkos-dev or libkokkos-dev)"
for library in trilinos_kokkoscore kokkoscore; do
	[ ! -e "$(g++ -print-file-name="lib$library.so")" ] || break
done

for optimize in -O0 -O2; do
	name=kokkos$optimize
	built "$name" g++ $optimize -std=c++17 -fopenmp -I"$headers" "$here/kokkos.cpp" -l"$library"
	traced "$name" "$work/$name"
	visits "$name" '(^|;)phase time step$' 10
	visits "$name" ';phase time step(;.*)?;phase axpy$' 10
	visits "$name" ';phase time step(;.*)?;phase dot$' 10
	visits "$name" ';phase time step(;.*)?;phase prefix$' 10
	visits "$name" ';phase deep_copy vector x = vector y$' 3
	visits "$name" ';phase first half$' 1
	visits "$name" ';phase first half;.*;phase axpy$' 5
	visits "$name" ';phase allocate vector [xy] in Host$' 2
	visits "$name" ';phase deallocate vector [xy] in Host$' 2
	value "$name" 'allocate vector x in Host' 'bytes  min 8,000'
	expect "$name: no function of Kokkos's tools on the path" no_path "$name" 'begin_parallel|beginParallel'
done
# a fence, reported as newer versions of Kokkos do
built fence gcc -O2 "$here/kokkos_fence.c" -ldl
traced fence "$work/fence"
visits fence '^main;phase a fence$' 6
visits fence '^main;phase a fence;Kokkos fence @[^;]*$' 6
folded fence --metric wall-time
"$heddle" export "$work/fence.heddle.d" --format json > "$work/fence.json"
expect "fence: its time is waiting" grep -q 'fence wait' "$work/fence.json"

# without annotations, and with the user's own tool
cp "$HEDDLE_BUILD/lib/libheddle-annotations.so" "$work/other.so"
run_options=(--models openmp)
measured without "$work/kokkos-O2"
folded without
expect "without: no label" no_path without 'phase'
run_options=()
variable=KOKKOS_TOOLS_LIBS
grep -q KOKKOS_TOOLS_LIBS "$(g++ -print-file-name="lib$library.so")" || variable=KOKKOS_PROFILE_LIBRARY
export "$variable=$work/none.so"
same_behaviour other "$work/kokkos-O2"
expect "other: one line says so" test "$(grep -c "^heddle: $variable names another tool" "$work/other.err")" = 1
finish

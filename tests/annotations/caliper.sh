#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Caliper: regions, loops and C++ objects are phases, values are set by name; Caliper's own functions are still called.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
built libcaliper.so.2 gcc -O2 -shared -fPIC -DLIBRARY -Wl,-soname,libcaliper.so.2 "$here/caliper.c"
built caliper gcc -O2 "$here/caliper.c" "$work/libcaliper.so.2" -Wl,-rpath,"$work"
traced caliper "$work/caliper"
visits caliper '^main;phase loop$' 6
visits caliper '^main;phase loop;phase body$' 6
visits caliper '^main;phase solver=cg$' 1
value caliper residual 'value  min 0 · mean 1.25 · max 2.5 · sum 7.5 (6 values)'
value caliper step 'value  min 0 · mean 2.5 · max 5 · sum 15 (6 values)'

# loops marked by an attribute, and C++ objects
need g++
(cd "$work" && mkdir objects && g++ -O2 -shared -fPIC -DLIBRARY -Wl,-soname,libcaliper.so.2 -o objects/libcaliper.so.2 \
	"$here/caliper_objects.cpp") || fail "the library does not compile"
built objects/program g++ -O2 "$here/caliper_objects.cpp" "$work/objects/libcaliper.so.2" -Wl,-rpath,"$work/objects"
traced objects "$work/objects/program"
visits objects '^main;phase objects$' 1
visits objects '^main;phase objects;(work;)?phase work$' 3
visits objects '^main;phase attributes$' 1
visits objects '^main;phase attributes;(work;)?phase work$' 4
visits objects '^main;(work;)?phase work$' 1
expect "objects: nothing is said" test "$(heddle_lines objects)" = 0
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Caliper's C interface: regions are phases, values set by name are marks with them; its own functions are called.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
built libcaliper.so.2 gcc -O2 -shared -fPIC -DLIBRARY -Wl,-soname,libcaliper.so.2 "$here/caliper.c"
built caliper gcc -O2 "$here/caliper.c" "$work/libcaliper.so.2" -Wl,-rpath,"$work"
traced caliper "$work/caliper"
visits caliper '^main;phase loop$' 6
visits caliper '^main;phase loop;phase body$' 6
value caliper residual 'value  min 0 · mean 1.25 · max 2.5 · sum 7.5 (6 values)'
value caliper step 'value  min 0 · mean 2.5 · max 5 · sum 15 (6 values)'
finish

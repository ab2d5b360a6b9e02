#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# NVTX: ranges of a thread, of a domain, across threads, with payloads and registered strings; wrong ends; many labels.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
built nvtx gcc -O2 "$here/nvtx.c" -pthread -ldl
traced nvtx "$work/nvtx"
visits nvtx '^main;(push;)?phase outer$' 5
visits nvtx '^main;(push;)?phase outer;(push;)?phase inner$' 5
visits nvtx '^main;phase größe$' 1
visits nvtx '^main;phase a mark$' 1
visits nvtx '^main;in_domain;phase registered$' 4
visits nvtx '^main;in_domain;phase registered;(push;)?phase default domain$' 4
visits nvtx ';phase across threads$' 1
value nvtx registered 'payload  min 0 · mean 1.5 · max 3 · sum 6 (4 values)'
value nvtx 'across threads' 'seconds  min '
expect "a wrong end is reported once" test "$(grep -c '^heddle: NVTX: end of a range' "$work/nvtx.err")" = 1

# more labels than a profile has room for: no range is lost
run_options=()
hz=0 measured many "$work/nvtx" 1100000
folded many --metric visits
expect "many: ends well" ended many "exit 0"
visits many 'phase (label [0-9]+|\(another label\))$' 1100000
expect "many: one line says so" test "$(grep -c '^heddle: annotations have more distinct labels' "$work/many.err")" = 1
expect "many: those without room have a name" has_path many 'phase \(another label\)'

export NVTX_INJECTION64_PATH=$work/none.so
same_behaviour other "$work/nvtx"
expect "other: one line says so" grep -q '^heddle: NVTX_INJECTION64_PATH names another tool' "$work/other.err"
finish

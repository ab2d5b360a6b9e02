#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle info`, `heddle help` and `heddle --version`.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

check info_two_processes "$heddle" info m
sed -n 1p m/a.heddle >m/c.heddle
{
	process 102
	printf 'process samples_paused 7\nprocess nodes_dropped 3\nprocess ended_by signal 11\n'
	printf 'thread 0 -1 main\nvalue samples 1 4\nprocess samples_taken 5\n'
} | "$make_profile" m/d.heddle
check info_incomplete "$heddle" info m
for i in 1 2 3 4 5; do cp m/a.heddle "m/x$i.heddle"; done
check info_many_processes "$heddle" info m
refuses 2 'unknown' "$heddle" info m --flat
refuses 3 'does not exist' "$heddle" info nowhere

"$heddle" help | grep -q '^  report ' || { echo "help lists no commands"; failed=1; }
"$heddle" help info | grep -q '^Usage: heddle info' || { echo "help info"; failed=1; }
"$heddle" info -h | grep -q '^Usage: heddle info' || { echo "info -h"; failed=1; }
"$heddle" --version | grep -Eq '^heddle [0-9]+\.[0-9]+\.[0-9]+$' || { echo "--version"; failed=1; }
refuses 2 'unknown' "$heddle" help nonsense
"$heddle" help report extra >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -qx "heddle: help: unexpected argument 'extra'; see: heddle help" err ||
	{ echo "help with two words:"; cat err; failed=1; }
"$heddle" >out 2>err
[ $? -eq 2 ] && [ ! -s out ] || { echo "without a command"; failed=1; }
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A launcher ends all ranks by SIGTERM shortly after one failed; a batch system may send other signals. The failed rank's
# `heddle run` still prints the summary, and ends as its program did. The other rank runs on, as one on a slow machine.
. "${BASH_SOURCE%/*}/lib.sh"
cd "$work" || exit 1

rank() {
	local number=$1
	shift
	PMI_RANK=$number PMI_SIZE=2 exec "$heddle" run -o measurement -- "$@" > "$number.out" 2> "$number.err"
}

mkfifo go
# shellcheck disable=SC2016 # the rank's shell
rank 0 sh -c 'read -r word < go; exit 0' &
other=$!
rank 1 sh -c 'exit 3' &
failed=$!
until compgen -G "measurement/.ended-*-1" > /dev/null; do sleep 0.01; done
for signal in USR1 USR2 HUP INT QUIT TERM; do
	kill -s "$signal" "$failed"
done
wait "$failed"
status=$?
echo on > go
wait "$other"
expect "the status of the failed rank's program, 3: $status" test "$status" = 3
expect "its summary" grep -q '^heddle: measured sh: ' 1.err
expect "a line about the other rank" grep -q '^heddle: incomplete: ' 1.err
expect "no second summary" test ! -s 0.err
expect "no temporary file is left" test -z "$(find measurement -name '.*' -type f)"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Samples arrive on stacks with enough room: on the alternate stack if the program's stack is small (Go), and on the
# program's stack if the alternate one is small.
. "${BASH_SOURCE%/*}/lib.sh"

compile small_stacks small_stacks.c
hz=5000
seconds=$((seconds / 4))
# SIGURG may be the signal that Heddle uses, and is then handled on the stack on which samples are.
for signal in 0 23 27; do
	run_options=()
	[ "$signal" = 0 ] || run_options=(--sample-signal "$signal")
	ways=(own own_in_thread alternate)
	[ "$signal" != 27 ] || ways+=(urgent)
	for way in "${ways[@]}"; do
		name=$way-$signal
		sampled_all "$name" 200000000 '(^|;)burn_here(;|$)' "$work/small_stacks" "$way"
		expect "$name: ran to its end" grep -qx '20 signals, 0 elsewhere' "$work/$name.out"
	done
done

if ! command -v go > /dev/null; then
	echo "Go programs not tried: no go on this machine"
	finish
fi
mkdir "$work/module" && cd "$work/module" || exit 1
echo "module example" > go.mod
export GOCACHE=$work/cache GOPATH=$work/path GOTOOLCHAIN=local GOFLAGS=-mod=mod
hz=1000
for signal in 0 23; do
	run_options=()
	[ "$signal" = 0 ] || run_options=(--sample-signal "$signal")
	same_behaviour "go-$signal" go list std
	expect "go-$signal: lists packages" grep -qx fmt "$work/go-$signal.out"
done
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that sets signal actions by the system call does not remove the handler for samples.
. "${BASH_SOURCE%/*}/lib.sh"

case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "the kernel's structure is known for x86-64 and aarch64 only" ;;
esac
compile raw_action raw_action.c
for options in "" "--sample-signal 23" "--sample-signal 12"; do
	read -ra run_options <<< "$options"
	name=raw_action${options//[- ]/}
	sampled_all "$name" 150000000 '(^|;)burn_here(;|$)' "$work/raw_action"
done
expect "the program itself works" grep -qx 'default again: 1' "$work/raw_action.bare.out"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program with several threads forks while Heddle's thread lists the loaded libraries: in the child, the dynamic
# linker's lock is free, as without Heddle.
. "${BASH_SOURCE%/*}/lib.sh"

compile fork_linker fork_linker.c -rdynamic -ldl
same_behaviour fork "$work/fork_linker"
expect "fork: Heddle's thread was there" grep -qx 'a thread holds the lock' "$work/fork.err"
finish

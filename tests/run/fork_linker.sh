#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program of several threads forks while Heddle's thread lists the loaded libraries: the child finds the dynamic
# linker's lock free, as it does unmeasured.
. "${BASH_SOURCE%/*}/lib.sh"

compile fork_linker fork_linker.c -rdynamic -ldl
same_behaviour fork "$work/fork_linker"
expect "fork: Heddle's thread was there" grep -qx 'a thread holds the lock' "$work/fork.err"
finish

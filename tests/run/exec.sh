#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# exec while samples are pending, at 10 kHz: nobody is killed by a signal that the next program does not know.
. "${BASH_SOURCE%/*}/lib.sh"

compile children children.c
hz=10000
same_behaviour exec_loop "$work/children" exec_loop
same_behaviour chain "$work/children" chain 50
expect "a file for each program that a process became, not $(profile_files chain)" test "$(profile_files chain)" = 51
finish

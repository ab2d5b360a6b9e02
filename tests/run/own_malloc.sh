#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program with its own malloc: samples never call it.
. "${BASH_SOURCE%/*}/lib.sh"

compile own_malloc own_malloc.c -fno-builtin
hz=10000
same_behaviour own_malloc "$work/own_malloc"
folded own_malloc
expect "sampled inside malloc" has_path own_malloc '(^|;)allocate;malloc(;|$)'
finish

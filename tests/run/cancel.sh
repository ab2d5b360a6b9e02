#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Cancelling a thread that has just started: nothing that Heddle does at a thread's start is a cancellation point.
. "${BASH_SOURCE%/*}/lib.sh"

compile cancel cancel.c
bare bare "$work/cancel"
for hz in 0 1000; do
	measured "cancel-$hz" "$work/cancel"
	expect "$hz Hz: same outcome" ended "cancel-$hz" "$(outcome bare)"
	expect "$hz Hz: same output" same_output bare "cancel-$hz"
done
finish

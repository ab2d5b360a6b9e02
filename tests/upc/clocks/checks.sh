# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# A script sources this file, and writes the output of `heddle info` about the order of a trace's events to NAME.info.

# count NAME WHAT: prints how many were checked
count() { sed -n "s/.* \([0-9,]*\) $2: .*/\1/p" "$1.info" | tr -d ,; }

# beyond NAME: prints the number of kinds with violations beyond the clocks' error bound
beyond() { sed -n "s/.*: [0-9,]* violated within the clocks' error bound, \([0-9,]*\) beyond it, .*/\1/p" "$1.info" | grep -cv '^0$'; }

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What `heddle info` says of the order of a trace's events; a script sources it, and writes that to NAME.info.

# count NAME WHAT: how many were checked
count() { sed -n "s/.* \([0-9,]*\) $2: .*/\1/p" "$1.info" | tr -d ,; }

# beyond NAME: of how many kinds some are violated beyond the clocks' error bound
beyond() { sed -n "s/.*: [0-9,]* violated within the clocks' error bound, \([0-9,]*\) beyond it, .*/\1/p" "$1.info" | grep -cv '^0$'; }

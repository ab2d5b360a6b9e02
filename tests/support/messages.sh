# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# messages FILE: prints Heddle's lines in it, except the one about the cost of measurement: on a busy machine, any run
# may have that line.
messages() { grep '^heddle' "$1" | grep -Ev "^heddle: [0-9]+ % of the CPU time was the measurement's own"; }

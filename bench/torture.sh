#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One minute (or SECONDS) of tests/run/storm.sh: four threads load and unload libraries at 10 kHz; every stack must be right.
# Usage: bench/torture.sh [SECONDS]
. "${BASH_SOURCE%/*}/lib.sh"
machine
HEDDLE_TEST_SECONDS=$((${1:-60} + 60)) HEDDLE_SOURCE=$here/.. HEDDLE_BUILD=$HEDDLE_BUILD STORM_SECONDS=${1:-60} "$here/../tests/run/storm.sh"

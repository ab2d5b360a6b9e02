#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs tests/run/storm.sh for a minute (or SECONDS): libraries are loaded and unloaded at 10 kHz; checks every stack.
# Usage: bench/torture.sh [SECONDS]
. "${BASH_SOURCE%/*}/lib.sh"
machine
HEDDLE_TEST_SECONDS=$((${1:-60} + 60)) HEDDLE_SOURCE=$here/.. HEDDLE_BUILD=$HEDDLE_BUILD STORM_SECONDS=${1:-60} "$here/../tests/run/storm.sh"

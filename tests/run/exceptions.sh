#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# C++ exceptions at a high rate, so that the C++ library's unwinder and Heddle's run at the same time, at 1 and 10 kHz.
. "${BASH_SOURCE%/*}/lib.sh"

compile exceptions exceptions.cpp
for hz in 1000 10000; do
	same_behaviour "exceptions-$hz" "$work/exceptions"
	folded "exceptions-$hz"
	expect "sampled" has_path "exceptions-$hz" '(^|;)thrower'
done
finish

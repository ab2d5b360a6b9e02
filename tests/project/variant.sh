#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# variant.sh clang|asan|tsan: the tree builds that way, and its unit tests pass.
set -eu
variant=$1
cd "$HEDDLE_SOURCE"

# gcc 12's TSan does not know today's wider address randomization; without it, it works.
steady=
if [ "$variant" = tsan ] && setarch -R true 2>/dev/null; then
	steady="setarch -R"
fi

# What the release build makes with clang is not made again. Of debug information, lines are enough for a sanitizer's
# report, and compile faster.
processors=$(nproc)
case $variant in
clang)
	command -v "$HEDDLE_CLANG" >/dev/null || { echo "skipped: no $HEDDLE_CLANG"; exit 77; }
	CC="$HEDDLE_CLANG" cmake --preset release -B build/clang -DHEDDLE_WERROR=ON -DHEDDLE_TEST_VARIANTS=OFF -DBUILD_TESTING=ON \
		-DHEDDLE_FUZZ_CLANG=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG"
	cmake --build build/clang -j "$processors"
	;;
asan | tsan)
	cmake --preset "$variant" -DHEDDLE_TEST_VARIANTS=OFF -DBUILD_TESTING=ON -DCMAKE_C_FLAGS_DEBUG=-g1
	cmake --build --preset "$variant" --target unit_tests -j "$processors"
	;;
esac
directory=build/$variant
# What takes long and does not depend on the compiler: how time grows with the source, and each instruction of events, which
# the release build interrupts.
without='^(upc_linear|gasp_signal_at_every_instruction)$'
count=$(ctest --test-dir "$directory" -L unit -E "$without" -N | sed -n 's/^Total Tests: //p')
if [ "$count" -eq 0 ]; then
	echo "no unit tests were found in $directory"
	exit 1
fi
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	$steady ctest --test-dir "$directory" -L unit -E "$without" -j "$processors" --output-on-failure

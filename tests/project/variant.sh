#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# variant.sh asan|tsan: the unit tests pass in a build with that sanitizer. asan: with UBSan, too, and built by clang,
# which must not warn about any file, including those that no unit test uses. tsan: the tests with threads.
set -eu
variant=$1
cd "$HEDDLE_SOURCE"

# gcc 12's TSan does not support today's wider address randomization; without randomization, it works.
steady=
if [ "$variant" = tsan ] && setarch -R true 2>/dev/null; then
	steady="setarch -R"
fi

# Line tables suffice for a sanitizer's report, and compile faster than full debug information.
processors=$(nproc)
label=unit
directory=build/variant-$variant
configure() {
	cmake --preset "$variant" -B "$directory" -DHEDDLE_TEST_VARIANTS=OFF -DBUILD_TESTING=ON -DCMAKE_C_FLAGS_DEBUG=-g1 "$@"
}
build() { cmake --build "$directory" -j "$processors" "$@"; }

# check_unbuilt: checks the syntax of files that no unit test uses, without compiling them.
check_unbuilt() {
	python3 - "$directory" >"$directory/unbuilt" <<'END'
import json, os, sys
first = {}
for entry in json.load(open(sys.argv[1] + "/compile_commands.json")):
    output = entry["command"].split(" -o ")[1].split()[0]
    built = os.path.exists(os.path.join(entry["directory"], output))
    if built or entry["file"] not in first:
        first[entry["file"]] = None if built else f"cd '{entry['directory']}' && {entry['command']} -fsyntax-only"
print("\n".join(filter(None, first.values())))
END
	xargs -a "$directory/unbuilt" -d '\n' -r -n 1 -P "$processors" sh -c
}

# Compiling takes most of the time; gcc's warnings are left to the release build.
case $variant in
asan)
	echo 'int main(void) { return 0; }' | "$HEDDLE_CLANG" -fsanitize=address,undefined -shared-libasan -x c - -o /dev/null || {
		echo "skipped: no $HEDDLE_CLANG with the runtime of its sanitizers (Debian's package libclang-rt-VERSION-dev)"
		exit 77
	}
	CC=$HEDDLE_CLANG CXX=$HEDDLE_CLANGXX configure -DHEDDLE_WERROR=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
	build --target unit_tests
	check_unbuilt
	;;
tsan)
	configure
	label=threads
	build --target thread_tests
	;;
esac
# Left out: tests that take long and do not depend on the compiler. One measures how time grows with the source; the
# other one interrupts each instruction of events, which it also does in the release build.
without='^(upc_linear|gasp_signal_at_every_instruction)$'
count=$(ctest --test-dir "$directory" -L "^$label\$" -E "$without" -N | sed -n 's/^Total Tests: //p')
if [ "$count" -eq 0 ]; then
	echo "no unit tests were found in $directory"
	exit 1
fi
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	$steady ctest --test-dir "$directory" -L "^$label\$" -E "$without" -j "$processors" --output-on-failure

# SPDX-License-Identifier: BSD-3-Clause
# For the scripts in this folder: the compiler, and a folder for output.
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
here=$HEDDLE_SOURCE/tests/upc
# shellcheck source=tests/support/patience.sh
. "$HEDDLE_SOURCE/tests/support/patience.sh"
[ -x "$upcc" ] || { echo "skipped: the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"; exit 77; }
clang=clang-$("$upcc" --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p' | head -n 1)
# shellcheck disable=SC2034 # used by scripts
seconds=${HEDDLE_TEST_SECONDS:-240} # after which a program counts as hung: the machine may be busy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HEDDLE_UPC_HOME HEDDLE_UPCC

# with_standin: links programs with a one-file runtime that prints the events of compiled code.
with_standin() {
	HEDDLE_UPC_HOME=$HEDDLE_BUILD/tests/upc-standin
	export HEDDLE_UPC_HOME
}

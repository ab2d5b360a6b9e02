#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command line in README, docs, examples and man pages runs as it is written (document_commands.py).
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
for program in "$HEDDLE_CLANG" gcc make; do
	command -v "$program" >/dev/null || { echo "skipped: no $program"; exit 77; }
done
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || { echo "skipped: the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"; exit 77; }
exec python3 "$HEDDLE_SOURCE/tests/project/document_commands.py"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Intermediate files that cannot be written are reported in one line.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cd "$work"
for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39; do
	echo "extern shared int variable_number_$i;"
done >small.upc

# 2 KiB for a file, in dash and in other shells: enough for the preprocessor's output, not for the translated text.
limit=4
[ -z "${BASH_VERSION:-}" ] || limit=2
if (trap '' XFSZ && ulimit -f $limit && exec "$upcc" -fsyntax-only small.upc) 2>messages; then echo "accepted: a file was cut"; exit 1; fi
[ "$(wc -l <messages)" -eq 1 ] && grep -q '^heddle-upcc1: cannot write .*translated.i: ' messages ||
	{ cat messages; echo "a file that could not be written"; exit 1; }

# Only the folder for intermediate files is needed: clang's messages are not stored elsewhere.
cat >none.c <<'END'
#include <stdio.h>
FILE *tmpfile(void) { return NULL; }
FILE *tmpfile64(void) { return NULL; }
END
if ! cc -shared -fPIC none.c -o none.so; then echo "skipped: cc makes no shared library"; exit 77; fi
echo 'struct s { int a, b; }; shared [] int *f(shared struct s *p) { return &p->b; }' >repaired.upc
LD_PRELOAD=$PWD/none.so "$upcc" -c repaired.upc 2>messages && [ ! -s messages ] ||
	{ cat messages; echo "a valid file, without other temporary files"; exit 1; }

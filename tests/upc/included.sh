#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The files that include a file are listed with the first message about it, and never without a message.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cd "$work"
bad=0
echo '#include "inner.h"' >outer.h
cat >inner.h <<'END'
static int nothing(void) { int unused; }
static int *private_of(shared void *p) { return (int *)p; }
#ifdef WRONG
static int *wrong(shared int *p) { return p; }
#endif
END
cat >x.upc <<'END'
#include "outer.h"
int main(void) { int other; return 0; }
END

"$upcc" -w -c x.upc 2>messages
[ ! -s messages ] || { echo "-w:"; cat messages; bad=1; }

# count NUMBER WORDS: NUMBER lines match
count() {
	[ "$(grep -c "$2" messages)" -eq "$1" ] || { echo "not $1 times '$2':"; cat messages; bad=1; }
}
"$upcc" -Wall -Wno-unused-function -c x.upc 2>messages
count 2 '^In file included from'
sed -n 3p messages | grep -q 'inner.h:1:.*warning' || { echo "not with its message:"; cat messages; bad=1; }

# The first message about the file is dropped; clang does not list the includes again.
! "$upcc" -w -DWRONG -c x.upc 2>messages || { echo "accepted"; bad=1; }
count 2 '^In file included from'
sed -n 3p messages | grep -q 'inner.h:4:.*error' || { echo "not with its message:"; cat messages; bad=1; }
exit $bad

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clang's options that change code do not break UPC code: levels, standards, sanitizers, kinds of code.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
programs=$here/programs
cd "$work"

# works PROGRAM OPTION...
works() {
	program=$1
	shift
	"$upcc" "$@" "$programs/$program.upc" -o program 2>messages || { cat messages; echo "$program does not compile: $*"; exit 1; }
	UPC_THREADS=3 ASAN_OPTIONS=detect_leaks=0 timeout "$seconds" ./program || { echo "$program fails: $*"; exit 1; }
}
works gnu -O1
works gnu -O3 -march=native
works gnu -Os -std=gnu99
works gnu -Og -g
works nested -O3 -flto
# The sanitizers are in a separate package: libclang-rt-N-dev.
echo 'int main(void) { return 0; }' >plain.c
if "$clang" -fsanitize=address,undefined plain.c -o plain 2>/dev/null; then
	works structures -fsanitize=address -fno-omit-frame-pointer
	works gnu -O2 -fsanitize=undefined -fno-sanitize-recover=all
fi
works forall -std=gnu2x
works declarators -O2 -std=c2x
works nested -fexceptions
works nested -O2 -fexceptions --inst-functions
works structures -O2 -fPIE -pie
works declarators -static
works declarators -fstack-protector-all -D_FORTIFY_SOURCE=2 -O2
works initial -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections
works initial -std=c99 -x upc -include stdlib.h
works forall -std=c99 -pedantic-errors
works idioms -std=c99 -pedantic-errors
cat >own_sizes.upc <<'END'
#include <upc.h>
typedef struct { int x, y; } pair;
int main(void) { return upc_elemsizeof(shared [2] pair) != sizeof(pair); }
END
"$upcc" -std=c99 -pedantic-errors own_sizes.upc -o own_sizes && UPC_THREADS=1 ./own_sizes || exit 1

# A shared library of UPC code.
cat >library.upc <<'END'
#include <upc.h>
shared [2] int in_library[2 * THREADS];
int fill(void);
int fill(void)
{
	upc_forall (int i = 0; i < 2 * THREADS; i++; &in_library[i])
		in_library[i] = i;
	upc_barrier;
	return in_library[2 * THREADS - 1];
}
END
cat >user.upc <<'END'
#include <upc.h>
extern shared [2] int in_library[];
int fill(void);
int main(void)
{
	return fill() != 2 * THREADS - 1 || in_library[1] != 1;
}
END
"$upcc" -fPIC -c library.upc && ar rc library.a library.o && "$upcc" user.upc library.a -o program
UPC_THREADS=3 timeout "$seconds" ./program || { echo "with an archive"; exit 1; }

# -w suppresses warnings and their notes, but not errors; -Werror makes warnings errors, except those of -Wno-error=.
echo 'int f(int *p) { int unused; return p; }' >warned.upc
"$upcc" -w -Wall -c warned.upc 2>messages && [ ! -s messages ] || { cat messages; echo "-w"; exit 1; }
echo 'shared int x; int *p; void f(void) { shared int *q = p; }' >wrong.upc
! "$upcc" -w -c wrong.upc 2>messages && grep -q 'wrong.upc:1:50: error' messages || { cat messages; echo "-w, and an error"; exit 1; }
echo 'int f(void) { int unused; return 0; }' >warned.upc
! "$upcc" -Wall -Werror -c warned.upc 2>/dev/null || { echo "-Werror"; exit 1; }
"$upcc" -Wall -Werror -Wno-error=unused-variable -c warned.upc 2>messages && grep -q 'warning: unused' messages ||
	{ cat messages; echo "-Wno-error="; exit 1; }

# In a conditional expression with two null pointers, one remains a pointer.
cat >null.upc <<'END'
#include <stddef.h>
#include <upc.h>
void *both(int c) { return c ? NULL : NULL; }
void *one(int c) { return c ? NULL : 0; }
void *other(int c) { return c ? 0 : NULL; }
void *nested(int c, int d) { return c ? NULL : d ? NULL : NULL; }
shared void *shared_one(shared void *p, int c) { return c ? p : NULL; }
shared void *shared_other(shared void *p, int c) { return c ? NULL : p; }
END
"$upcc" -Wall -Werror -c null.upc || { echo "NULL on both sides"; exit 1; }

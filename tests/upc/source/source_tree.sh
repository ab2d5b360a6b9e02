#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle-upcc1 --source-tree: tokens, macros, types and trees of small sources, as described in upc/source/README.md.
set -u
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
[ -x "$upcc" ] || { echo "skipped: the bundled UPC compiler is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

complain() {
	echo "FAILED: $*"
	bad=1
}

# has LINE...: the tree has these lines.
has() {
	local line
	for line in "$@"; do
		grep -qxF -- "$line" tree || { complain "without: $line"; cat tree; }
	done
}
lacks() {
	grep -qE -- "$1" tree && complain "has: $(grep -E -- "$1" tree)"
}

# ---- macros, directives, text that #if excludes ----
cat >macros.upc <<'END'
#include <upc_relaxed.h> /* a comment
  over two lines */
#define N 4
#define AT(i) a[i]
shared [N] int a[N * THREADS];
#ifdef NOTHING
int left_out;
#endif
int f(int i) { return AT(i) + /* N */ N; }
END
"$upcc" --source-tree=macros.upc >tree 2>errors || complain "macros.upc: $(cat errors)"
bytes=$(head -n 2 macros.upc | wc -c)
has "d 0 $((bytes - 1))" 'e a' 'e [' 'e 4'
[ "$(grep -c '^x ' tree)" -eq 4 ] || complain "uses of macros: $(grep '^x' tree)"
lacks left_out
# a[i] is tokens 20 to 23 of the compiler's input; its operator is [.
has 'n 2 binary 20 25 24 0 4' 'n 3 index 20 23 21 0 2'
grep -q '^y [0-9]* b s 4 -1 0	int	int$' tree || complain "the array's elements: $(grep '^y' tree)"

# ---- UPC's statements, THREADS, members, strictness ----
cat >statements.upc <<'END'
#include <upc_strict.h>
struct pair { int x; double y[3]; };
relaxed shared struct pair p[THREADS];
int main(void)
{
	upc_forall (int i = 0; ; i++; &p[i])
		p[i].y[2] = sizeof p;
	upc_forall (;;; continue) ;
	upc_barrier 1;
	return MYTHREAD;
}
END
"$upcc" --source-tree=statements.upc >tree 2>errors || complain "statements.upc: $(cat errors)"
grep -q '^y [0-9]* a s 1 134217689 [0-9]*$' tree || complain "THREADS elements: $(grep '^y' tree)"
grep -q '^m [0-9]* y$' tree || complain "no member y"
grep -q '^q ' tree || complain "accesses are strict by default"
[ "$(grep -cE '^n [0-9]+ forall' tree)" -eq 2 ] || complain "loops: $(grep forall tree)"
[ "$(grep -cE '^n 2 empty' tree)" -eq 6 ] || complain "absent parts: $(grep empty tree)"
grep -qE '^n 1 synchronize' tree || complain "no barrier"
lacks '__upc|other'
[ "$(tail -n 1 tree)" = end ] || complain "the end is missing"

# ---- functions of other files without effects ----
cat >other.h <<'END'
static int count, numbers[3];
shared int common[THREADS];
enum { SEVEN = 7 };
static inline int pure(int x) { int y = x; while (y > SEVEN) y /= 2; return (short)y; }
static inline int calls(int x) { return pure(x) + pure((int)outer(x)); }
static inline int reads(int x) { return x + count; }
static inline int writes(int x) { return count = x; }
static inline int keeps(int x) { static int last; return last += x; }
static inline int points(int *x) { return *x; }
static inline int elements(int x) { return numbers[x]; }
static inline int shares(int x) { return common[x]; }
static inline int through(int (*f)(int), int x) { return f(x); }
static inline int moves(int x) { volatile int y = x; return y; }
static inline int assembles(int x) { __asm__(""); return x; }
static inline int ends(int x) { upc_barrier; return x; }
END
sed -i '5s/^/double outer(int x);\n/' other.h
printf '#include <upc_relaxed.h>\n#include "other.h"\nint f(int x) { return calls(x); }\n' >pure.upc
"$upcc" --source-tree=pure.upc >tree 2>errors || complain "pure.upc: $(cat errors)"
has 'p pure' 'p calls pure pure outer'
lacks '^p (reads|writes|keeps|points|elements|shares|through|moves|assembles|ends)'

# A file name that needs escapes in C.
cp macros.upc 'a "b\c.upc'
"$upcc" '--source-tree=a "b\c.upc' >tree 2>errors || complain "a name with quotes: $(cat errors)"
[ "$(grep -c '^x ' tree)" -eq 4 ] || complain "a name with quotes: $(cat tree)"

# ---- sources that do not compile, or cannot be followed ----
printf 'int f(void) { return y; }\n' >wrong.upc
"$upcc" --source-tree=wrong.upc >tree 2>errors && complain "wrong.upc is accepted"
grep -q "^wrong.upc:1:.*undeclared identifier 'y'" errors || complain "wrong.upc: $(cat errors)"
[ -s tree ] && complain "wrong.upc has a tree"
printf 'int a;\n#line 7 "other.upc"\nint b;\n' >moved.upc
"$upcc" --source-tree=moved.upc >tree 2>errors || complain "moved.upc: $(cat errors)"
grep -q '^unmatched [0-9]*$' tree || complain "moved.upc: $(cat tree)"
exit $bad

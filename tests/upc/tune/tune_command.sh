#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle tune`: what it writes and prints, that it changes nothing else in a source, that the tuned examples are
# correct, what --check detects, and errors of the command line.
set -u
heddle=$HEDDLE_BUILD/bin/heddle
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
examples=$HEDDLE_SOURCE/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

complain() {
	echo "FAILED: $*"
	bad=1
}

# refused STATUS PATTERN ARGUMENT...: one line on standard error, besides the compiler's; nothing on standard output.
refused() {
	local status=$1 pattern=$2 got
	shift 2
	"$heddle" tune "$@" >stdout 2>stderr </dev/null
	got=$?
	if [ $got -ne "$status" ] || [ -s stdout ] || [ "$(grep -c '^heddle' stderr)" -ne 1 ] || ! grep -Eq -- "$pattern" stderr; then
		complain "tune $*: status $got, wanted $status and a line like '$pattern': $(cat stdout stderr)"
	fi
}

# ---- the dot product, compared byte by byte ----
cat >dp.upc <<'END'
/* x_i = x_i * y_2i */
#include <upc_relaxed.h>

int dp(int n, shared int *x, shared int *y)
{
	int i;

	upc_forall (i = 0; i < n /* all of x */; i++; &x[i]) {
		x[i] = x[i] * y[i * 2]; // local times remote
	}
	return 0;
}
END
cat >expected.upc <<'END'
/* x_i = x_i * y_2i */
#include <upc_relaxed.h>
#include <heddle/upc_cache.h>

int dp(int n, shared int *x, shared int *y)
{
	int i;

	{ /* y is accessed through a cache, in tiles (heddle tune) */
		const int i_chunk = 1024; /* iterations of a tile, on all threads */
		heddle_cache_t *y_cache = heddle_cache_open(y, i_chunk, HEDDLE_CACHE_ARBITRARY);

		if (heddle_cache_is_direct(y_cache)) {
			upc_forall (i = 0; i < n /* all of x */; i++; &x[i]) {
				x[i] = x[i] * y[i * 2]; // local times remote
			}
		} else {
			i = 0;
			for (int i_tile = i, i_end; i_tile < n; i_tile = i_end) {
				i_end = n - i_tile > i_chunk ? i_tile + i_chunk : n;
				if (heddle_cache_wants_hints(y_cache)) {
					upc_forall (i = i_tile; i < i_end; i++; &x[i]) {
						heddle_cache_hint(y_cache, i * 2);
					}
				}
				heddle_cache_start_download(y_cache);
				heddle_cache_finish_download(y_cache);
				upc_forall (i = i_tile; i < i_end; i++; &x[i]) {
					x[i] = x[i] * heddle_cache_at(y_cache, i * 2, int); // local times remote
				}
			}
		}
		heddle_cache_close(y_cache);
	}
	return 0;
}
END
dp=(dp.upc --loop dp.upc:8 --variable y --no-alias --chunk 1024)
"$heddle" tune "${dp[@]}" -o got.upc || complain "the dot product is refused"
cmp got.upc expected.upc || { diff expected.upc got.upc; complain "the dot product"; }
cp dp.upc before.upc
"$heddle" tune "${dp[@]}" --diff >dp.diff || complain "--diff"
cmp -s dp.upc before.upc || complain "--diff changed the source"
if command -v patch >/dev/null; then
	cp dp.upc patched.upc
	patch -s patched.upc <dp.diff && cmp -s patched.upc expected.upc || complain "the diff does not make the tuned source"
fi

# ---- the same with CR LF, in one line, without a final newline, with a macro and an include ----
sed 's/$/\r/' dp.upc >crlf.upc
sed 's/$/\r/' expected.upc >expected_crlf.upc
"$heddle" tune crlf.upc --loop crlf.upc:8 --variable y --no-alias --chunk 1024 -o got_crlf.upc
cmp got_crlf.upc expected_crlf.upc || complain "lines that end with CR LF"

printf '#define TWICE(i) (2 * (i))\n#define LIMIT 100\n' >limits.h
cat >line.upc <<'END'
#include <upc_relaxed.h>
#include "limits.h"
static shared int a[200 * THREADS], b[200 * THREADS];
void f(int n) { if (n) upc_forall (int i = 0; i < LIMIT; ++i; &b[i]) b[i] = a[TWICE(i)]; else upc_forall (int i = n; i != LIMIT; i++; i) { if (i > 2) b[i] += a[i * 2 + N]; } }
END
sed -n '4s/.*/&/p' line.upc | tr -d '\n' >last
{ sed '4d' line.upc; cat last; } >line2.upc
mv line2.upc line.upc
refused 9 '4: 2 loops begin in this line' line.upc --loop line.upc:4 --variable a --cflags -DN=1 -o none.upc
"$heddle" tune line.upc --loop line.upc:4:24 --variable a --cflags -DN=1 -o line1.upc || complain "the first loop of a line"
[ "$(tail -c 1 line1.upc)" = '}' ] || complain "a line end was added"
row=$(grep -n '} else upc_forall' line1.upc | cut -d: -f1)
"$heddle" tune line1.upc --loop "line1.upc:$row" --variable a --cflags -DN=1 -o line2.upc || complain "the second loop of a line"
refused 9 'does not compile: options that it needs are given with --cflags' line1.upc --loop "line1.upc:$row" --variable a -o none.upc
[ ! -x "$upcc" ] || "$heddle" upcc -O1 -Wall -Werror -DN=1 -c line2.upc -o line.o || complain "the loops of a line are not compiled"

# ---- an array in a structure, a temporary variable of the function, an element known after a download ----
cat >parts.upc <<'END'
#include <upc_relaxed.h>
struct cell { int value; int next[2]; };
static shared struct cell cells[8 * THREADS];
static shared int at[8 * THREADS], out[8 * THREADS];
void f(void)
{
	int j;
	upc_forall (int i = 0; i < 8; i++; &out[i]) {
		j = at[i + 1];
		out[i] = cells[j].next[i & 1];
	}
}
END
"$heddle" tune parts.upc --loop parts.upc:8 --variable cells,at -o parts2.upc || complain "parts of elements"
for text in 'out[i] = heddle_cache_at(cells_cache, j, struct cell).next[i & 1];' 'heddle_cache_hint(at_cache, i + 1);' \
	'heddle_cache_hint(cells_cache, j);' 'j = heddle_cache_at(at_cache, i + 1, int);'; do
	grep -qF "$text" parts2.upc || { complain "without: $text"; cat parts2.upc; }
done

# ---- several loops: in one function, in an outer loop and in one line; some refused ----
cat >several.upc <<'END'
#include <stdio.h>
#include <upc_relaxed.h>
static shared int a[40 * THREADS], b[40 * THREADS], c[40 * THREADS];
int main(void)
{
	int n = 40 * THREADS;
	upc_forall (int i = 0; i < n; i++; &a[i])
		a[i] = b[i] = i;
	upc_barrier;
	for (int round = 0; round < 3; round++) {
		upc_forall (int i = 0; i < n; i++; &b[i])
			b[i] += a[n - 1 - i]; // from the other end
		upc_barrier;
		upc_forall (int i = 0; i < n; i++; i)
			upc_fence;
		upc_forall (int i = 0; i < n; i++; &a[i])
			a[i] = b[(i + round) % n];
		upc_barrier;
	}
	upc_forall (int i = 0; i < n; i++; i) c[i] = a[n - 1 - i]; upc_barrier; upc_forall (int i = 0; i < n; i++; i) b[n - 1 - i] = c[i];
	upc_barrier;
	for (int i = 0; i < n && MYTHREAD == 0; i++)
		printf("%d %d %d\n", a[i], b[i], c[i]);
	return 0;
}
END
several=(several.upc --loop several.upc:11 --loop several.upc:14 --loop several.upc:16 --loop several.upc:20:2
	--loop several.upc:20:74 --loop several.upc:11 --variable 'a,b')
"$heddle" tune "${several[@]}" -o several-tuned.upc 2>stderr || complain "several loops: $(cat stderr)"
{
	printf 'heddle: tune: several.upc:%s\n' '11: a' '16: b' '20: a' '20: b' '15: the loop synchronizes threads (upc_fence)'
	echo 'heddle: tune: wrote several-tuned.upc; compile it as the original, e.g. heddle upcc -O2 several-tuned.upc'
} |
	cmp -s - stderr || complain "several loops print: $(cat stderr)"
[ "$(grep -c 'heddle_cache_open' several-tuned.upc)" -eq 4 ] || complain "not each loop was tuned once"
"$heddle" tune "${several[@]}" --diff >several.diff 2>stderr || complain "--diff of several loops"
if command -v patch >/dev/null; then
	cp several.upc patched.upc
	patch -s patched.upc <several.diff && cmp -s patched.upc several-tuned.upc ||
		complain "the diff of several loops does not make the tuned source"
fi
# If one of the loops cannot use a variable, the other loops still use it.
cat >shared.upc <<'END'
#include <upc_relaxed.h>
static shared int a[9 * THREADS], b[9 * THREADS], c[9 * THREADS];
void f(void)
{
	upc_forall (int i = 0; i < 9; i++; &c[i])
		c[i] = a[i + 1] + b[i + 1];
	upc_forall (int i = 0; i < 9; i++; &c[i]) {
		b[i + 1] = a[i + 2];
		c[i] += b[i];
	}
}
END
"$heddle" tune shared.upc --loop shared.upc:5 --loop shared.upc:7 --variable a,b -o shared-tuned.upc 2>stderr ||
	complain "variables of several loops: $(cat stderr)"
printf 'heddle: tune: shared.upc:%s\n' '5: a, b' '7: a' | cmp -s - <(head -2 stderr) &&
	grep -q 'shared.upc:9: an iteration may read elements of b' stderr ||
	complain "variables of several loops are named: $(cat stderr)"
refused 9 'may read elements of b' shared.upc --loop shared.upc:7 --variable a,b -o none.upc
"$heddle" tune several.upc --loop several.upc:14 --loop several.upc:7 --variable a -o none.upc >stdout 2>stderr
[ $? -eq 9 ] && [ ! -e none.upc ] && [ "$(wc -l <stderr)" -eq 2 ] || complain "several loops, all refused: $(cat stderr)"

# ---- the command line ----
refused 6 'got.upc cannot be written: it exists' "${dp[@]}" -o got.upc
refused 2 'names the source itself' dp.upc --loop dp.upc:8 --variable y -o dp.upc
refused 2 'one source is needed' --loop dp.upc:8 --variable y --diff
refused 2 'which loop' dp.upc --variable y --diff
refused 2 'which variables' dp.upc --loop dp.upc:8 --diff
refused 2 'where to' dp.upc --loop dp.upc:8 --variable y
refused 2 'is not FILE:LINE of the source' dp.upc --loop other.upc:8 --variable y --diff
refused 2 'is not FILE:LINE of the source' dp.upc --loop dp.upc:x --variable y --diff
refused 2 'not arbitrary, priority or first' dp.upc --loop dp.upc:8 --variable y --policy last --diff
refused 2 'names no variable' dp.upc --loop dp.upc:8 --variable , --diff
refused 2 'apply to --check only' dp.upc --loop dp.upc:8 --variable y --diff -n 3
refused 2 'not a list of numbers' dp.upc --loop dp.upc:8 --variable y --check -n 3,x
refused 3 'nothing.upc cannot be read' nothing.upc --loop nothing.upc:8 --variable y --diff
refused 9 'there is no upc_forall; this file has some in lines 8' dp.upc --loop dp.upc:2 --variable y --diff
refused 9 'nor anywhere' limits.h --loop limits.h:1 --variable y --diff
[ ! -e none.upc ] || complain "a file was written by a refused change"

[ -x "$upcc" ] || { echo "skipped: running: the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"; exit $bad; }
unset HEDDLE_UPC_HOME HEDDLE_UPCC UPC_NODE_SIZE

# ---- the examples ----

# example NAME "ARGUMENTS" [FUNCTION VARIABLES OPTIONS]...: tunes the first loop of each function; output as before.
example() {
	local name=$1 arguments=$2 source=$examples/$1.upc number=0 line
	shift 2
	"$heddle" upcc -O2 -o "$name" "$source" -lm || return 1
	while [ $# -gt 0 ]; do
		number=$((number + 1))
		line=$(awk -v begin="^static .*[ *]$1\\\\(" '$0 ~ begin { on = 1 } on && /upc_forall/ { print NR; exit }' "$source")
		# shellcheck disable=SC2086
		"$heddle" tune "$source" --loop "${source##*/}:$line" --variable "$2" $3 -o "$name-$number.upc" || return 1
		source=$name-$number.upc
		shift 3
	done
	"$heddle" upcc -O2 -Wall -Werror -o "$name-tuned" "$source" -lm || return 1
	for threads in 1 3; do
		for node in '' 1; do
			# shellcheck disable=SC2086
			UPC_NODE_SIZE=$node timeout "${HEDDLE_TEST_SECONDS:-240}" "./$name-tuned" -n $threads $arguments >tuned.out || return 1
			# shellcheck disable=SC2086
			timeout "${HEDDLE_TEST_SECONDS:-240}" "./$name" -n $threads $arguments | sed 's/[0-9]* rounds//' >plain.out
			sed 's/[0-9]* rounds//' tuned.out | cmp -s - plain.out || { cat plain.out tuned.out; return 1; }
		done
	done
}
example dot 3000 multiply y --no-alias || complain "dot"
example sparse '500 3' multiply x '' || complain "sparse"
example histogram 5000 add part '' look_up bin '' || complain "histogram"
example stencil '3 60' relax now --no-alias || complain "stencil"
UPC_NODE_SIZE=1 "$heddle" tune "${several[@]}" --check -n 1,2,3,7 --runs 2 >stdout 2>stderr ||
	complain "several loops --check: $(cat stdout stderr)"
example cc '1000 4000' graft label,above '--policy arbitrary' climb label '--policy arbitrary' || complain "cc"

# ---- functions, members, and pointers that the file proves to refer to different memory; with far memory ----
cat >functions.upc <<'END'
#include <stdio.h>
#include <upc_relaxed.h>
#define N (40 * THREADS)
struct node {
	int up;
	struct { short x, y; } at;
};
static shared struct node tree[40 * THREADS];
static shared int label[40 * THREADS], out[40 * THREADS], *from = label, *copy;
static int calls;

/* The root of v. */
static int find(shared int *p, int v)
{
	while (p[v] != v) // climb
		v = p[v];
	return v;
}

int root(int v) { calls++; return tree[v].up == v ? v : find(label, tree[v].up); } /* of the tree */ int after;

static int both(shared int *parent, int v, /* and */ int w)
{
	return find(parent, v) + find(parent,
		w) + parent[0] + root(v);
}

static void reverse(shared int *to, shared int *values, int n)
{
	upc_forall (int i = 0; i < n; i++; &to[i])
		to[i] = values[n - 1 - i];
	upc_barrier;
}

int main(void)
{
	copy = (shared int *)upc_all_alloc(N, sizeof(int));
	upc_forall (int i = 0; i < N; i++; &label[i]) {
		label[i] = tree[i].up = i / 2;
		tree[i].at.x = tree[i].at.y = 1;
	}
	upc_barrier;
	upc_forall (int i = 0; i < N; i++; &out[i])
		out[i] = both(label, i, N - 1 - i) + find(from, i);
	upc_forall (int i = 0; i < N; i++; i) {
		tree[N - 1 - i].at.x += out[i];
		tree[N - 1 - i].at.y++;
	}
	upc_barrier;
	reverse(copy, label, N);
	for (int i = 0; i < N && MYTHREAD == 0; i++)
		printf("%d %d %d %d\n", out[i], tree[i].at.x, tree[i].at.y, copy[i]);
	return calls + find(label, 3);
}
END
functions=(functions.upc --variable 'label,tree,values')
while IFS=: read -r line _; do
	functions+=(--loop "functions.upc:$line")
done < <(grep -n upc_forall functions.upc | sed 2d)
UPC_NODE_SIZE=1 "$heddle" tune "${functions[@]}" --check -n 1,2,3,7 --runs 2 -o functions-tuned.upc >stdout 2>stderr ||
	complain "functions: $(cat stdout stderr)"
[ "$(grep -c '^heddle: tune: functions.upc:[0-9]*: [a-z, ]*$' stderr)" -eq 3 ] || complain "functions: $(cat stderr)"
for text in 'static int find_cached(heddle_cache_t *p_cache, int v)' \
	'int root_cached(heddle_cache_t *tree_cache, heddle_cache_t *label_cache, int v) { calls++;' \
	'static int both_cached(heddle_cache_t *tree_cache, heddle_cache_t *label_cache, heddle_cache_t *parent_cache, int v, /* and */ int w)' \
	'while (heddle_cache_at(p_cache, v, int) != v) // climb' 'heddle_cache_hint(label_cache, N - 1 - i);' \
	'heddle_cache_set_member(tree_cache, N - 1 - i, struct node, at.y, '; do
	grep -qF "$text" functions-tuned.upc || { complain "functions: without: $text"; cat functions-tuned.upc; }
done
mkdir crlf
sed 's/$/\r/' functions.upc >crlf/functions.upc
"$heddle" tune crlf/functions.upc "${functions[@]:1}" -o crlf/functions-tuned.upc 2>stderr || complain "functions with CR LF"
sed 's/$/\r/' functions-tuned.upc | cmp -s - crlf/functions-tuned.upc || complain "functions with CR LF are tuned otherwise"

# ---- a measurement chooses loop and variables ----
cp "$examples/cc.upc" .
"$heddle" upcc -O2 -g --inst -o cc-inst cc.upc
UPC_NODE_SIZE=1 "$heddle" run --accesses -n 3 -o remote -- ./cc-inst 20000 80000 >stdout 2>&1 || complain "measuring cc"
# Networks on which a cache costs nothing, and on which it costs more than anything else.
costs() {
	printf 'heddle-network 1\nthreads 3\n'
	printf '%s\n' get.remote.all.8 memget.remote.all.4096 cache.{get-again,put-again,iteration,local} \
		{loop,tile}-{got,put}{,-low,-high}.remote.all.{1,32768} | sed "s/$/ $1/"
}
costs 0.000001 >free.net
costs 1000000 >dear.net
"$heddle" tune remote cc.upc --policy arbitrary --network free.net -o chosen.upc 2>stderr || complain "a measurement: $(cat stderr)"
"$heddle" tune remote cc.upc --network free.net -o unseen.upc 2>stderr
command=$(sed -n 's/^heddle: tune: then.*: heddle tune \(--policy arbitrary .*\)/\1/p' stderr)
rm -f unseen.upc
eval "\"$heddle\" tune $command" 2>stderr || complain "the command with a policy, '$command': $(cat stderr)"
cmp chosen.upc unseen.upc || complain "the command with a policy changes other loops"
graft=$(grep -n 'upc_forall.*edges; i++; &edge' cc.upc | head -1 | cut -d: -f1)
# On a busy machine threads wait most of the time, so the variable above may have less than 1 % of the run.
grep -qxE "heddle: tune: cc.upc:$graft: label(, above)?" stderr || complain "a measurement chose: $(cat stderr)"
read -ra named < <(sed -n 's/^heddle: tune: \(cc.upc:[0-9]*\): .*/--loop \1/p' stderr | xargs)
names=label
! grep -q above stderr || names=label,above
"$heddle" tune cc.upc "${named[@]}" --variable $names --policy arbitrary -o named.upc 2>stderr
cmp chosen.upc named.upc || complain "the same choice by options has another result"
refused 9 'no loop of this file is predicted to be faster with a cache' remote cc.upc --network dear.net --diff
refused 9 "a cache of (label|label, above|above, label) is not predicted to be faster: to change the loop anyway, use --variable" \
	remote cc.upc --loop "cc.upc:$graft" --network dear.net --diff
refused 7 'has no remote accesses of loops of dp.upc: measure on several nodes' remote dp.upc --diff
refused 2 '--network needs a measurement' cc.upc --loop "cc.upc:$graft" --variable label --network free.net --diff
refused 3 'nowhere' nowhere dp.upc --diff

# Accesses belong to a loop by their call path; the loop names a variable by the parameter through which it is passed.
cat >paths.upc <<'END'
#include <stdio.h>
#include <upc_relaxed.h>
#define N 600
static shared int order[N * THREADS];
static shared double x[N * THREADS], y[N * THREADS];
static shared double *from, *to;
static int next(int i)
{
	return order[(i * 7 + 1) % (N * THREADS)];
}
static void gather(void)
{
	upc_forall (int i = 0; i < N * THREADS; i++; &y[i])
		y[i] = x[next(i)];
}
static void copy(shared double *there, shared double *here)
{
	upc_forall (int i = 0; i < N * THREADS; i++; &there[i])
		there[i] = here[(i * 7 + 1) % (N * THREADS)];
}
struct pair { shared double *first, *second; };
static void add(const struct pair *one, const struct pair *other)
{
	upc_forall (int i = 0; i < N * THREADS; i++; &y[i])
		y[i] = one->first[(i * 7 + 2) % (N * THREADS)] + other->first[(i * 5 + 1) % (N * THREADS)];
}
int main(void)
{
	double sum = 0;
	struct pair left, right;
	left.first = (shared double *)upc_all_alloc(N * THREADS, sizeof(double));
	right.first = (shared double *)upc_all_alloc(N * THREADS, sizeof(double));
	from = (shared double *)upc_all_alloc(N * THREADS, sizeof(double));
	to = (shared double *)upc_all_alloc(N * THREADS, sizeof(double));
	upc_forall (int i = 0; i < N * THREADS; i++; &x[i]) {
		order[i] = (i * 11 + 5) % (N * THREADS);
		x[i] = from[i] = left.first[i] = right.first[i] = i;
	}
	upc_barrier;
	for (int k = 0; k < 100; k++) {
		gather();
		copy(to, from);
		add(&left, &right);
	}
	upc_barrier;
	for (int i = 0; i < N * THREADS; i++)
		sum += y[i] * i + to[i];
	if (MYTHREAD == 0)
		printf("%g\n", sum);
	return 0;
}
END
"$heddle" upcc -O2 -g --inst -o paths-inst paths.upc
UPC_NODE_SIZE=1 "$heddle" run --accesses -n 3 -o paths -- ./paths-inst >stdout 2>&1 || complain "measuring paths"
"$heddle" tune paths paths.upc --network free.net -o paths-tuned.upc 2>stderr || complain "call paths: $(cat stderr)"
# On a busy machine, one of the two variables that the loop reads may have less than 1 % of the run.
grep -qxE 'heddle: tune: paths.upc:13: (x|order|x, order|order, x)' stderr && grep -qx 'heddle: tune: paths.upc:18: here' stderr ||
	complain "by call path: $(cat stderr)"
# The accesses of its line belong to left.first and right.first, as these were allocated.
grep -qxE 'heddle: tune: paths.upc:24: (one|other)->first(, (one|other)->first)?' stderr || complain "a structure: $(cat stderr)"
grep -qE '^heddle: tune: paths.upc:13: [0-9.]+ [a-z]+ of remote accesses would become about [0-9.]+ [a-z]+$' stderr &&
	grep -q '^heddle: tune: wrote paths-tuned.upc; compile it as the original, e.g. heddle upcc -O2 paths-tuned.upc$' stderr ||
	complain "the prediction, and the next command: $(cat stderr)"
"$heddle" upcc -O2 -o paths-tuned paths-tuned.upc && UPC_THREADS=3 ./paths-tuned >tuned && head -1 stdout | cmp - tuned ||
	complain "call paths: another result"

# ---- --check ----
cat >sums.upc <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc_relaxed.h>
static shared int a[40 * THREADS], b[40 * THREADS];
static shared int who;
static shared int *heap;
int main(int argc, char **argv)
{
	heap = (shared int *)upc_all_alloc(40 * THREADS, sizeof(int));
	upc_forall (int i = 0; i < 40 * THREADS; i++; &a[i])
		a[i] = i;
	upc_barrier;
	upc_forall (int i = 0; i < 40 * THREADS; i++; &b[i]) {
		b[i] = a[40 * THREADS - 1 - i];
		heap[i] = a[(i + 1) % (40 * THREADS)];
	}
	upc_barrier;
	if (MYTHREAD == 0 && argc > 2)
		who = getpid();
	if (MYTHREAD == 0 && argc > 3)
		heap[7] = getpid();
	if (MYTHREAD == 0)
		printf("%d of %d\n", argc > 1 && atoi(argv[1]) ? (int)getpid() : b[3], THREADS);
	return 5;
}
END
sums=(sums.upc --loop sums.upc:14 --variable a --check --runs 2)
"$heddle" tune "${sums[@]}" -n 1,3 -o sums2.upc >stdout 2>stderr || { complain "--check"; cat stderr; }
grep -qx '3 UPC threads: same exit status (5), output and contents of shared memory' stdout && [ -e sums2.upc ] &&
	grep -Eqx 'speed-up [0-9.]+ \([0-9.e+-]+ to [0-9.e+-]+ at 95 % confidence\), .* UPC threads, 2 runs of each: .* s -> .* s' stdout ||
	{ complain "the line that --check prints"; cat stdout; }
if env --ignore-signal=CHLD true 2>/dev/null; then
	env --ignore-signal=CHLD "$heddle" tune "${sums[@]}" -n 2 >stdout 2>stderr ||
		complain "--check with SIGCHLD ignored: $(cat stderr)"
	grep -q '^2 UPC threads: same exit status (5)' stdout || complain "--check with SIGCHLD ignored: $(cat stdout)"
fi
# The command's standard streams are closed, but those of the programs are not.
status=0
"$heddle" tune "${sums[@]}" -n 2 --compare 'test -s "$1" -a -s "$2" && echo' <&- >&- 2>stderr || status=$?
[ $status -eq 6 ] && [ "$(cat stderr)" = "heddle: can't write to standard output: check its disk or pipe" ] ||
	complain "--check with closed streams: status $status: $(cat stderr)"
# ---- a shared variable that is not a pointer has its own memory; macros that access elements, as macro arguments ----
cat >levels.upc <<'END'
#include <upc.h>
#include <stdio.h>
#define N (40 * THREADS)
#define DEGREE 3
#define NEIGHBOUR(v, k) next_to[(v) * DEGREE + (k)]
static shared int level[40 * THREADS], next_to[DEGREE * 40 * THREADS], changed;
int main(void)
{
	upc_forall (int v = 0; v < N; v++; &level[v]) level[v] = v ? -1 : 0;
	upc_forall (int e = 0; e < DEGREE * N; e++; &next_to[e]) next_to[e] = (7 * e + 1) % N;
	upc_barrier;
	for (int depth = 0, more = 1; more; depth++) {
		changed = 0;
		upc_barrier;
		upc_forall (int v = 0; v < N; v++; &level[v])
			for (int k = 0; level[v] == depth && k < DEGREE; k++)
				if (level[NEIGHBOUR(v, k)] < 0) {
					level[NEIGHBOUR(v, k)] = depth + 1;
					changed = 1;
				}
		upc_barrier;
		more = changed;
		upc_barrier;
	}
	if (MYTHREAD == 0)
		for (int v = 0; v < N; v++)
			printf("%d\n", level[v]);
	return 0;
}
END
row=$(grep -n '&level\[v\])$' levels.upc | cut -d: -f1)
UPC_NODE_SIZE=1 "$heddle" tune levels.upc --loop "levels.upc:$row" --variable level,next_to --policy arbitrary --check -n 1,2,3 --runs 2 \
	-o levels-tuned.upc >stdout 2>stderr || complain "levels: $(cat stdout stderr)"
grep -qF 'heddle_cache_at(next_to_cache, (v) * 3 + (k), int)' levels-tuned.upc || { complain "levels: macros"; cat levels-tuned.upc; }
grep -qF 'level[NEIGHBOUR(v, k)] = depth + 1;' levels-tuned.upc || complain "levels: the original loop"

# Files are created only in TMPDIR.
mkdir away
TMPDIR=$work/away "$heddle" tune "${sums[@]}" -n 2 --compare 'ls -d "$TMPDIR"/heddle-tune-*/tuned.upc >&3; true' 3>seen >stdout ||
	complain "--check with TMPDIR"
[ "$(wc -l <seen)" -eq 1 ] || complain "--check does not build in TMPDIR: $(cat seen)"
[ -z "$(ls away)" ] || complain "--check leaves $(ls away)"
TMPDIR=$work/nowhere "$heddle" tune "${sums[@]}" 2>stderr && complain "--check without a directory"
grep -q "cannot make a temporary folder: No such file" stderr || complain "$(cat stderr)"
# differs PATTERN ARGUMENT...: the programs differ.
differs() {
	local pattern=$1 status=0
	shift
	"$heddle" tune "${sums[@]}" "$@" >stdout 2>stderr || status=$?
	[ $status -eq 9 ] && grep -Eq "$pattern" stderr || complain "--check $*: status $status: $(cat stdout stderr)"
}
differs '^heddle: tune: 2 UPC threads: the outputs differ$' -n 2 -- 1
differs 'shared memory differs at the end: variable who, 4 bytes on thread 0' -n 2 -- 0 x
differs 'shared memory differs at the end: (block of|variable)' -n 2 -- 0 x x
differs 'the outputs differ, according to the command' -n 2 --compare false
"$heddle" tune "${sums[@]}" -n 2 --compare 'test -s "$1" -a -s "$2" && echo' -- 1 >stdout || complain "--compare"
"$heddle" tune "${sums[@]}" -n 2 --policy first -- 0 x >stdout || complain "--check with a policy"
grep -q 'the loops have races: contents of shared memory are not compared' stdout || complain "--check with a policy says nothing"
exit $bad

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle advise` on four ranks, each a separate node: its findings for examples, and the command that it prints; its
# messages without data of a network, without accesses, and if the source cannot be read. Predicted times are checked by
# test_predict.c with fixed input, and compared with measured ones by bench/upc_predicted.sh.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
# shellcheck source=tests/support/quick_doctor.sh
. "$HEDDLE_SOURCE/tests/support/quick_doctor.sh"
need_network
heddle=$HEDDLE_BUILD/bin/heddle
failed=0
cd "$work" || exit 1
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self

check() {
	local what=$1
	shift
	"$@" || { echo "FAILED: $what"; failed=1; cat out; }
}

on_ranks() { launch "${found[0]}" 4 "$@" > log 2>&1 || { echo "FAILED: $*"; cat log; failed=1; }; }

on_ranks "$(quick_doctor "$work/quick")" doctor --network -o measured-once
# measure NAME ARGUMENT...: measures the program, and a network with that name
measure() {
	local name=$1
	shift
	rm -rf "$name.network" "$name"
	cp measured-once "$name.network"
	on_ranks "$heddle" run --accesses --sample-hz 0 -o "$name" -- "./$name-original" "$@"
	"$heddle" advise --network "$name.network" "$name" > out 2> errors || { cat errors; failed=1; }
}

for name in cc dot; do
	"$heddle" upcc -O2 -g --inst -o $name-original "$HEDDLE_SOURCE/examples/$name.upc" -lm || exit 1
done
line_of() { grep -n "$2" "$HEDDLE_SOURCE/examples/$1.upc" | head -n 1 | cut -d: -f1; }

measure dot 60000
loop=$(line_of dot '&x\[i\]')
check "dot: y, whose indices are known" grep -Eq "^ .* coalesce  y  dot.upc:$loop$" out
check "dot: 45,000 gets" grep -q "^dot.upc:$loop, y: 45,000 gets of 4[0-9],[0-9]* different elements" out
check "dot: the command" grep -Eq "^  heddle tune dot .*dot.upc --loop dot.upc:$loop --variable y -o dot-tuned.upc$" out
check "dot: x is not advised" [ "$(grep -c ' x  ' out)" -eq 0 ]

measure cc 4000
loop=$(line_of cc '&edge\[i\]')
check "cc: label in the first loop" grep -Eq "^ .* coalesce  label  cc.upc:$loop$" out
other=$(line_of cc '&label\[i\]) {$')
check "cc: one command for both loops" grep -Eq \
	"^  heddle tune cc .*cc.upc --loop cc.upc:$loop --loop cc.upc:$other --variable label(,above)? --policy arbitrary -o cc-tuned.upc$" out
check "cc: what the policy means" grep -q "^label is read and written at cc.upc:$loop: the command is right only if" out
# The printed command is accepted unchanged.
taken() {
	sed 's/\r$//; s/\x1b\[[0-9;]*[mK]//g' out | sed -n '/^Next:/,$p' | sed '1d' | sed -n '/^  /p' > printed
	(PATH=$HEDDLE_BUILD/bin:$PATH && rm -f ./*-tuned.upc && bash ./printed) > told 2>&1 && [ -s "$1" ] ||
		{ cat printed told; false; }
}
check "cc: the command is accepted" taken cc-tuned.upc
check "cc: the network is named" grep -q '^Network: cc.network, 4 threads, as many as the program.s; a remote get' out
"$heddle" advise cc > out 2>&1
check "the newest network is found" grep -q '^Network: cc.network' out
if command -v script > /dev/null; then
	script -qec "stty cols 80; $heddle advise --no-color cc 2>/dev/null" /dev/null < /dev/null | tr -d '\r' > out
	check "80 columns" [ "$(sed 's/.*\x1b\[K//' out | wc -L)" -le 80 ]
fi

# Without data of a network; then with wrong data.
rm -f ./*.network
"$heddle" advise cc > out 2>&1
check "no network: said" grep -q '^Network: there is no file of heddle doctor --network; estimated from the remote gets' out
check "no network: advice all the same" grep -Eq " coalesce  label  cc.upc:$loop$" out
printf 'heddle-network 2\n' > bad.network
"$heddle" advise cc > out 2>&1
check "not understood: exit status 4" [ $? -eq 4 ]
check "not understood: said" grep -q 'bad.network:1: not a file written by heddle doctor --network' out
printf 'heddle-network 1\nthreads 2\nget.remote.all.8 20\n' > bad.network
"$heddle" advise cc > out 2>&1
check "another number of threads: said" grep -q '^Network: bad.network, 2 threads, not as many as the program.s' out
"$heddle" advise --network none cc > out 2>&1
check "no such file: exit status 3" [ $? -eq 3 ]
rm bad.network

# Without events of loops, as with Berkeley UPC, loops are found in the source.
printf 'GASP_UPC_GET\nGASP_UPC_PUT\n' > events
on_ranks "$heddle" run --accesses --events events --sample-hz 0 -o loopless -- ./cc-original 500
"$heddle" advise loopless > out 2>&1
check "no loops: found in the source" grep -Eq "^ .* - coalesce  label  cc.upc:$loop$" out

# The source is missing: no index is known.
cp "$HEDDLE_SOURCE/examples/dot.upc" moved.upc
"$heddle" upcc -O2 -g --inst -o moved-program moved.upc || exit 1
on_ranks "$heddle" run --accesses --sample-hz 0 -o moved -- ./moved-program 20000
rm moved.upc
"$heddle" advise moved > out 2>&1
check "no source: said" grep -q 'moved.upc was not found' out
check "no source: no command" [ "$(grep -c '^  heddle tune' out)" -eq 0 ]

# For a loop that heddle tune refuses, a reason is printed instead of a command.
cat > swapped.upc << 'END'
#include <stdio.h>
#include <upc_relaxed.h>
#define N (500 * THREADS)
static shared int *one, *other;
void step(shared int *to, shared int *from) /* others may call it */
{
	upc_forall (int i = 0; i < N; i++; &to[i])
		to[i] = from[(i * 7 + 1) % N];
	upc_barrier;
}
int main(void)
{
	one = (shared int *)upc_all_alloc(N, sizeof(int));
	other = (shared int *)upc_all_alloc(N, sizeof(int));
	for (int k = 0; k < 10; k++) {
		step(one, other);
		step(other, one);
	}
	return 0;
}
END
"$heddle" upcc -O2 -g --inst -o swapped-program swapped.upc || exit 1
# The same for a loop with a call that heddle tune does not analyze: its indices are unknown.
sed 's/^\t\tto\[i\] =/\t\tif (i > N) remove("i"); else to[i] =/' swapped.upc > calling.upc
"$heddle" upcc -O2 -g --inst -o calling-program calling.upc || exit 1
on_ranks "$heddle" run --accesses --sample-hz 0 -o calling -- ./calling-program
"$heddle" advise calling > out 2>&1
check "refused: the call" grep -q '^heddle tune cannot change .*calling.upc:[0-9]*: the loop calls remove' out
on_ranks "$heddle" run --accesses --sample-hz 0 -o swapped -- ./swapped-program
"$heddle" advise swapped > out 2>&1
check "refused: no command" [ "$(grep -c '^  heddle tune' out)" -eq 0 ]
check "refused: the reason" grep -q '^heddle tune cannot change it: .*swapped.upc:8: to\[i\] may be the same memory as from' out

# Objects are named after what their allocation is assigned to, which may be in a function of the program.
cat > named.upc << 'END'
#include <upc_relaxed.h>
#define N (500 * THREADS)
struct level { shared int *u; };
struct grid { struct level levels[2]; shared int *made; };
static shared int sum[N];
static shared int *make(void)
{
	shared int *p = upc_all_alloc(N, sizeof(int));
	return p;
}
static void set(shared int **q) { *q = upc_all_alloc(N, sizeof(int)); }
static void run(struct grid *g, shared int *given, int k)
{
	upc_forall (int i = 0; i < N; i++; &sum[i])
		sum[i] = g->levels[k].u[(i * 7 + 1) % N] + g->made[(i * 11 + 1) % N] + given[(i * 13 + 1) % N];
}
int main(void)
{
	struct grid g;
	shared int *given;
	for (int k = 0; k < 2; k++)
		g.levels[k].u = upc_all_alloc(N, sizeof(int));
	g.made = make();
	set(&given);
	run(&g, given, 1);
	upc_barrier;
	return 0;
}
END
"$heddle" upcc -O2 -g --inst -o named-program named.upc || exit 1
on_ranks "$heddle" run --accesses --sample-hz 0 -o named -- ./named-program
"$heddle" advise named > out 2>&1
check "objects of functions and elements" grep -Eq \
	"^  heddle tune named .*named.upc --loop named.upc:14 --variable '[^']*'" out
for variable in 'g->levels\[k\].u' 'g->made' given; do
	check "objects: $variable" grep -Eq "^  heddle tune .*[',]${variable}[',]" out
done
check "objects: the command is accepted" taken named-tuned.upc

# Names with blanks and quotes: a shell accepts the printed command, whether broken into lines or not.
mkdir "it's here"
cp "$HEDDLE_SOURCE/examples/dot.upc" "it's here/my own dot.upc"
"$heddle" upcc -O2 -g --inst -o blank-program "it's here/my own dot.upc" || exit 1
on_ranks "$heddle" run --accesses --sample-hz 0 -o "my own dir" -- ./blank-program 60000
"$heddle" advise "my own dir" > out 2> errors
check "a command with blanks" taken "my own dot-tuned.upc"
if command -v script > /dev/null; then
	script -qec "stty cols 44; $heddle advise --no-color 'my own dir' 2>/dev/null" /dev/null < /dev/null > out
	check "a command with blanks in lines" taken "my own dot-tuned.upc"
	check "it has lines" grep -q '[\]$' printed
fi

# Nothing to advise.
on_ranks "$heddle" run --sample-hz 0 -o unmeasured -- ./dot-original 100
"$heddle" advise unmeasured > out 2>&1
check "without --accesses: exit status 7" [ $? -eq 7 ]
check "without --accesses: said" grep -q 'measure with `heddle run --accesses`' out
unset UPC_NODE_SIZE
"$heddle" run -n 4 --accesses --sample-hz 0 -o near -- ./dot-original 1000 > log 2>&1
"$heddle" advise near > out 2>&1
check "one node: exit status 0" [ $? -eq 0 ]
check "one node: said" grep -q '^No access went to another node' out
"$heddle" advise nowhere > out 2>&1
check "no measurement: exit status 3" [ $? -eq 3 ]
exit $failed

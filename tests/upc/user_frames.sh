#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The user's frames above an event stay in the paths of samples, whatever is known of their file.
. "${BASH_SOURCE%/*}/../run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
run_options=(-n 2)

# build NAME [FLAGS...]: the .upc files of $work/NAME
build() {
	local name=$1
	shift
	"$heddle" upcc --inst -O2 "$@" "$work/$name"/*.upc -o "$work/$name/program" || { fail "$name: upcc"; finish; }
	measured "$name" "$work/$name/program"
	expect "$name: ends well" ended "$name" "exit 0"
}

# The callback ends in a jump to the run-time system: the caller's file differs from the event's.
mkdir "$work/tail"
cat > "$work/tail/library.upc" <<'END'
void run(void (*function)(void), int times)
{
	for (int i = 0; i < times; i++)
		function();
}
END
cat > "$work/tail/main.upc" <<'END'
#include <upc_relaxed.h>
void run(void (*function)(void), int times);
volatile double sink;
__attribute__((noinline)) void work(void)
{
	double sum = 0;
	for (int i = 0; i < 1000000; i++)
		sum += i * 0.5;
	sink = sum;
}
__attribute__((noinline)) void callback(void)
{
	work();
	upc_barrier;
}
int main(void)
{
	run(callback, 200);
	return 0;
}
END
build tail -g
expect "tail: it is a tail call" \
	test -n "$(objdump -d "$work/tail/program" | awk '/^[0-9a-f]+ </ { in_callback = /<callback>/ }
		in_callback && /jmp.*<__upcrt_barrier>/')"
folded tail --metric visits
expect "tail: events below the caller" test "$(path_sum tail '^main;run;upc barrier @main\.upc:14$')" = 400
folded tail --metric cpu-time
expect "tail: samples below the caller" has_path tail '^main;run;callback;work$'
expect "tail: no sample on other paths" no_path tail '^main;(callback|upc barrier)'

# A function with the name of a library function, in a program without debug information.
mkdir "$work/named"
cat > "$work/named/smooth.upc" <<'END'
#include <upc_relaxed.h>
shared double field[1000 * THREADS];
void upc_smooth(int times)
{
	for (int t = 0; t < times; t++) {
		int i;
		upc_forall (i = 1; i < 1000 * THREADS - 1; i++; &field[i])
			field[i] += 0.5;
	}
}
END
cat > "$work/named/main.upc" <<'END'
#include <upc_relaxed.h>
void upc_smooth(int times);
__attribute__((noinline)) void solve(int times)
{
	upc_smooth(times);
	upc_barrier;
}
int main(void)
{
	solve(100000);
	return 0;
}
END
build named
loop='upc_forall @smooth\.upc:7'
for metric in visits cpu-time; do
	folded named --metric $metric
	expect "named: $metric below the function" has_path named "^main;solve;upc_smooth;$loop\$"
	expect "named: no $metric elsewhere" no_path named "solve;$loop"
done
finish

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Far memory: on one node, the versions of functions run that do not check for it; on several nodes, each access of
# another node's memory is one call of the run-time system, with the right order; invalid accesses are reported with
# their position.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
real=$work/real
program=$work/program

complain() {
	echo "$*"
	exit 1
}

# counts THREAD_LINE ARGUMENT...: runs with two threads, each of which must print this line
counts() {
	line=$1
	shift
	UPC_COUNT=1 UPC_THREADS=2 timeout "$seconds" "$program" "$@" 2>"$work/counts" ||
		{ cat "$work/counts"; complain "$what: the program failed"; }
	sort "$work/counts" >"$work/sorted"
	printf '0 %s\n1 %s\n' "$line" "$line" | diff - "$work/sorted" || complain "$what: other accesses of far memory"
}

# Invalid accesses, with the real run-time system.
for options in "-O0 -g" "-O2 -g" "-O2 -g --inst"; do
	# shellcheck disable=SC2086
	"$upcc" $options "$here/programs/wild.upc" -o "$real"
	for node in '' 1; do
		number=0
		for expected in '13: access through a null pointer-to-shared' '18: access through a pointer-to-shared' \
			'23: access through a null pointer-to-shared'; do
			number=$((number + 1))
			if UPC_NODE_SIZE=$node timeout "$seconds" "$real" -n 2 -shared-heap 16M $number >"$work/said" 2>&1; then
				complain "$options, node size '$node': invalid access $number is not detected"
			fi
			grep -q "^upc: thread 1: .*wild.upc:$expected" "$work/said" ||
				{ cat "$work/said"; complain "$options, node size '$node': invalid access $number has another message"; }
		done
	done
done
for bad in 0 -1 x 2x 1025; do
	if UPC_NODE_SIZE=$bad timeout "$seconds" "$real" -n 2 >"$work/said" 2>&1; then
		complain "UPC_NODE_SIZE=$bad is accepted"
	fi
	grep -q "^upc: UPC_NODE_SIZE wants a number" "$work/said" && [ "$(wc -l <"$work/said")" = 1 ] ||
		{ cat "$work/said"; complain "UPC_NODE_SIZE=$bad is refused in another way"; }
done

with_standin
none='get 0 put 0 copy 0 set 0 order 0 strict 0'
for options in -O0 -O1 -O2 "-O2 --inst" "-O2 -g -fupc-threads=2" "-O0 --inst"; do
	what=$options
	# shellcheck disable=SC2086
	"$upcc" $options "$here/programs/far.upc" -o "$program"
	counts "$none" more
	UPC_NODE_SIZE=2 counts "$none" more
	UPC_NODE_SIZE=1 counts 'get 7 put 6 copy 4 set 0 order 3 strict 2'
	UPC_NODE_SIZE=1 counts 'get 10 put 6 copy 4 set 0 order 3 strict 2' more
	# Near threads whose numbers are not consecutive: their memory is still accessed directly.
	UPC_NODE_APART=1 UPC_NODE_SIZE=1 counts 'get 10 put 6 copy 4 set 0 order 3 strict 2' more
	# Without far memory, functions do not check whether a thread's memory is near.
	case $options in
	-O0*) ;;
	*) UPC_POISON=1 counts "$none" ;;
	esac
done

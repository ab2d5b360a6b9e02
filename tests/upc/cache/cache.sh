#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# cache.sh PART: heddle/upc_cache.h. PARTS:
#   model    random use against a model, in shared memory, with nodes of one and two threads, dynamic and static THREADS
#   tuned    the tuned examples print what the originals print
#   network  both on the ranks of a launcher, over TCP
#   events   a program with --inst reports each get that the cache served, and each miss
#   use      the header alone, the library's source compiled with the program, the aliases; wrong use prints one line
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
cache=$here/cache failed=0

fail() {
	echo "failed: $*"
	[ ! -s "$work/output" ] || head -n 5 "$work/output"
	failed=1
}

# compile NAME ARGUMENT...: compiles the program NAME by heddle upcc, without options for the cache
compile() {
	"$HEDDLE_BUILD/bin/heddle" upcc -O2 -g -Wall -Wextra -Wshadow -Werror -o "$work/$1" "${@:2}" -lm > "$work/output" 2>&1 ||
		{ fail "$1 is not compiled"; return 1; }
}

# says TEXT WHAT COMMAND...: the command succeeds, and its last line is TEXT
says() {
	timeout "$seconds" "${@:3}" > "$work/output" 2>&1 < /dev/null && [ "$(tail -n 1 "$work/output")" = "$1" ] || fail "$2"
}

model() {
	local threads node nodes=([1]=0 [2]=1 [3]="0 1 2" [4]=2 [7]="0 1")
	compile model "$cache/cache_model.upc" || return
	for threads in 1 2 3 4 7; do
		for node in ${nodes[threads]}; do
			unset UPC_NODE_SIZE
			[ "$node" = 0 ] || export UPC_NODE_SIZE="$node"
			says "${seeds:=150} seeds: right" "model, $threads threads, nodes of $node" "$work/model" -n "$threads" "$seeds" $((1000 * threads + 200 * node))
		done
		[[ $threads =~ [134] ]] || continue # one, odd, a power of two
		compile "model-$threads" -fupc-threads="$threads" "$cache/cache_model.upc" || return
		says "60 seeds: right" "model, static $threads" env UPC_NODE_SIZE=1 "$work/model-$threads" 60 5
	done
	unset UPC_NODE_SIZE
}

# The programs, with little work: less than a tile, and more than one tile if that is quick.
programs() {
	cat <<- 'LIST'
		cc 300 1000
		cc 30000 90000
		stencil 3 10
		stencil 2 300
		sparse 2 1
		sparse 2000 3
		histogram 1
		histogram 200000
		dot 1
		dot 150000
	LIST
}

tuned() {
	local name arguments threads node
	while read -r name arguments; do
		[ -x "$work/$name" ] || compile "$name" "$HEDDLE_SOURCE/examples/$name.upc" || continue
		[ -x "$work/${name}_tuned" ] || compile "${name}_tuned" "$cache/tuned/${name}_tuned.upc" || continue
		for threads in 1 2 3 7; do
			for node in 1 2; do
				# shellcheck disable=SC2086
				says "$("$work/$name" -n $threads $arguments)" "$name $arguments, $threads threads, nodes of $node" \
					env UPC_NODE_SIZE=$node "$work/${name}_tuned" -n $threads $arguments
			done
		done
	done < <(programs)
}

# measured OPTION...: prints gets and misses as in the report; nothing if there are none
measured() {
	rm -rf "$work/measured"
	"$HEDDLE_BUILD/bin/heddle" run --sample-hz 0 "$@" -o "$work/measured" -- "$work/hits" > "$work/output" 2> "$work/errors" ||
		{ fail "heddle run $*"; cat "$work/errors"; }
	"$HEDDLE_BUILD/bin/heddle" report --accesses --min 0 "$work/measured" | awk '/ all gets$/ { gsub(",", ""); print $1, $3 }'
}

events() {
	local threads
	compile hits --inst "$cache/hits.upc" || return
	export UPC_NODE_SIZE=1
	for threads in 1 2 3; do
		measured -n "$threads" --trace > "$work/found"
		awk '{ gets += $1; misses += $2 } END { if (gets) print gets, misses }' "$work/output" | diff -u - "$work/found" ||
			fail "gets and misses of $threads threads"
		"$HEDDLE_BUILD/bin/heddle" info --check-trace "$work/measured" > "$work/checked" || { fail "trace"; cat "$work/checked"; }
	done
	"$HEDDLE_BUILD/bin/heddle" report --accesses "$work/measured" > "$work/report"
	grep -Eq '^ +[0-9,]+ +100\.0 +0  hits\.upc:31$' "$work/report" || { fail "no line of hits"; cat "$work/report"; }
	unset UPC_NODE_SIZE
	[ -z "$(measured -n 2)" ] || fail "gets of what is reached directly"
	compile hits "$cache/hits.upc" || return
	[ -z "$(UPC_NODE_SIZE=1 measured -n 2)" ] || fail "events without --inst"
}

network() {
	local launcher ranks name arguments over
	need_network
	over=(bash -c "$(declare -f launch); launch \"\$@\"" -)
	export UPC_NODE_SIZE=1 UCX_TLS=tcp,self
	compile model "$cache/cache_model.upc" || return
	for launcher in "${found[@]}"; do
		for ranks in 2 3 4; do
			says "15 seeds: right" "model, $ranks ranks of $launcher" "${over[@]}" "$launcher" "$ranks" "$work/model" 15 "$ranks"
		done
	done
	while read -r name arguments; do
		[ -x "$work/${name}_tuned" ] || compile "${name}_tuned" "$cache/tuned/${name}_tuned.upc" || continue
		# shellcheck disable=SC2086
		timeout "$seconds" "${over[@]}" "${found[0]}" 3 "$work/${name}_tuned" $arguments > "$work/output" 2>&1 < /dev/null
		grep -q "^$name: 3 UPC threads, .*: verified$" "$work/output" || fail "$name $arguments over the network"
	done < <(programs)
}

# wrong NAME TEXT, statements on standard input: the program ends with an error status and a line with TEXT
wrong() {
	{
		printf '#include <upc_relaxed.h>\n#include <heddle/upc_cache.h>\n'
		printf 'static shared int x[10 * THREADS];\nstatic shared [] char *nowhere;\nint main(void)\n{\n\tint one = 1;\n'
		printf '\tx[MYTHREAD] = one, (void)nowhere;\n'
		cat
		printf '\treturn 0;\n}\n'
	} > "$work/$1.upc"
	compile "$1" "$work/$1.upc" || return
	UPC_NODE_SIZE=1 timeout "$seconds" "$work/$1" -n 2 > "$work/output" 2>&1 < /dev/null && fail "$1 succeeds"
	grep -q "^heddle_cache: thread [01]: $2" "$work/output" || fail "$1 does not say: $2"
}

use() {
	printf '#include <heddle/upc_cache.h>\n#include <heddle/upc_cache.h>\n' > "$work/alone.upc"
	for options in -std=c99 -std=gnu17 -fupc-threads=2; do
		compile alone.o -c "$options" "$work/alone.upc"
	done
	compile aliases "$cache/aliases.upc" && says "aliases: right" "aliases" env UPC_NODE_SIZE=1 "$work/aliases" -n 3
	if compile late "$cache/late.upc"; then
		for policy in 0 1 2; do
			says "late: right" "late, policy $policy" env UPC_NODE_SIZE=1 "$work/late" -n 3 "$policy"
			says "late: right" "late, reachable, policy $policy" "$work/late" -n 3 "$policy"
		done
	fi
	compile along -I"$HEDDLE_SOURCE/include" "$cache/aliases.upc" "$HEDDLE_SOURCE/upc/cache/upc_cache.upc" &&
		says "aliases: right" "compiled along" env UPC_NODE_SIZE=1 "$work/along" -n 3
	compile inst --inst "$cache/aliases.upc" && says "aliases: right" "with events" env UPC_NODE_SIZE=1 "$work/inst" -n 3
	wrong unfinished 'heddle_cache_finish_download: called without heddle_cache_start_download' <<- 'END'
		heddle_cache_finish_download(heddle_cache_open(x, 10, HEDDLE_CACHE_ARBITRARY));
	END
	wrong twice 'heddle_cache_start_upload: called twice without heddle_cache_finish_upload' <<- 'END'
		heddle_cache_t *cache = heddle_cache_open(x, 10, HEDDLE_CACHE_ARBITRARY);
		heddle_cache_start_upload(cache);
		heddle_cache_start_upload(cache);
	END
	wrong late 'heddle_cache_hint: called between start_download and finish_download' <<- 'END'
		heddle_cache_t *cache = heddle_cache_open(x, 10, HEDDLE_CACHE_ARBITRARY);
		heddle_cache_start_download(cache);
		heddle_cache_hint(cache, 1 - MYTHREAD);
	END
	wrong forgotten 'heddle_cache_close: 1 elements were put and not uploaded' <<- 'END'
		heddle_cache_t *cache = heddle_cache_open(x, 10, HEDDLE_CACHE_ARBITRARY);
		heddle_cache_put(cache, 1 - MYTHREAD, &one);
		heddle_cache_close(cache);
	END
	wrong other 'a value of 8 bytes, but the array.s elements have 4' <<- 'END'
		double value;
		heddle_cache_t *cache = heddle_cache_open(x, 10, HEDDLE_CACHE_ARBITRARY);
		heddle_cache_get(cache, 1 - MYTHREAD, &value);
	END
	wrong negative 'index -[12] is out of range' <<- 'END'
		heddle_cache_t *cache = heddle_cache_open(x, 10, HEDDLE_CACHE_ARBITRARY);
		heddle_cache_hint(cache, -1); /* thread 1's; -2 is thread 0's: each reports the other's; the first one ends both */
		heddle_cache_hint(cache, -2);
	END
	wrong null 'heddle_cache_open: the array is a null pointer' <<- 'END'
		heddle_cache_open(nowhere, 10, HEDDLE_CACHE_ARBITRARY);
	END
}

"$1"
exit $failed

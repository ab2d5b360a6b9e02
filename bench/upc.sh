#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of the bundled UPC compiler's code, with 2 threads: each form of access compared with plain C, with static and
# dynamic THREADS, and with --inst but without a tool; accesses within a node in a program on two nodes (3 threads,
# UPC_NODE_SIZE=2); typical kernels, also under Heddle; compile time.
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
have "$upcc" "the UPC compiler" "clang-N, llvm-N-dev, libclang-N-dev" || exit 77
have "$heddle" heddle "./dev build" || exit 77

# On some processors, the alignment of a jump or a loop doubles its time; this must not affect the comparison.
flags=(-O2 -mbranches-within-32B-boundaries -falign-functions=64 -falign-loops=64)

# make_all NAME OBJECTS...: builds the program in all four ways
make_all() {
	local name=$1
	shift
	"$upcc" "${flags[@]}" "$here/$name.upc" "$@" -o "$work/$name.dynamic"
	"$upcc" "${flags[@]}" "$here/$name.upc" "$@" -o "$work/$name.static" -fupc-threads=2
	"$upcc" "${flags[@]}" "$here/$name.upc" "$@" -o "$work/$name.dynamic_inst" --inst
	"$upcc" "${flags[@]}" "$here/$name.upc" "$@" -o "$work/$name.static_inst" --inst -fupc-threads=2
}
ways=(dynamic static dynamic_inst static_inst)

machine
"$CC" "${flags[@]}" -c "$here/upc_access_plain.c" -o "$work/plain.o"
make_all upc_access "$work/plain.o"
make_all upc_kernels
for _ in $(seq "$repeats"); do
	for way in "${ways[@]}"; do
		"$work/upc_access.$way" -n 2 300 | sed "s/^/$way\t/"
	done
done > "$work/accesses"
echo "least of $repeats runs; aim: twice Berkeley UPC's speed, as a ratio to plain C"
awk -F'\t' '
	function take(list, key, value) { if (!(key in list) || value < list[key]) list[key] = value }
	function ratio(way, name) { return least[way "\t" name] / plain[way "\t" name] }
	{ if (!($2 in aim)) order[++count] = $2
	  take(least, $1 "\t" $2, $3)
	  take(plain, $1 "\t" $2, $4)
	  aim[$2] = $5 }
	END { printf "%-34s %7s %8s %7s %8s %7s %5s %12s %11s\n", "an access", "C, ns", "dynamic", "x C", "static", "x C", "aim",
		"--inst x dyn", "x static"
	for (i = 1; i <= count; i++) { n = order[i]; d = ratio("dynamic", n); s = ratio("static", n)
		printf "%-34s %7.2f %8.2f %7.2f %8.2f %7.2f %5s %12.2f %11.2f\n", n, plain["dynamic\t" n], least["dynamic\t" n], d,
			least["static\t" n], s, (aim[n] > 0 ? sprintf("%.1f", aim[n]) : "-"),
			ratio("dynamic_inst", n) / d, ratio("static_inst", n) / s } }' "$work/accesses"

# Forms that only access memory of the thread's own node; each as a ratio to the same program on one node.
for _ in $(seq "$repeats"); do
	"$work/upc_access.dynamic" -n 3 300 | sed 's/^/one\t/'
	UPC_NODE_SIZE=2 "$work/upc_access.dynamic" -n 3 300 | sed 's/^/several\t/'
done > "$work/nodes"
echo
awk -F'\t' '
	$2 ~ /^(shared|\[N\]|strict|forall|cyclic a.*(\+MYTHREAD|\+= THREADS))/ {
		if (!($2 in seen)) order[++count] = $2
		seen[$2] = 1
		if (!(($1, $2) in least) || $3 < least[$1, $2]) least[$1, $2] = $3 }
	END { printf "%-34s %12s %14s %7s\n", "an access within the node", "one node, ns", "of several, ns", "ratio"
	for (i = 1; i <= count; i++) { n = order[i]
		printf "%-34s %12.2f %14.2f %7.2f\n", n, least["one", n], least["several", n],
			least["several", n] / least["one", n] } }' "$work/nodes"

# under_heddle WAY [OPTION...]
under_heddle() { "$heddle" run "${@:2}" -n 2 -o "$work/out.$RANDOM$RANDOM" -- "$work/upc_kernels.$1" 20; }
: > "$work/results"
for _ in $(seq "$repeats"); do
	for way in "${ways[@]}"; do
		"$work/upc_kernels.$way" -n 2 20 | record "$way"
	done
	under_heddle dynamic --sample-hz 0 2> "$work/errors" | record heddle
	under_heddle dynamic_inst --sample-hz 0 2> "$work/errors" | record heddle_inst
	under_heddle dynamic_inst 2> "$work/errors" | record heddle_inst_1kHz
	under_heddle dynamic_inst --inst-time all 2> "$work/errors" | record heddle_all_1kHz
	rm -rf "$work"/out.*
done
echo
for key in stencil product update get; do
	unit=us
	[ $key = get ] && unit='ns each'
	table $key "$unit" dynamic dynamic_inst static static_inst heddle heddle_inst heddle_inst_1kHz heddle_all_1kHz
done

# Typical functions, about 2,000 lines; the same text is UPC and, with other keywords, C.
for i in $(seq 80); do
	cat <<-END
		SHARED double a${i}[64 * THREADS], b${i}[64 * THREADS];
		SHARED BLOCK int c${i}[64 * THREADS];
		double dot${i}(int n)
		{
			double sum = 0;
			FORALL(int i = 0, i < n, i++, &a${i}[i])
			{
				if (a${i}[i] > b${i}[i])
					sum += a${i}[i] * b${i}[i];
				else
					sum -= b${i}[i];
			}
			return sum;
		}
		void shift${i}(int n, int by)
		{
			for (int i = 0; i < n - by; i++)
				c${i}[i] = c${i}[i + by] + 1;
			BARRIER;
		}
		int most${i}(int n)
		{
			int most = c${i}[0];
			for (int i = 1; i < n; i++)
				if (c${i}[i] > most)
					most = c${i}[i];
			return most;
		}
	END
done > "$work/body"
{ printf '#define SHARED shared\n#define BLOCK [8]\n#define BARRIER upc_barrier\n'
	printf '#define FORALL(a, b, c, d) upc_forall (a; b; c; d)\n'; cat "$work/body"; } > "$work/lines.upc"
{ printf '#define SHARED\n#define BLOCK\n#define BARRIER barrier()\nvoid barrier(void);\n#define THREADS 2\n'
	printf '#define FORALL(a, b, c, d) for (a; b; c)\n'; cat "$work/body"; } > "$work/lines.c"
seconds() { local start=$EPOCHREALTIME; "$@"; echo "seconds $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')"; }
: > "$work/results"
for _ in $(seq "$repeats"); do
	seconds "$CC" -O2 -c "$work/lines.c" -o "$work/lines.o" | record clang
	seconds "$upcc" -O2 -c "$work/lines.upc" -o "$work/lines.o" | record heddle_upcc
	seconds "$upcc" -O2 -c -g "$work/lines.upc" -o "$work/lines.o" | record heddle_upcc_g
	seconds "$upcc" -O2 -c --inst "$work/lines.upc" -o "$work/lines.o" | record heddle_upcc_inst
done
echo
echo "compiling $(wc -l < "$work/lines.upc") lines"
table seconds s clang heddle_upcc heddle_upcc_g heddle_upcc_inst

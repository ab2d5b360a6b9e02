#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle doctor --network`: in shared memory, as ranks of a launcher, and starting a launcher itself; the file that it
# writes; what it refuses. The only relations of times that are tested hold on any machine under any load.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
# shellcheck source=tests/support/quick_doctor.sh
. "$HEDDLE_SOURCE/tests/support/quick_doctor.sh"
heddle=$HEDDLE_BUILD/bin/heddle
cd "$work" || exit 1
failed=0

check() {
	local what=$1
	shift
	"$@" || { echo "FAILED: $what"; failed=1; head -n 40 out; }
}

# value FILE NAME
value() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }

# at_least A B: A > 0 and A >= B
at_least() { awk -v a="${1:-0}" -v b="$2" 'BEGIN { exit !(a > 0 && a >= b) }'; }

# left: prints the files that a run has left behind, which it must not
left() { find . "${TMPDIR:-/tmp}" -maxdepth 1 -newer started -name 'heddle-network-*'; }

unset UPC_NODE_SIZE UCX_TLS
touch started
TMPDIR=$work "$heddle" doctor --network -o here.network > out 2>&1
check "shared memory: exit status" [ $? -eq 0 ]
check "shared memory: head" grep -q '^Accesses of 2 UPC threads on 1 node, host ' out
check "shared memory: gets" grep -Eq '^get of 8 bytes +[0-9.]+ us +[0-9.]+ us$' out
check "80 columns" [ "$(wc -L < out)" -le 80 ]
check "file: first line" [ "$(head -n 1 here.network)" = "heddle-network 1" ]
check "file: threads" [ "$(value here.network threads)" = 2 ]
check "file: a get takes time" at_least "$(value here.network get.same-node.one.8)" 0
check "file: more takes longer" \
	at_least "$(value here.network memget.same-node.one.262144)" "$(value here.network memget.same-node.one.64)"
check "file: no remote accesses in shared memory" [ "$(grep -c remote. here.network)" -eq 0 ]
check "the file is the only thing left" [ -z "$(left)" ]

"$heddle" doctor --network -o here.network > out 2>&1
check "existing file: exit status 6" [ $? -eq 6 ]
check "existing file: message" grep -q "can't write here.network: File exists: choose another" out
PMI_RANK=1 PMI_SIZE=2 timeout "${HEDDLE_TEST_SECONDS:-240}" "$heddle" doctor --network -o here.network > out 2>&1
check "existing file: exit status 6 of other ranks" [ $? -eq 6 ]
check "existing file: no message of other ranks" [ ! -s out ]
"$heddle" doctor -o other.network > out 2>&1
check "-o without --network: exit status 2" [ $? -eq 2 ]
"$heddle" doctor --network -n 1 > out 2>&1
check "-n 1: exit status 2" [ $? -eq 2 ]
"$heddle" doctor --network --launcher "mpirun 'x" > out 2>&1
check "open quote: exit status 2" [ $? -eq 2 ]
"$heddle" doctor --network --launcher "$work/none -n 2" > out 2>&1
check "no such launcher: exit status 1" [ $? -eq 1 ]
check "no such launcher: message" grep -q "can't start $work/none" out
mkdir bin && cp "$heddle" bin/
bin/heddle doctor --network > out 2>&1
check "an incomplete installation: exit status 1" [ $? -eq 1 ]
check "an incomplete installation: message" grep -q 'is missing: build or install Heddle with its UPC compiler' out

[ -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ] || { echo "left out: launchers: the network was not built"; exit $failed; }
export UCX_TLS=tcp,self
heddle=$(quick_doctor "$work/quick") || { echo "FAILED: no quick doctor"; exit 1; }
# The last launcher starts the command; the first one is started by it. A measurement takes long, so each is done once.
for launcher in $(launchers | tail -n 1); do
	rm -f far.network
	UPC_NODE_SIZE=1 launch "$launcher" 2 "$heddle" doctor --network -o far.network > out 2>&1
	check "$launcher: exit status" [ $? -eq 0 ]
	check "$launcher: one table" [ "$(grep -c '^Accesses of 2 UPC threads on 2 nodes, host' out)" -eq 1 ]
	for rank in 0 1; do
		check "$launcher: where $rank listens" grep -Eq "^Thread $rank on .* listens at 127\.0\.0\.1:[0-9]+$" out
		check "$launcher: the file has the address of rank $rank" grep -Eq "^listens $rank on .* at 127\.0\.0\.1:[0-9]+$" far.network
	done
	check "$launcher: the file has the settings" grep -q '^settings .*UCX_TLS=tcp,self' far.network
	check "$launcher: remote gets take longer than those of a node" \
		at_least "$(value far.network get.remote.one.8)" "$(value here.network get.same-node.one.8)"
	check "$launcher: a barrier takes longer than a get of a node" \
		at_least "$(value far.network barrier)" "$(value here.network get.same-node.one.8)"
	for part in get-again put-again local iteration; do
		check "$launcher: cache.$part takes time" at_least "$(value far.network cache.$part)" 0
	done
	for part in loop-got loop-got-low loop-got-high tile-got loop-put tile-put; do
		check "$launcher: $part has sizes" [ "$(grep -c "^$part\.remote\.all\." far.network)" -eq 5 ]
	done
	check "$launcher: quartiles are in order" at_least "$(value far.network loop-got-high.remote.all.1024)" \
		"$(value far.network loop-got-low.remote.all.1024)"
	check "$launcher: a tile takes longer than a get of a node" \
		at_least "$(value far.network loop-got.remote.all.1)" "$(value here.network get.same-node.one.8)"
	check "$launcher: no accesses on the same node" [ "$(grep -c same-node. far.network)" -eq 0 ]
	check "$launcher: no other file is left behind" [ -z "$(left)" ]
done
launcher=$(launchers | head -n 1)
if [ -n "$launcher" ]; then
	script=$(printf '#!/bin/bash\nset -u\n%s\nlaunch %s 3 "$@"\n' "$(declare -f launch)" "$launcher")
	printf '%s\n' "$script" > launcher && chmod +x launcher
	UPC_NODE_SIZE=2 "$heddle" doctor --network --launcher "$work/launcher" > out 2>&1
	check "--launcher: exit status" [ $? -eq 0 ]
	check "--launcher: two nodes" grep -q '^Accesses of 3 UPC threads on 2 nodes' out
	check "--launcher: both kinds of memory" grep -Eq '^memory of +same node +same node +remote +remote$' out
	check "--launcher: no other file is left behind" [ -z "$(left)" ]
	launch "$launcher" 1 "$heddle" doctor --network > out 2>&1
	check "one rank: message" grep -q 'needs 2 threads or more' out
fi
exit $failed

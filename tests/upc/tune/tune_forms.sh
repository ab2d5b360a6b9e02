#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tune_forms.sh FOLDER: tunes the loop at the line with `here` in each program of that folder, with the options in the
# program's first line. The tuned program must do what the original does: if each thread is a separate node, by --check;
# if memory is shared, where the tuned program executes the original's loop, by its output. In every other program, two
# threads share a node: then --check has both cases, as compilers take most of the time. Lines `/* has: REGEX */` and
# `/* lacks: REGEX */` of a program say what the tuned program must or must not contain.
set -u
# shellcheck source=tests/support/patience.sh
. "$HEDDLE_SOURCE/tests/support/patience.sh"
heddle=$HEDDLE_BUILD/bin/heddle
folder=$HEDDLE_SOURCE/tests/upc/tune/$1
unset UPC_NODE_SIZE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
count=0

complain() {
	echo "FAILED: $*"
	bad=1
}

check_text() {
	local kind pattern
	while read -r _ kind pattern; do
		pattern=${pattern% \*/}
		grep -v '^/\* \(has\|lacks\): ' tuned.upc | grep -Eq -- "$pattern"
		case $kind$? in
		has:1) complain "$1: no line like '$pattern'" ;;
		lacks:0) complain "$1: a line like '$pattern'" ;;
		esac
	done < <(grep -E '^/\* (has|lacks): ' "$1")
}

cp "$folder"/*.h . 2>/dev/null
for program in "$folder"/*.upc; do
	name=$(basename "$program")
	cp "$program" .
	read -r -a options < <(sed -n '1s|/\* \(.*\) \*/|\1|p' "$name")
	line=$(grep -n 'here' "$name" | cut -d: -f1)
	rm -f tuned.upc
	if ! in_time "$heddle" tune "$name" --loop "$name:$line" "${options[@]}" -o tuned.upc 2>messages; then
		complain "$name is refused: $(cat messages)"
		continue
	fi
	check_text "$name"
	node=$((1 + count++ % 2))
	UPC_NODE_SIZE=$node in_time "$heddle" tune "$name" --loop "$name:$line" "${options[@]}" --check -n 1,2,3,7 --runs 2 \
		>messages 2>&1 || complain "$name: $(cat messages tuned.upc)"
	! grep 'cannot be built with the code' messages || complain "$name: contents are not compared"
	[ $node = 1 ] || continue
	"$heddle" upcc -w "$name" -o original -lm && "$heddle" upcc -w tuned.upc -o tuned -lm || complain "$name is not compiled"
	for threads in 1 3; do
		UPC_THREADS=$threads in_time ./original >original.out
		UPC_THREADS=$threads in_time ./tuned >tuned.out
		cmp -s original.out tuned.out || complain "$name, in shared memory, $threads threads: $(cat tuned.out)"
	done
done
[ $bad -ne 0 ] || echo "$(find . -name '*.upc' ! -name tuned.upc | wc -l) programs are right"
exit $bad

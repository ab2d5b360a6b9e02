#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle tune` refuses each text of tune_refused.txt, with status 9 and one line with the reason, and writes no file.
set -eu
heddle=$HEDDLE_BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
count=0

# Tries one text: its options, its reason, its lines.
try() {
	local name=$1 reason=$3 options status=0 line
	count=$((count + 1))
	read -ra options <<<"$2"
	line=$( (grep -n '/\* here \*/' case.upc || grep -n 'upc_forall' case.upc) | head -1 | cut -d: -f1)
	"$heddle" tune case.upc --loop "case.upc:$line" "${options[@]}" -o out.upc >stdout 2>stderr || status=$?
	if [ $status -ne 9 ] || [ "$(grep -c '^heddle' stderr)" -ne 1 ] || ! grep -Eq -- "^heddle: tune: case.upc:.*($reason)" stderr ||
		[ -s stdout ] || [ -e out.upc ]; then
		echo "FAILED: $name: status $status; wanted 9 and '$reason':"
		cat stderr
		rm -f out.upc
		bad=1
	fi
}

name=
while IFS= read -r text; do
	case $text in
	'==== '*)
		[ -z "$name" ] || try "$name" "$arguments" "$reason"
		read -r _ name arguments <<<"$text"
		reason=
		printf '%s\n' '#include <upc_relaxed.h>' \
			'static shared int a[9 * THREADS], b[9 * THREADS]; static int own[9];' >case.upc
		;;
	*)
		if [ -n "$name" ] && [ -z "$reason" ]; then
			reason=$text
		else
			printf '%s\n' "$text" >>case.upc
		fi
		;;
	esac
done <"$HEDDLE_SOURCE/tests/upc/tune/tune_refused.txt"
try "$name" "$arguments" "$reason"

brackets=$(printf '%2000s' '')
printf '%s\n' 'static shared int a[9 * THREADS], b[9 * THREADS];' 'void f(void)' '{' '	upc_forall (int i = 0; i < 9; i++; i)' \
	"		b[i] = ${brackets// /(}a[i + 1]${brackets// /)};" '}' >case.upc
try deep '--variable a' 'the source does not compile'
echo "$count loops refused"
[ "$count" -gt 50 ] || bad=1
exit $bad

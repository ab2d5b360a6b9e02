#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle upcc`: which options each UPC compiler is given, and what programs are linked with. The compilers here are
# stand-ins: scripts that say what a real one says of its version, and print their arguments.
set -u
heddle=$HEDDLE_BUILD/bin/heddle
library=$HEDDLE_BUILD/lib
headers=$HEDDLE_BUILD/include
bridge=$HEDDLE_BUILD/share/heddle/bridge.upc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HEDDLE_CC HEDDLE_CXX HEDDLE_UPCC
bad=0
count=0

# stand_in NAME VERSION-TEXT
stand_in() {
	mkdir -p bin
	cat >"bin/$1" <<END_SCRIPT
#!/bin/sh
case " \$* " in
*" --version "*) cat "$work/$1.version"; exit 0 ;;
*" -v "*) cat "$work/$1.version" >&2; exit 0 ;;
esac
printf '%s\n' "\$@"
exit 7
END_SCRIPT
	chmod +x "bin/$1"
	printf '%s\n' "$2" >"$1.version"
}
stand_in upcc 'This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0
  UPC Runtime | v. 2020.4.0, built by gcc and clang-upc2c'
stand_in gupc 'gupc (GNU UPC) 5.2.0 20150818 (GNU UPC 5.2.0.1)'
stand_in clang-upc 'clang version 3.9.1 (Clang UPC 3.9.1-1)'
stand_in craycc 'Cray C : Version 8.7.5'
stand_in otherupc 'Another UPC 1.0'
printf 'GASP_UPC_GET\nGASP_UPC_PUT\n' >events.list
printf 'GASP_UPC_GET\nGASP_C_FUNC\n' >functions.list

# given COMPILER "HEDDLE'S AND THE COMPILER'S ARGUMENTS" EXPECTED...: the compiler gets just these, -I aside; its status.
given() {
	local compiler=$1 arguments=$2 got
	shift 2
	count=$((count + 1))
	# shellcheck disable=SC2086
	HEDDLE_UPCC="$work/bin/$compiler" "$heddle" upcc $arguments >all 2>stderr
	got=$?
	grep -vxF -- "-I$headers" all >stdout
	printf '%s\n' "$@" >expected
	if [ $got -ne 7 ] || ! cmp -s expected stdout || [ "$(wc -l <all)" -ne $(($# + 1)) ]; then
		echo "FAILED: $compiler given $arguments: status $got, wanted 7; arguments:"
		diff expected stdout
		cat stderr
		bad=1
	fi
}

# refused STATUS PATTERN COMMAND...
refused() {
	local status=$1 pattern=$2 got
	shift 2
	count=$((count + 1))
	"$@" >stdout 2>stderr </dev/null
	got=$?
	if [ $got -ne "$status" ] || [ "$(wc -l <stderr)" -ne 1 ] || ! grep -Eq -- "$pattern" stderr; then
		echo "FAILED: $*: status $got, wanted $status and a line like '$pattern':"
		cat stderr
		bad=1
	fi
}
link_options=("-L$library" "-Wl,-rpath,$library" "-Wl,--no-as-needed" -lheddle)
berkeley=(--inst-toolname=heddle -lines --inst)

for compiler in upcc gupc clang-upc craycc otherupc; do
	given $compiler '-T 4 a.upc -o a' -T 4 a.upc -o a
	given $compiler '--inst --noinst a.upc' a.upc
done
given upcc '--inst -c a.upc' "${berkeley[@]}" -c a.upc
given upcc '--inst -trans a.upc' "${berkeley[@]}" -trans a.upc
given upcc '--inst -E a.upc' "${berkeley[@]}" -E a.upc
given upcc '-T 4 a.upc --inst-local -o a' "${berkeley[@]}" --inst-local "$bridge" -T 4 a.upc -o a "${link_options[@]}"
given upcc '--inst-functions -c a.upc' "${berkeley[@]}" -inst-functions -c a.upc
given upcc '--inst-only events.list a.o' "${berkeley[@]}" --inst-only events.list "$bridge" a.o "${link_options[@]}"
given upcc '--inst-only functions.list -c a.upc' "${berkeley[@]}" -inst-functions --inst-only functions.list -c a.upc
given upcc '--profile-local -c a.upc' "${berkeley[@]}" --inst-local -c a.upc
given upcc '--inst -V' "${berkeley[@]}" -V
for compiler in gupc clang-upc; do
	given $compiler '--inst -c a.upc' -fupc-instrument -fupc-debug -c a.upc
	given $compiler '--inst-functions a.upc' -fupc-instrument -fupc-instrument-functions -fupc-debug "$bridge" a.upc \
		"${link_options[@]}"
	given $compiler '--inst-functions --inst-only events.list -S a.upc' -fupc-instrument -fupc-debug -S a.upc
done
given craycc '--inst -h upc a.c' -h upc a.c
grep -q "^heddle: upcc: Cray's compiler has no GASP events" stderr || { echo "FAILED: nothing is said of Cray"; bad=1; }
given otherupc '--inst-local --inst-functions -c a.upc' --inst --inst-local --inst-functions -c a.upc
given otherupc '--profile a.upc' --inst "$bridge" a.upc "${link_options[@]}"

# A name tells where the words don't.
stand_in my-gupc '5.2.0'
given my-gupc '--inst -c a.upc' -fupc-instrument -fupc-debug -c a.upc

# A Heddle built without its UPC compiler.
mkdir -p without/bin
cp "$heddle" without/bin/
ln -s "$HEDDLE_BUILD/lib" "$HEDDLE_BUILD/share" "$HEDDLE_BUILD/include" without/
without=$work/without/bin/heddle

# The search: the variable, the option above it, then names on PATH.
count=$((count + 1))
PATH=$work/bin:$PATH "$without" upcc --inst -c a.upc | grep -qxF -- -lines || { echo "FAILED: upcc is not found on PATH"; bad=1; }
count=$((count + 1))
HEDDLE_UPCC=false "$heddle" upcc --with-upcc="$work/bin/gupc" --inst -c a.upc | grep -qxF -- -fupc-instrument ||
	{ echo "FAILED: --with-upcc does not win"; bad=1; }
refused 127 '^heddle: upcc: no compiler found \(upcc, gupc, clang-upc\): install one, or name one with --with-upcc=PATH' \
	env PATH=/nowhere "$without" upcc a.upc
refused 127 "^heddle: upcc: the compiler 'no-upcc' was not found" env HEDDLE_UPCC=no-upcc "$heddle" upcc a.upc
refused 2 '^heddle: upcc: .*link without -static' env HEDDLE_UPCC="$work/bin/upcc" "$heddle" upcc --inst -static a.upc
refused 2 "^heddle: upcc: --inst-only: cannot read 'nowhere'" env HEDDLE_UPCC="$work/bin/upcc" "$heddle" upcc --inst-only nowhere a.upc
echo "$count checks"
exit $bad

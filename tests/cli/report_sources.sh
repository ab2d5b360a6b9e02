#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which source files a page or a report may contain: those that the debug information of the measurement's modules
# names, if they are beside or below these modules, and those below --source-dir; but nothing else that a hostile
# measurement or module names.
. "$HEDDLE_SOURCE/tests/run/lib.sh"
need python3
need "$HEDDLE_CLANG"
make_profile=$HEDDLE_BUILD/tests/make_profile
cd "$work" || exit 1
mkdir -p home/project/sub elsewhere
echo 'the secret' > home/secret
echo 'unnamed' > home/project/unnamed
echo 'a plain file' > elsewhere/moved.c
ln -s "$work/home/secret" home/project/link.c
ln -s "$work/home" home/project/up

# program NAME FILE...: creates an ELF file whose debug information names these files, with a function in each
program() {
	local name=$1 number=0
	shift
	: > "$name.text"
	for file in "$@"; do
		printf '#line 1 "%s"\nint f%d(void) { return %d; }\n' "$file" "$number" "$number" >> "$name.text"
		number=$((number + 1))
	done
	echo 'int main(void) { return 0; }' >> "$name.text"
	"$HEDDLE_CLANG" -x c -g -Wl,--build-id -o "$name" "$name.text" || exit 1
}

# profile NAME PROGRAM FUNCTIONS [FILE...]: creates a profile with a frame in each function of the program, and a region
# in each file
profile() {
	local name=$1 program=$2 functions=$3 number
	shift 3
	mkdir -p "$name"
	{
		printf 'process program %s\nprocess start_directory %s\n' "$program" "$work/home"
		printf 'event 1 user 8 get get\nmodule 1 1 %s %s\n' "$(build_id "$program")" "$program"
		for file in "$@"; do echo "string $file"; done
		echo 'node 0 ROOT 0 0 0'
		for ((number = 0; number < functions; number++)); do echo "node 0 FRAME 0 1 $(address "$program" "f$number")"; done
		for ((number = 0; number < $#; number++)); do echo "source 0 1 $number 1"; done
		echo 'thread 0 -1 main'
			for ((number = 1; number <= functions + $#; number++)); do echo "value samples $number 10"; done
	} > "$name.txt"
	"$make_profile" "$name/p.heddle" < "$name.txt" || exit 1
}
build_id() { readelf -n "$1" | awk '/Build ID/ { print $3 }'; }
address() { nm "$1" | awk -v name="$2" '$3 == name { sub(/^0*/, "", $1); print $1 }'; }

# page NAME [OPTIONS...]: writes $work/NAME.html; prints its sources
page() {
	local name=$1
	shift
	rm -f "$work/$name.html"
	"$heddle" report "$work/$name" --html "$work/$name.html" --sources "$@" > "$work/$name.out" 2> "$work/$name.err" ||
		cat "$work/$name.err"
	sed -n 's|^<script id="data" type="text/plain">\(.*\)</script>$|\1|p' "$work/$name.html" | base64 -d | gzip -d |
		python3 -c 'import json, sys; print("|".join(sorted(t.strip() for t in json.load(sys.stdin)["sources"].values())))'
}
is_page() {
	local wanted=$1 found
	shift
	found=$(page "$@")
	reason="it contains: $found"
	[ "$found" = "$wanted" ] && reason=
}

# The program's own sources, as named by its debug information, beside and below it.
echo 'beside' > home/project/own.c
echo 'below' > home/project/sub/own.c
program home/project/good "$work/home/project/own.c" "$work/home/project/sub/own.c" "$work/elsewhere/moved.c"
profile good "$work/home/project/good" 3
if "$heddle" report good --html probe.html 2>&1 | grep -q 'has no pages'; then
	skip "this build has no pages (esbuild, or the package preact, was missing)"
fi
expect "the program's own sources are embedded" is_page "below|beside" good
expect "what is embedded is listed" grep -qx "  $work/home/project/own.c" good.out
expect "what is left out is named" grep -q "left out 1 of 3 files, such as $work/elsewhere/moved.c: .*--source-dir DIR" good.err
expect "sources below --source-dir are embedded" is_page "a plain file|below|beside" good --source-dir elsewhere

# Regions name files: by an absolute path, relative to the start directory, with .., through links, unknown to debug
# information.
profile regions "$work/home/project/good" 0 /etc/passwd /etc/hostname "$work/home/secret" secret ../home/secret \
	"$work/home/project/../secret" "$work/home/project/link.c" "$work/home/project/up/secret" \
	"$work/home/project/unnamed" unnamed project/unnamed ../../../../../../../../etc/passwd
expect "no source that only regions name" is_page "" regions
expect "in the program's directory" cd home/project
expect "no source from the program's directory" is_page "" regions
cd "$work" || exit 1
expect "no links out of --source-dir" is_page "unnamed|unnamed|unnamed" regions --source-dir "$work/home/project"

# A hostile module, with a compilation directory of its choice.
program elsewhere/evil /etc/passwd "$work/home/secret" ../home/secret "$work/elsewhere/link.c" "$work/elsewhere/../home/secret"
ln -s "$work/home/secret" elsewhere/link.c
profile evil "$work/elsewhere/evil" 5 /etc/passwd "$work/elsewhere/link.c"
expect "no source that a module names in another directory" is_page "" evil
if [ "$(id -u)" = 0 ]; then
	cp home/project/good elsewhere/others
	cp home/project/own.c elsewhere/own.c
	chown 65534 elsewhere/others
	profile others "$work/elsewhere/others" 0 "$work/elsewhere/moved.c"
	expect "no source of another user's module" is_page "" others
fi

# A report of one file has the same limits; files that the user names are below the current directory.
annotated() { "$heddle" report regions --annotate "$@" > annotate.out 2> annotate.err; }
for file in /etc/passwd home/project/../../../../../../../../etc/passwd; do
	expect "$file is not shown" eval "! annotated $file"
	expect "$file: the message names --source-dir" grep -q -- '--source-dir DIR' annotate.err
done
expect "no such directory" eval '! "$heddle" report good --source-dir nowhere 2> annotate.err'
expect "no such directory: one line" grep -q 'report: --source-dir: nowhere: No such file' annotate.err
finish

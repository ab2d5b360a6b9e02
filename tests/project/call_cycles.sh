#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files call each other in one direction: no ring of calls has more than three files, in any folder of the product.
# Calls are found by the names that the build's objects define and use. Exported wrappers (syscall, prctl) are left out:
# their callers mean the C library's functions. First the check is tried on rings of four.
#
# Usage: call_cycles.sh [--all]; --all also prints the smaller rings, and the rings that are listed below.
set -eu

# Folders whose files are linked together: calls between these folders count, too.
programs='
core perf sampling models
upc/runtime
upc/network
upc/translate upc/typing upc/source upc/lower upc/driver
perf profile analysis advise tune export cli
'

# Rings that may be larger: lines "FILES: reason". A ring must be part of such a list.
larger='
'

# list: "FILE T NAME" for each function that a file of the product defines, "FILE U NAME" for each name that it uses.
list() {
	(cd "$HEDDLE_BUILD" && find core perf sampling models upc profile analysis advise tune export cli -name '*.c.o') \
		2>/dev/null >"$work/objects" || :
	sed 's|CMakeFiles/[^/]*\.dir/||; s|\.o$||' "$work/objects" | paste - "$work/objects" |
		while read -r source object; do # objects left over from files that were moved do not count
			[ ! -e "$HEDDLE_SOURCE/$source" ] || echo "$object"
		done >"$work/present"
	(cd "$HEDDLE_BUILD" && xargs -r nm -A <"$work/present") | sed 's|CMakeFiles/[^/]*\.dir/||; s|\.o:| |' |
		awk '$(NF - 1) ~ /^[TUW]$/ && $NF ~ /^(heddle_|hupc_|upc_|__upcrt|profile_|export_)/ {
			print $1, ($(NF - 1) == "U" ? "U" : "T"), $NF }'
}

# check LEAST: prints the rings with at least LEAST files in such a list, with the calls in them; fails if one has more
# than three files and is not listed.
check() {
	awk -v least="$1" -v larger="$larger" '
	BEGIN {
		count = split(larger, lines, "\n")
		for (i = 1; i <= count; i++) {
			split(lines[i], parts, ":")
			words = split(parts[1], word, " ")
			for (j = 1; j <= words; j++)
				listed[word[j], i] = 1
		}
	}
	function is_listed(size,  i, j, all) {
		for (i = 1; i <= count; i++) {
			all = 1
			for (j = 1; j <= size; j++)
				all = all && (members[j], i) in listed
			if (all)
				return 1
		}
		return 0
	}
	{ files[$1] = 1 }
	$2 == "T" { home[$3] = $1 }
	$2 == "U" { uses[$1, $3] = 1 }
	END {
		for (use in uses) {
			split(use, part, SUBSEP)
			to = home[part[2]]
			if (to != "" && to != part[1]) {
				calls[part[1]] = calls[part[1]] " " to
				names[part[1], to] = names[part[1], to] " " part[2]
			}
		}
		for (from in files) {
			seen++
			todo = 1
			list[1] = from
			while (todo) { # all files that it reaches
				at = list[todo--]
				n = split(calls[at], next_files, " ")
				for (i = 1; i <= n; i++)
					if (!((from, next_files[i]) in reaches)) {
						reaches[from, next_files[i]] = 1
						list[++todo] = next_files[i]
					}
			}
		}
		for (from in files) {
			size = 1
			delete members
			members[1] = from
			for (to in files)
				if (to != from && (from, to) in reaches && (to, from) in reaches)
					members[++size] = to
			if (size < 2 || size < least || from in printed)
				continue
			forbidden = size > 3 && !is_listed(size)
			bad = bad || forbidden
			for (i in members)
				printed[members[i]] = 1
			if (least > 3 && !forbidden)
				continue
			print "ring of " size " files:"
			for (i in members)
				for (j in members)
					if ((members[i], members[j]) in names)
						print "  " members[i] " -> " members[j] ":" names[members[i], members[j]]
		}
		if (seen < 4) {
			print "there are no files to check"
			bad = 1
		}
		exit bad
	}'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
four='a.c T heddle__a\na.c U heddle__b\nb.c T heddle__b\nb.c U heddle__c\nc.c T heddle__c\nc.c U heddle__d\nd.c T heddle__d\n'
# shellcheck disable=SC2059
if printf "${four}d.c U heddle__a\n" | check 4 >/dev/null; then
	echo "the check itself is broken: it lets four files call each other"
	exit 1
fi
# shellcheck disable=SC2059
if ! printf "${four}d.c U heddle__b\n" | check 4; then
	echo "the check itself is broken: it finds four files in a ring of three"
	exit 1
fi

least=4
[ "${1-}" != --all ] || least=2
status=0
list >"$work/calls"
if [ ! -s "$work/calls" ]; then
	echo "skipped: this tree has no objects"
	exit 77
fi
echo "$programs" >"$work/programs"
while read -r folders; do
	pattern=$(echo "$folders" | sed 's/ /|/g')
	[ -n "$pattern" ] && grep -E "^($pattern)/" "$work/calls" >"$work/part" || continue # such as UPC without LLVM
	check $least <"$work/part" || status=1
done <"$work/programs"
exit $status

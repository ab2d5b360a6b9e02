#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files of core/ call each other in one direction: no cycle of calls has more than three files. Calls are those that the
# objects of the build make by name. Exported wrappers (syscall, prctl) are left out: a caller of those means the C
# library's function. First the check is tried on a cycle of four.
set -eu
objects=$HEDDLE_BUILD/core/CMakeFiles/heddle_core.dir
if [ ! -d "$objects" ]; then
	echo "skipped: this tree has no objects of core"
	exit 77
fi

# list: "FILE T NAME" for each function that a file defines, "FILE U NAME" for each name that it uses.
list() {
	cd "$objects"
	find . -name '*.c.o' | sed 's|^\./||' | while read -r object; do
		file=${object%.o}
		[ -e "$HEDDLE_SOURCE/core/$file" ] || continue # left over from a file that was moved
		nm "$object" | awk -v file="$file" '$(NF - 1) ~ /^[TU]$/ && $NF ~ /^heddle__/ { print file, $(NF - 1), $NF }'
	done
}

# check: prints the cycles of more than three files in such a list, with the calls in them; fails when there are any.
check() {
	awk '
	{ files[$1] = 1 }
	$2 == "T" { home[$3] = $1 }
	$2 == "U" { uses[$1, $3] = 1 }
	END {
		for (use in uses) {
			split(use, part, SUBSEP)
			to = home[part[2]]
			if (to != "" && to != part[1]) {
				reaches[part[1], to] = 1
				names[part[1], to] = names[part[1], to] " " part[2]
			}
		}
		for (middle in files) # Warshall
			for (from in files)
				if ((from, middle) in reaches)
					for (to in files)
						if ((middle, to) in reaches)
							reaches[from, to] = 1
		for (from in files) {
			count = 1
			cycle = from
			for (to in files) {
				if (to != from && (from, to) in reaches && (to, from) in reaches) {
					count++
					cycle = cycle " " to
				}
			}
			if (count > 3 && !(from in told)) {
				print "cycle of " count " files:"
				split(cycle, members, " ")
				for (i in members)
					for (j in members)
						if ((members[i], members[j]) in names)
							print "  " members[i] " -> " members[j] ":" names[members[i], members[j]]
				for (i in members)
					told[members[i]] = 1
				bad = 1
			}
			seen++
		}
		if (seen < 4) {
			print "there are no files to check"
			bad = 1
		}
		exit bad
	}'
}

four='a.c T heddle__a\na.c U heddle__b\nb.c T heddle__b\nb.c U heddle__c\nc.c T heddle__c\nc.c U heddle__d\nd.c T heddle__d\n'
# shellcheck disable=SC2059
if printf "${four}d.c U heddle__a\n" | check >/dev/null; then
	echo "the check itself is broken: it lets four files call each other"
	exit 1
fi
# shellcheck disable=SC2059
if ! printf "${four}d.c U heddle__b\n" | check; then
	echo "the check itself is broken: it finds four files in a cycle of three"
	exit 1
fi
list >"${TMPDIR:-/tmp}/heddle-calls.$$"
trap 'rm -f "${TMPDIR:-/tmp}/heddle-calls.$$"' EXIT
check <"${TMPDIR:-/tmp}/heddle-calls.$$"

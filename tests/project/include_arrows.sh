#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each folder, and each folder in one, includes only what docs/architecture.md allows; no header includes itself through
# others. First the checks are tried on trees that break the rules.
set -eu
cd "$HEDDLE_SOURCE"

# folder (each folder in one: *), and those it may include besides itself and include/heddle
allowed='
format
perf format
core perf format
core/base perf format
core/tree core/base format
core/modules core/base format
core/host core/base format
core/threads core/base core/tree core/modules format
core/counters core/base core/tree core/modules core/threads perf format
core/blame core/base core/tree core/modules core/threads format
core/writer core/base core/tree core/modules core/host core/threads core/counters core/blame perf format
core/trace core/base core/tree core/host core/threads core/writer format
core/process core/base core/tree core/modules core/host core/threads core/counters core/blame core/writer core/trace format
core/wrappers core/base core/tree core/modules core/host core/threads core/counters core/blame core/writer core/process format
sampling/sources core perf format
sampling/unwind core perf format
sampling/path sampling/unwind sampling core perf format
sampling sampling/path sampling/unwind sampling/sources core perf format
models core format
models/* core format
models/ompt2015 models/ompt core format
profile/base format
profile/file profile/base format
profile/names profile/file profile/base format
profile/view profile/names profile/file profile/base format
profile/merge profile/view profile/file profile/base format
profile/trace profile/file profile/base format
analysis profile format
export analysis profile format
cli/base analysis profile perf format
tune cli/base analysis profile format
cli export tune analysis profile perf format
upc/abi.h
upc/update.h upc/abi.h
upc/network/network.h
upc/network
upc/translate upc/abi.h
upc/typing upc/translate
upc/source upc/typing upc/translate
upc/lower upc/translate upc/abi.h upc/update.h
upc/driver upc/lower upc/source upc/typing upc/translate upc/abi.h
upc/runtime/base upc/abi.h
upc/runtime/events upc/runtime/base
upc/runtime/messages upc/network/network.h
upc/runtime/end upc/runtime/messages upc/runtime/events upc/runtime/base upc/abi.h
upc/runtime/memory upc/runtime/end upc/runtime/messages upc/runtime/events upc/runtime/base
upc/runtime/sync upc/runtime/memory upc/runtime/end upc/runtime/messages upc/runtime/events upc/runtime/base
upc/runtime/move upc/runtime/sync upc/runtime/memory upc/runtime/end upc/runtime/messages upc/runtime/events upc/runtime/base upc/update.h
upc/runtime/tools upc/runtime/memory upc/runtime/messages upc/runtime/base
upc/runtime/start upc/runtime/tools upc/runtime/sync upc/runtime/memory upc/runtime/end upc/runtime/messages upc/runtime/events upc/runtime/base upc/network/network.h upc/abi.h
upc
'

# check ROOT: prints each bad line; fails if there is one.
check() {
	(cd "$1" && grep -rnE --include='*.c' --include='*.h' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' \
		format perf core sampling models profile analysis export tune cli upc 2>/dev/null) |
		awk -v allowed="$allowed" '
		BEGIN {
			count = split(allowed, lines, "\n")
			for (i = 1; i <= count; i++) {
				words = split(lines[i], word, " ")
				listed[word[1]] = 1
				for (j = 1; j <= words; j++)
					may[word[1], word[j]] = 1
			}
		}
		# Returns the row of a folder; "" if the list has none.
		function row(folder,  any) {
			any = folder
			sub(/[^\/]*$/, "*", any)
			return folder in listed ? folder : any in listed ? any : ""
		}
		# Returns the innermost folder of the file that has a row; the file itself if it has one.
		function folder_of(path) {
			if (path in listed)
				return path
			while (sub(/\/[^\/]*$/, "", path) && row(path) == "")
				;
			return path
		}
		# Returns true if a folder may include `to`, or a folder around it.
		function permits(from, to) {
			do {
				if (from == to || (row(from), to) in may)
					return 1
			} while (sub(/\/[^\/]*$/, "", to))
			return 0
		}
		{
			file = $0
			sub(/:.*/, "", file)
			target = $0
			sub(/^[^"]*"/, "", target)
			sub(/".*/, "", target)
			from = folder_of(file)
			to = folder_of(target)
			if (target ~ /^heddle\// || target ~ /^heddle_profile\.pb-c\.h$/ && from ~ /^(profile|format)/)
				next
			if (target == "pprof.pb-c.h" && from == "export")
				next
			# sources that are installed in one folder, for other compilers
			if (file ~ /^upc\/cache\// && target !~ /\//)
				next
			if (!permits(from, to)) {
				print "not allowed: " $0
				bad = 1
			}
			seen++
		}
		END { if (seen == 0) { print "no include line was found"; bad = 1 } exit bad }'
}

# check_cycles ROOT: prints headers that include each other in a cycle, and fails if there are any.
check_cycles() {
	(cd "$1" && grep -rE --include='*.h' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' \
		format perf core sampling models profile analysis export tune cli upc 2>/dev/null) |
		sed -E 's/^([^:]*):[^"]*"([^"]*)".*/\1 \2/' | tsort >/dev/null
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/core/base" "$work/core/threads" "$work/format" "$work/models/upc" "$work/models/new" "$work/profile/file" "$work/cli" "$work/upc/runtime/memory" "$work/upc/translate"
for bad in 'core cli/run.h' 'models/upc models/ompt/x.h' 'models/new models/upc/x.h' 'models/upc models/new/x.h' \
	'format core/modules/module.h' 'cli core/modules/module.h' 'upc core/modules/module.h' \
	'core/base core/threads/thread.h' 'core/threads core/process/process.h' 'profile/file profile/view/view.h' \
	'upc/runtime/memory upc/runtime/sync/lock.h' 'upc/translate upc/lower/lowering.h'; do
	folder=${bad% *}
	echo "#include \"${bad#* }\"" >"$work/$folder/bad.c"
	if check "$work" >/dev/null; then
		echo "the check itself is broken: it lets $folder include ${bad#* }"
		exit 1
	fi
	rm "$work/$folder/bad.c"
done
echo '#include "core/base/b.h"' >"$work/core/base/a.h"
echo '#include "core/base/a.h"' >"$work/core/base/b.h"
if check_cycles "$work" 2>/dev/null; then
	echo "the check itself is broken: it lets two headers include each other"
	exit 1
fi
check .
check_cycles .

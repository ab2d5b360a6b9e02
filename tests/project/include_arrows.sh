#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each folder includes only what stands to its left (docs/architecture.md). With --self-test: the check finds a bad arrow.
set -eu
cd "$HEDDLE_SOURCE"

# folder, folders it may include besides itself and include/heddle
allowed='
format
core format
sampling core format
models/c core format
models/upc core format
models/ompt core format
profile format
export profile format
cli export profile format
upc
'

# check ROOT: prints each bad line; fails when there is one.
check() {
	(cd "$1" && grep -rnE --include='*.c' --include='*.h' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' \
		format core sampling models profile export cli upc 2>/dev/null) |
		awk -v allowed="$allowed" '
		BEGIN {
			count = split(allowed, lines, "\n")
			for (i = 1; i <= count; i++) {
				words = split(lines[i], word, " ")
				for (j = 1; j <= words; j++)
					may[word[1], word[j]] = 1
			}
		}
		function folder(path,  part) {
			split(path, part, "/")
			return part[1] == "models" ? part[1] "/" part[2] : part[1]
		}
		{
			file = $0
			sub(/:.*/, "", file)
			target = $0
			sub(/^[^"]*"/, "", target)
			sub(/".*/, "", target)
			from = folder(file)
			to = folder(target)
			if (target ~ /^heddle\// || target ~ /^heddle_profile\.pb-c\.h$/ && from ~ /^(profile|format)$/)
				next
			# models/README-like shared files: the table that lists all models
			if (from ~ /^models\/[^\/]*\.[ch]$/ && target ~ /^(core|format|models)\//)
				next
			if (!((from, to) in may)) {
				print "not allowed: " $0
				bad = 1
			}
			seen++
		}
		END { if (seen == 0) { print "no include line was found"; bad = 1 } exit bad }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/core" "$work/format" "$work/models/upc" "$work/cli" "$work/upc"
for bad in 'core cli/run.h' 'models/upc models/ompt/x.h' 'format core/module.h' 'cli core/module.h' 'upc core/module.h'; do
	folder=${bad% *}
	echo "#include \"${bad#* }\"" >"$work/$folder/bad.c"
	if check "$work" >/dev/null; then
		echo "the check itself is broken: it lets $folder include ${bad#* }"
		exit 1
	fi
	rm "$work/$folder/bad.c"
done
check .

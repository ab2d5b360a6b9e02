#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle export`: each format byte for byte, also to a file, and what it refuses.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

check export_folded "$heddle" export m
check export_folded_cpu_time "$heddle" export m --format folded --metric cpu-time
check export_folded_runtime_frames "$heddle" export m --runtime-frames
check export_speedscope "$heddle" export m --format speedscope --metric=cpu-time

"$heddle" export m --format speedscope -o out.json || failed=1
"$heddle" export m --format speedscope | cmp - out.json || failed=1
total=$("$heddle" export m | awk '{sum += $NF} END {print sum}')
[ "$total" = 5000 ] || { echo "samples in folded stacks: $total, taken: 5000"; failed=1; }
"$heddle" export m | grep -vE '^[^ ].* [0-9]+$' && { echo "a line that flame graph programs do not read"; failed=1; }
if command -v python3 >/dev/null; then
	python3 - <<'END' || failed=1
import json
d = json.load(open("out.json"))
n = len(d["shared"]["frames"])
assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
assert all(type(f["name"]) is str and set(f) <= {"name", "file", "line", "col"} for f in d["shared"]["frames"])
assert all(set(p) >= {"type", "name", "unit", "startValue", "endValue", "samples", "weights"} for p in d["profiles"])
assert all(p["unit"] in ("none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes") for p in d["profiles"])
assert [p["name"] for p in d["profiles"]][0] == "all threads" and len(d["profiles"]) == 4
for p in d["profiles"]:
    assert p["type"] == "sampled" and len(p["samples"]) == len(p["weights"])
    assert all(0 <= f < n for s in p["samples"] for f in s) and p["endValue"] == sum(p["weights"])
assert sum(p["endValue"] for p in d["profiles"][1:]) == d["profiles"][0]["endValue"] == 5000
END
fi

# Names with characters that a format interprets.
mkdir odd
printf 'phase a;b"c\\d\351\nnode 0 ROOT 0 0 0\nnode 0 PHASE 0 0 0\nthread 0 -1 main\nvalue samples 0 2\nvalue samples 1 1\n' >odd.txt
"$make_profile" odd/p.heddle <odd.txt
[ "$("$heddle" export odd | head -n 1)" = "[program] 2" ] || { echo "the program's own cost"; failed=1; }
[ "$("$heddle" export odd | tail -n 1)" = "$(printf 'phase a:b"c\\d\357\277\275 1')" ] || { echo "unusual names, folded"; failed=1; }
"$heddle" export odd --format speedscope | grep -qF '"phase a;b\"c\\d\ufffd"' || { echo "unusual names, JSON"; failed=1; }

refuses 2 "--format: 'svg' is unknown" "$heddle" export m --format svg
refuses 2 "--metric: 'x' is unknown" "$heddle" export m --metric x
refuses 7 'no values' "$heddle" export m --metric wall-time
refuses 6 "can't write /nowhere/x" "$heddle" export m -o /nowhere/x
refuses 3 'does not exist' "$heddle" export nowhere

# Existing files are not overwritten; devices and pipes may be written to.
echo precious >kept.json
refuses 6 'kept.json exists' "$heddle" export m -o kept.json
[ "$(cat kept.json)" = precious ] || { echo "an existing file was overwritten"; failed=1; }
"$heddle" export m -o /dev/null || { echo "/dev/null is refused"; failed=1; }
[ "$("$heddle" export m -o /dev/stdout | cksum)" = "$("$heddle" export m | cksum)" ] || { echo "/dev/stdout"; failed=1; }
if [ -w /dev/full ]; then
	refuses 6 "can't write" "$heddle" export m -o /dev/full
	"$heddle" export m >/dev/full 2>err
	[ $? -eq 6 ] && [ "$(wc -l <err)" -eq 1 ] || { echo "no message about a full disk"; cat err; failed=1; }
fi
# A file that could not be written completely is removed.
limited() (
	trap '' XFSZ
	ulimit -f 1
	exec "$heddle" "$@" limited
)
pages=yes
if "$heddle" report m --html probe.html 2>&1 | grep -q 'has no pages'; then
	echo "not tried: pages, which this build has not (esbuild, or the package preact, was missing)"
	pages=
fi
for line in 'export m --format json -o' ${pages:+'report m --html' 'diff m m --html'}; do
	# shellcheck disable=SC2086
	limited $line >said 2>&1
	[ $? -eq 6 ] && grep -q "can't write limited: File too large" said && [ ! -e limited ] ||
		{ echo "$line: a part of a file:"; cat said; ls -l limited; rm -f limited; failed=1; }
done
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle export --format otf2`: libotf2's own reader finds what a trace written by the test has; otf2-print and
# otf2-estimator accept the archive; and what is refused.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"

if [ ! -x "$HEDDLE_BUILD/tests/read_otf2" ]; then
	refuses 1 "was built without libotf2" "$heddle" export t --format otf2 -o o
	[ $failed -eq 1 ] && exit 1
	echo "built without libotf2 (package libopen-trace-format2-dev)"
	exit 77
fi
"$heddle" export t --format otf2 -o o || failed=1
check export_otf2 "$HEDDLE_BUILD/tests/read_otf2" -e o/traces.otf2
if command -v otf2-print >/dev/null; then
	otf2-print --show-all o/traces.otf2 >print 2>err || { echo "otf2-print fails"; failed=1; }
	[ ! -s err ] || { echo "otf2-print complains:"; cat err; failed=1; }
	grep -q 'CALLING_CONTEXT_SAMPLE .*heat+0x1200' print || { echo "no sample in otf2-print's text"; failed=1; }
fi

# Without samples: events only.
mkdir plain
cp t/*.heddle-trace plain
for name in a b; do
	{ traced_process 300 | sed '/sample_hz/d' && printf 'thread 0 -1 main\nthread 1 1 openmp worker\n'; } |
		"$make_profile" plain/$name.heddle
done
"$heddle" export plain --format otf2 -o p || failed=1
"$HEDDLE_BUILD/tests/read_otf2" p/traces.otf2 >plain.txt || { cat plain.txt; failed=1; }
if command -v otf2-print >/dev/null; then
	otf2-print p/traces.otf2 >print || failed=1
	grep -q '^ENTER ' print && ! grep -q '^CALLING_CONTEXT_ENTER' print || { echo "not plain without samples"; failed=1; }
fi

# The trace of a program that was killed before its first thread was recorded; otf2-print refuses an archive without one.
mkdir threadless
traced_process 300 | "$make_profile" threadless/a.heddle
echo 'nodes 14' | "$make_trace" threadless/a.heddle-trace
for format in 'otf2 -o threadless.otf2' chrome; do
	# shellcheck disable=SC2086
	refuses 7 "the trace of threadless has no thread" "$heddle" export threadless --format $format
done
[ ! -e threadless.otf2 ] || { echo "an archive without threads"; failed=1; }

refuses 7 "m has no trace" "$heddle" export m --format otf2 -o n
[ ! -e n ] || { echo "a directory was created without an export"; failed=1; }
refuses 6 'o exists' "$heddle" export t --format otf2 -o o
refuses 2 "writes a directory" "$heddle" export t --format otf2
# If files cannot be written completely, there is a message, as for any other output.
limited() (
	trap '' XFSZ
	ulimit -f 1
	exec "$heddle" export t --format otf2 -o limited
)
limited >said 2>&1
[ $? -eq 6 ] && grep -q "^heddle: export: can't write limited: " said || { echo "no message about a full disk:"; cat said; failed=1; }
[ ! -e limited ] || { echo "a part of an archive is left"; failed=1; }
refuses 6 "can't write /proc/x" "$heddle" export t --format otf2 -o /proc/x
exit $failed

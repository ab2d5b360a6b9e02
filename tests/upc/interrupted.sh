#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A compiler that is ended by a signal at any time leaves nothing in TMPDIR, and ends by that signal, as does the
# command that it was running. Signals that were ignored stay ignored.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
mkdir "$work/temporary" "$work/bin"
TMPDIR=$work/temporary
export TMPDIR
bad=0

# A stand-in for clang that has begun to write, and then waits. Its arguments contain the compiler's own folder.
cat >"$work/bin/$clang" <<'END'
#!/bin/sh
echo $$ >"$STARTED.new"
mv "$STARTED.new" "$STARTED"
exec sleep 60
END
chmod +x "$work/bin/$clang"
echo 'int main(void) { return 0; }' >"$work/x.upc"

# start COMMAND...: runs it in the background until the stand-in for clang runs; signals have their defaults
start() {
	rm -f "$work/started"
	PATH=$work/bin:$PATH STARTED=$work/started python3 -c '
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN if str(int(number)) == sys.argv[1] else signal.SIG_DFL)
os.execv(sys.argv[2], sys.argv[2:])' "$@" &
	pid=$!
	wait_until test -e "$work/started" || { echo "clang was not started"; exit 1; }
}

for number in 1 2 15; do
	start 0 "$upcc" -c "$work/x.upc" -o "$work/x.o"
	[ -n "$(ls "$TMPDIR")" ] || { echo "no folder while it runs"; bad=1; }
	kill -$number $pid
	status=0
	wait $pid || status=$?
	[ $status -eq $((128 + number)) ] || { echo "signal $number: status $status"; bad=1; }
	[ -z "$(ls "$TMPDIR")" ] || { echo "signal $number leaves $(ls "$TMPDIR")"; rm -rf "${TMPDIR:?}"/*; bad=1; }
	if kill -0 "$(cat "$work/started")" 2>/dev/null; then
		echo "signal $number: clang runs on"
		kill "$(cat "$work/started")"
		bad=1
	fi
done

start 1 "$upcc" -c "$work/x.upc" -o "$work/x.o"
kill -1 $pid
sleep 1
kill -0 $pid 2>/dev/null || { echo "an ignored signal ends it"; bad=1; }
kill -15 $pid 2>/dev/null || true
wait $pid || true
[ -z "$(ls "$TMPDIR")" ] || { echo "leaves $(ls "$TMPDIR")"; bad=1; }
exit $bad

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle export --format pprof|json|callgrind|sqlite`: other programs read from it what `heddle report` prints
# (check_formats.py), for measurements written by the test: several processes, ranks, merged files, recursion, hostile
# names.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

if ! python3 -c 'import jsonschema, sqlite3' 2>/dev/null; then
	echo "skipped: python3 with jsonschema and sqlite3 is not installed"
	exit 77
fi
formats="pprof json callgrind sqlite"
if "$heddle" export --format sqlite nowhere -o nothing 2>&1 | grep -q 'built without SQLite'; then
	echo "skipped: this build has no SQLite (package libsqlite3-dev)"
	exit 77
fi
same() { # measurement [option of check_formats.py]
	python3 "$HEDDLE_SOURCE/tests/cli/check_formats.py" "$heddle" "$HEDDLE_SOURCE/docs/json-export.schema.json" "$@" ||
		failed=1
}

same m --http
same upc
for one in m upc; do
	"$heddle" merge $one -o merged-$one.heddle || failed=1
	same merged-$one.heddle
done
[ "$("$heddle" export --format json merged-m.heddle | grep -c '"merged":true')" = 1 ] || { echo "the JSON of a merged file does not say so"; failed=1; }

# Successive threads, of which only the sum is known, and one thread beside them.
mkdir successors
{
	process 100
	printf 'thread 0 -1 main\nvalue cpu-time 2 4000000\n'
	printf 'thread 1 -1 thread\nthread-field threads 9\nvalue cpu-time 5 96000000\n'
} | "$make_profile" successors/a.heddle || exit 1
same successors
"$heddle" export --format sqlite successors -o successors.db || failed=1
got=$(python3 - <<'END'
import sqlite3
print(sqlite3.connect("successors.db").execute(
    "SELECT threads, mean, most, imbalance FROM imbalance ORDER BY total DESC").fetchall())
END
)
wanted='[(10, 10000000.0, None, None), (10, 10000000.0, None, None)'
case $got in
"$wanted"*) ;;
*) echo "threads one after the other: $got"; failed=1 ;;
esac

# Functions that call themselves, directly and indirectly.
mkdir recursion
"$make_profile" recursion/p.heddle <<'END' || exit 1
process program /opt/prog
module 1 1 a0b1c2 /nowhere/f
string f
string g
string h
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 0
node 1 FUNCTION 0 0 1
node 2 FUNCTION 0 0 0
node 3 FUNCTION 0 0 2
node 3 FUNCTION 0 0 1
node 5 FUNCTION 0 0 1
node 0 FUNCTION 0 0 2
node 7 FUNCTION 0 0 2
node 8 FUNCTION 0 0 2
thread 0 -1 main
value samples 1 1
value samples 2 20
value samples 3 300
value samples 4 4000
value samples 5 50000
value samples 6 600000
value samples 7 5
value samples 8 60
value samples 9 700
value visits 1 3
value visits 9 9
END
same recursion
# A function's own costs and those of its calls add up to its inclusive cost, although it calls itself indirectly.
"$heddle" export --format callgrind --metric samples recursion -o f.callgrind || failed=1
for function in 'f 654321' 'g 654320' 'h 4765'; do
	sum=$(awk -v wanted="${function% *}" '
		sub(/^fn=/, "") { number = $1; if (NF > 1) name[number] = $2; now = name[number] }
		sub(/^cfn=/, "") { if (NF > 1) name[$1] = $2 }
		/^[0-9]/ && now == wanted { sum += $2 }
		END { print sum + 0 }' f.callgrind)
	[ "$sum" = "${function#* }" ] || { echo "callgrind: $function: $sum"; failed=1; }
done

# Characters that a format interprets, in names of functions, files, threads, arguments and hosts.
mkdir hostile
long=$(head -c 100000 /dev/zero | tr '\0' 'x')
{
	printf 'process program /opt/a"b\\c\001d\351/pr\to;g\n'
	printf 'process host no"de\0337\n'
	printf 'argument --x=\047; DROP TABLE path; --\n'
	printf 'event 1 upc 8 GASP_UPC_GET g"et\0331m\n'
	printf 'module 1 1 00ff /no"where/\351\tx\n'
	printf 'string (1)\nstring a";\047\\\001\351 \303\244\nstring fn=(2) x\nstring 12 34\nstring +3\n'
	printf 'string </script><b>&amp;\nstring %%n%%s\nstring %s\n' "$long"
	printf 'string /src/\047q"\001\351.c\nstring \n'
	printf 'node 0 ROOT 0 0 0\n'
	for string in 0 1 2 3 4 5 6 7 9; do printf 'node 0 FUNCTION 0 0 %s\n' $string; done
	printf 'source 2 1 8 7\nnode 10 FRAME 0 1 1000\n'
	printf 'thread 0 -1 ro"le\001\351\nthread-field name ker\047nel"\001\n'
	for node in 1 2 3 4 5 6 7 8 9 11; do printf 'value samples %s %s\n' $node $((node * node + 1)); done
	printf 'value visits 10 77\n'
} >hostile.txt
"$make_profile" hostile/p.heddle <hostile.txt || exit 1
same hostile

# The examples of the documents, with threads that waited.
mkdir waits
"$make_profile" waits/p.heddle <<'END' || exit 1
process program /opt/heat
process host node7
event 2 upc 4 GASP_UPC_BARRIER barrier
string /home/you/heat.upc
string main
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 1
source 1 2 0 70
thread 0 -1 main
thread-field rank 1
value cpu-time 1 700000000
value wall-time 1 700000000
value wall-time 2 300000000
thread 1 -1 thread
thread-field rank 2
value cpu-time 1 900000000
value cpu-time 2 50000000
value wall-time 1 900000000
value wall-time 2 100000000
END
same waits
"$heddle" export waits --format sqlite -o out.db || failed=1
"$heddle" export waits --format json -o out.json || failed=1
"$heddle" report waits | sed -n 's/^- //p' >sentences
python3 -c 'import json; [print(one["text"]) for one in json.load(open("out.json"))["findings"]]' | cmp - sentences &&
	[ -s sentences ] || { echo "findings are not those of the report"; failed=1; }
cp out.db before.db
for document in json sqlite; do
	python3 "$HEDDLE_SOURCE/tests/cli/run_examples.py" "$HEDDLE_SOURCE/docs/$document-export.md" || failed=1
done

# Late arrivals are those of the report, with the threads of the document; a trace that cannot be read is left out.
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
"$heddle" export t --format json -o late.json || failed=1
python3 - <<'END' || failed=1
import json, sys
document = json.load(open("late.json"))
(row,) = document["late"]
thread = document["threads"][row["causes"][0]["thread"]]
got = (document["functions"][row["function"]]["name"], row["barriers"], row["waited_ns"], row["longest_for"], thread["rank"])
if got != ("upc barrier @heat.upc:60", 1, 3450, row["causes"][0]["thread"], 0):
    sys.exit("late: %s" % (got,))
END
cp -r t broken && rm broken/a.heddle-trace && mkdir broken/a.heddle-trace
"$heddle" export broken --format json -o broken.json 2>said || failed=1
if ! grep -q 'a.heddle-trace.*: exported without the trace$' said || grep -q '"late"' broken.json; then
	echo "a broken trace:"
	cat said
	failed=1
fi

# --metric, --lines and --runtime-frames.
[ "$("$heddle" export --format json --metric visits m | grep -c '"name":"samples"')" = 0 ] || { echo "--metric"; failed=1; }
for option in --lines --runtime-frames; do
	for format in $formats; do
		"$heddle" export --format "$format" $option upc -o "out$option.$format" || failed=1
	done
done

# To standard output, if the format permits; no file is overwritten; an incomplete database is removed.
for format in pprof json callgrind; do
	"$heddle" export --format $format m >piped || failed=1
	"$heddle" export --format $format m -o file.$format && cmp piped file.$format || failed=1
	if [ -w /dev/full ]; then
		refuses 6 "can't write" "$heddle" export --format $format m -o /dev/full
	fi
done
refuses 2 'writes a file of its own' "$heddle" export --format sqlite m
refuses 6 "can't write /nowhere/x" "$heddle" export --format sqlite m -o /nowhere/x
echo precious >kept
for format in $formats; do
	refuses 6 'kept exists' "$heddle" export --format "$format" m -o kept
done
[ "$(cat kept)" = precious ] || { echo "an existing file was overwritten"; failed=1; }
refuses 7 'no values' "$heddle" export --format pprof --metric bytes-got m
mkdir empty
printf 'process program /opt/prog\nnode 0 ROOT 0 0 0\nthread 0 -1 main\n' | "$make_profile" empty/p.heddle || exit 1
for format in $formats; do
	refuses 7 'no values' "$heddle" export --format "$format" empty -o nothing
done
[ ! -e nothing ] || { echo "an export of nothing left a file"; failed=1; }
exit $failed

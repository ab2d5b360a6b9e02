#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle report --efficiency` of a run with known losses: two UPC threads with two OpenMP threads each. The product of
# the factors is the efficiency, in JSON, too.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/hybrid_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/chained_measurement.sh"

check report_efficiency "$heddle" report --efficiency hybrid
check report_efficiency_network "$heddle" report --efficiency chained

"$heddle" merge -o merged.heddle hybrid >/dev/null || exit 1
refuses 7 merged "$heddle" report --efficiency merged.heddle

# For a part of a run, the factors of the network are unknown; a trace that cannot be read is reported.
"$heddle" report --efficiency --to 200ms chained >part.txt || failed=1
grep -q '    communication$' part.txt || { echo "no factors of a part"; failed=1; }
! grep -q '      transfer$' part.txt || { echo "factors of the network for a part of the run"; failed=1; }
cp -r chained torn && printf 'torn' >torn/b.heddle-trace
"$heddle" report --efficiency torn >torn.txt 2>torn.err || failed=1
grep -q '^heddle: report: .*torn/b.heddle-trace.*: what the network takes is not known$' torn.err || { echo "no message about the trace:"; cat torn.err; failed=1; }
if "$heddle" export --format sqlite -o chained.db chained 2>said; then
	"$heddle" export --format json -o chained.json chained || exit 1
	python3 - <<'END' || failed=1
import json, sqlite3
base = sqlite3.connect("chained.db")
rows = base.execute("SELECT transfer, serialization FROM efficiency ORDER BY scope").fetchall()
network = json.load(open("chained.json"))["efficiency"]["network"]
assert abs(rows[0][0] - network["transfer"]) < 1e-6 and abs(rows[0][1] - network["serialization"]) < 1e-6, rows
assert all(row == (None, None) for row in rows[1:]), rows
communication, = base.execute("SELECT value FROM efficiency_factor WHERE scope = 0 AND factor = 'communication'").fetchone()
assert abs(rows[0][0] * rows[0][1] - communication) < 1e-9, (rows, communication)
END
else
	grep -q 'built without SQLite' said || { cat said; failed=1; }
fi
rm chained/b.heddle-trace
"$heddle" report --efficiency chained >one.txt || failed=1
! grep -q '      transfer$' one.txt || { echo "factors of the network for one rank of two"; failed=1; }

"$heddle" export --format json -o hybrid.json hybrid || exit 1
python3 - <<'END' || failed=1
import json, math
of = json.load(open("hybrid.json"))["efficiency"]
product = math.prod(of["factors"].values())
assert abs(product - of["parallel"]) < 1e-5 and abs(of["parallel"] - 0.55) < 1e-6, of
assert abs(of["factors"]["rank_balance"] - 700 / 900) < 1e-6, of
names = {(scope["kind"], scope["name"]): scope for scope in of["scopes"]}
region = names["region", "omp parallel @hybrid.upc:10"]
assert abs(region["parallel"] - 1.9 / 2.2) < 1e-6 and abs(region["factors"]["thread_balance"] - 1.9 / 2.2) < 1e-6, region
assert ("phase", "phase solve") in names, names
END

if "$heddle" export --format sqlite -o hybrid.db hybrid 2>said; then
	python3 - <<'END' || failed=1
import json, math, sqlite3
of = json.load(open("hybrid.json"))["efficiency"]
base = sqlite3.connect("hybrid.db")
rows = base.execute("SELECT kind, name, threads, thread_ns, useful_ns, parallel FROM efficiency ORDER BY scope").fetchall()
assert rows[0][:3] == ("run", None, 4) and abs(rows[0][5] - of["parallel"]) < 1e-6, rows
assert len(rows) == 1 + len(of["scopes"]) and {row[1] for row in rows[1:]} == {scope["name"] for scope in of["scopes"]}, rows
factors = base.execute("SELECT factor, value, lost_ns, place FROM efficiency_factor WHERE scope = 0 ORDER BY position").fetchall()
assert list(of["factors"]) == [row[0] for row in factors], factors
assert all(abs(of["factors"][name] - value) < 1e-6 for name, value, _, _ in factors), factors
assert abs(math.prod(row[1] for row in factors) - rows[0][5]) < 1e-9, factors
assert abs(sum(row[2] for row in factors) - (rows[0][3] - rows[0][4])) < len(factors), factors
assert dict((row[0], row[3]) for row in factors)["serialization"] == "read_input", factors
END
	"$heddle" export --format sqlite -o merged.db merged.heddle || failed=1
	[ "$(python3 -c 'import sqlite3; print(*sqlite3.connect("merged.db").execute("SELECT COUNT(*) FROM efficiency").fetchone())')" = 0 ] ||
		{ echo "a merged file has efficiency in its database"; failed=1; }
else
	grep -q 'built without SQLite' said || { cat said; failed=1; }
fi
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# MPI-IO by file: calls, bytes and times of a program with known numbers, with every kind of call and binding.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

# same_files NAME MEASUREMENT RANKS
same_files() {
	"$heddle" report --messages "$2" > "$1.txt" && "$heddle" export --format json -o "$1.json" "$2" 2> /dev/null
	expect "$1: numbers" python3 "$HEDDLE_SOURCE/tests/mpi/files.py" "$3" "$1.txt" "$1.json"
}

# line NAME REGEX: prints the table's lines that match.
line() { "$heddle" report --messages --min 0 "$work/$1.heddle.d" | sed -n '/MPI-IO by file/,/^$/p' | sed 's/  */ /g' | grep -E "$2"; }

files() {
	compile_mpi "files.$mpi" files.c
	ranks "$mpi" 2 "./files.$mpi"
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	same_files "$mpi" "$mpi.heddle.d" 2
	expect "$mpi: calls that set a file's properties" test "$(sum_of "$mpi" visits '(^|;)MPI_File_set_(size|atomicity|info) @files')" = 6
	expect "$mpi: merged" "$heddle" merge -o "$mpi.merged" "$mpi.heddle.d"
	same_files "$mpi.merged" "$mpi.merged" 2
	"$heddle" export --format sqlite -o "$mpi.sqlite" "$mpi.heddle.d" 2> /dev/null
	expect "$mpi: SQLite" python3 -c "
import json, sqlite3
rows = sqlite3.connect('$mpi.sqlite').execute('SELECT * FROM file').fetchall()
assert rows == [tuple(file.values()) for file in json.load(open('$mpi.json'))['files']], rows"
	rm -rf rank? ./*.data
}

# More files than a process can name. Places and handles are reused for all of them.
many() {
	ranks "$mpi.many" 1 "./files.$mpi" 1010
	expect "$mpi: many: ends well" ended "$mpi.many" "exit 0"
	expect "$mpi: many: files without a name" test "$(line "$mpi.many" 'other files' | awk '{ print $1, $2, $8, $9, $10 }')" = "1 10 10 40 B"
	expect "$mpi: many: the last one with a name" test "$(line "$mpi.many" ' many999.data$' | awk '{ print $1, $2, $8, $9, $10 }')" = "1 1 1 4 B"
	expect "$mpi: many: lines" test "$(line "$mpi.many" 'data$|files.$' | wc -l)" = 1001
	expect "$mpi: many: most" sh -c "'$heddle' report --messages '$mpi.many.heddle.d' | grep -Eq '^and 981 more files with .*: --min 0 shows all\$'"
}

# Handles in Fortran are integers, and its names are padded with blanks.
fortran() {
	local binding
	command -v "mpifort.$mpi" > /dev/null || { echo "left out: no mpifort.$mpi on this machine"; return; }
	for binding in mpif f08; do
		compile_mpi "files_$binding.$mpi" "files_$binding.f90"
		ranks "$mpi.$binding" 2 "./files_$binding.$mpi"
		expect "$mpi: $binding: ends well" ended "$mpi.$binding" "exit 0"
		expect "$mpi: $binding" test "$(line "$mpi.$binding" ' fortran.data$' | awk '{ print $1, $2, $5, $6, $7, $10, $11, $12 }')" = "2 2 2 160 B 4 400 B"
	done
}

all() {
	files
	many
	fortran
}
for_each_mpi all
finish

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On terminals of 60 to 200 columns, no line is longer than the terminal, and no name or word is split; columns that do
# not fit are named; in a pipe, nothing is cut. Trees are deep or wide, with long C++ names and UTF-8.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
command -v script >/dev/null || { echo "skipped: no script command (bsdutils), which makes terminals"; exit 77; }

header() { # program, names of functions on standard input
	cat <<END2
process program /opt/simulate/bin/$1
argument ./$1
argument --mesh=/scratch/turbulence/wing-section-fine.msh
argument --steps
argument 20000
process host login-node-number-seven.cluster.example.org
process pid 4242
process start_unix_ns 1700000000000000000
process duration_ns 12340000000
process cpu_ns 48010000000
process sample_source perf task-clock
process sample_clock cpu
process sample_hz 1000
process samples_taken 47000
process ended_by exit
process heddle_version 0.1.0
process note OpenMP context is missing: the runtime of this program, GCC's libgomp, offers no tool interface; heddle run --openmp-runtime llvm takes another
event 1 openmp 4 ompt_callback_sync_region omp barrier
event 2 openmp 5 ompt_callback_mutex_acquire omp lock
END2
	sed 's/^/string /'
}

# A chain of functions, each with some exclusive time; every third one has a barrier below it.
deep() { # levels, word before their numbers
	seq "$1" | sed "s/^/$2/" | header deep
	echo 'node 0 ROOT 0 0 0'
	seq "$1" | awk '{ printf "node %d FUNCTION 0 0 %x\n", $1 - 1, $1 - 1 }'
	seq 3 3 "$1" | awk '{ print "node", $1, "REGION 1 1 1000" }'
	echo 'module 1 1 - /nowhere/deep'
	echo 'thread 0 0 main'
	seq "$1" | awk '{ print "value cpu-time", $1, 400000000 + $1 }'
	seq "$1" | awk '{ print "value visits", $1, 1234567 * $1 }'
	echo "value wall-time $(($1 + 1)) 3000000000"
	blame "$1"
}
blame() { # node
	for metric in lock-blame barrier-blame task-blame idle-blame; do echo "value $metric $1 2000000000"; done
	echo "value blame $1 8000000000"
}

# Forty children, with names of C++ and others.
wide() {
	{
		cat <<'END2'
std::vector<std::pair<std::string, double>, std::allocator<std::pair<std::string, double> > >::_M_realloc_insert<std::pair<std::string, double> const&>(__gnu_cxx::__normal_iterator<std::pair<std::string, double>*, std::vector<std::pair<std::string, double> > >)
void Eigen::internal::call_dense_assignment_loop<Eigen::Matrix<double, -1, -1, 0, -1, -1>, Eigen::Product<Eigen::Matrix<double, -1, -1>, Eigen::Matrix<double, -1, -1>, 1> >(Eigen::Matrix<double, -1, -1>&)
löse_die_poissongleichung_für_äußere_ränder_mit_größter_genauigkeit_über_alle_gitter
数値流体力学計算を行う関数であり名前が大変長いので端末の幅に収まらないことがある
short
END2
		seq 40 | sed 's/^/leaf_/'
	} | header wide
	echo 'node 0 ROOT 0 0 0'
	seq 0 44 | awk '{ printf "node %d FUNCTION 0 0 %x\n", $1 < 5 ? $1 : 1 + $1 % 5, $1 }'
	echo 'module 1 1 - /nowhere/wide'
	echo 'node 5 REGION 2 1 1000'
	for thread in 0 1 2 3; do
		echo "thread $thread $thread openmp worker"
		seq 45 | awk -v t=$thread '{ print "value cpu-time", $1, (400 + 17 * $1) * 1000000 * (t + 1) }'
		seq 45 | awk '{ print "value visits", $1, 1234567 * $1 }'
		echo 'value wall-time 46 3000000000'
		blame 7
	done
}

make() { # directory
	mkdir "$1" && "$make_profile" "$1/a.heddle"
}
deep 6 f | make few || exit 1
deep 30 solve_level_ | make deep || exit 1
deep 200 r | make deeper || exit 1
wide | make wide || exit 1
wide | sed 's/^value cpu-time 6 .*/value cpu-time 6 9000000000/' | make wide2 || exit 1
# The runs of a side differ, so that significance can be tested.
for run in 1 2 3 4; do
	wide | sed "s/^value cpu-time 9 .*/value cpu-time 9 $((run / 3 * 5000000000 + run * 1000000))/
		s/^process pid .*/process pid 424$run/" | make t$run || exit 1
done

on_terminal() { # columns, command...
	columns=$1
	shift
	script -qec "stty cols $columns rows 50; $* 2>errors" /dev/null </dev/null | tr -d '\r'
}

# No line is longer than the terminal, not counting colours; nothing but expected messages is on standard error.
fits() { # columns, command...
	limit=$1
	on_terminal "$@" >colored
	sed 's/\x1b\[[0-9;]*m//g' colored >screen
	longest=$(wc -L <screen)
	[ -s screen ] && [ "$longest" -le "$limit" ] && ! grep -q "heddle: [^r]" errors && return
	echo "$* on $limit columns: a line of $longest"
	awk -v limit="$limit" 'length($0) > limit' screen | head -3
	sed 's/.*\x1b\[K//' errors
	failed=1
}

says() { # words: the last screen contains them; line breaks count as blanks
	tr '\n' ' ' <screen | tr -s ' ' | grep -qF -e "$1" && return
	echo "missing: $1"
	cat screen
	failed=1
}

# A name is to the right of its parent's, or below it with a number of levels.
descends() { # start of names
	sed 's/[├└│─]/-/g' screen | awk -v name="$1" '(at = match($0, name "[0-9]")) { if (at < before) exit 1; before = at }' && return
	echo "names to the left of their parents:"
	cat screen
	failed=1
}

# A program whose threads meet at barriers in functions with long names.
mkdir traced
{
	echo 'process program /opt/simulate/bin/traced'
	echo 'process pid 4242'
	echo 'process duration_ns 12340000000'
	echo 'event 1 openmp 4 ompt_callback_sync_region omp barrier'
	echo 'event 2 openmp 5 ompt_callback_mutex_acquire omp lock wait'
	echo 'string /home/you/an_implicit_barrier_in_a_file_with_a_long_name.c'
	echo 'string exchange of boundaries between neighbours'
	echo 'module 1 1 - /nowhere/traced'
	printf 'node 0 ROOT 0 0 0\nsource 0 1 0 1057\nsource 0 2 0 1100\nnode 0 PHASE 0 0 1\n'
	printf 'thread 0 0 main\nthread 1 1 openmp worker\nthread 2 2 a thread whose role has a long name\n'
} | "$make_profile" traced/a.heddle || exit 1
for thread in 0 1 2; do
	printf 'thread %d\nmark 0 thread-begin\nopen 0 3\nattribute parallel 5\n' $thread
	printf 'begin %d000000 2\nend 3000000\nbegin %d000000 1\nend %d0000000\nend 0\n' $((thread + 1)) $((thread * 2)) $((5 - thread))
done | { echo 'nodes 4'; cat; } | "$HEDDLE_BUILD/tests/make_trace" traced/a.heddle-trace || exit 1

# A UPC program whose accesses stay on the node, and whose ranks have threads with long names.
mkdir node
cat >node.txt <<'END2'
process program /opt/simulate/bin/node
process pid 4242
process duration_ns 12340000000
process sample_source perf task-clock
event 1 upc 8 GASP_UPC_GET upc get
event 2 openmp 4 ompt_callback_sync_region omp barrier
string /home/you/program_of_several_words.upc
string boundary
module 1 1 - /nowhere/node
node 0 ROOT 0 0 0
source 0 1 0 15
node 1 OBJECT 0 0 1
node 0 REGION 2 1 1000
thread 0 -1 main
thread-field rank 1
thread-field wall_ns 12340000000
value cpu-time 1 3000000000
value cpu-time 3 1000000000
value visits 1 2560
value bytes-got 1 20480
value same-node-accesses 1 2560
value same-node-bytes 1 20480
value wall-time 2 100000
thread 1 1 a worker with a name
value cpu-time 1 3000000000
value cpu-time 3 2000000000
END2
"$make_profile" node/a.heddle <node.txt || exit 1

for columns in 60 80 100 200; do
	for part in --threads --messages '--accesses --by line'; do
		# shellcheck disable=SC2086 # several words
		fits "$columns" "$heddle" report $part node
	done
	for part in --timeline --late --critical '--from 1ms --to 20ms'; do
		# shellcheck disable=SC2086 # several words
		fits "$columns" "$heddle" report --min 0 $part traced
	done
	for tree in few deep deeper wide; do
		fits "$columns" "$heddle" report $tree
		fits "$columns" "$heddle" report --min 0 $tree
		[ $tree = wide ] || descends "$(case $tree in few) echo f ;; deep) echo solve_level_ ;; *) echo r ;; esac)"
		for part in --flat --threads --blame --stats --messages --memory; do
			fits "$columns" "$heddle" report --min 0 $part $tree
		done
		fits "$columns" "$heddle" info $tree
	done
	fits "$columns" "$heddle" report --messages upc
	fits "$columns" "$heddle" report --memory upc
	fits "$columns" "$heddle" report upc
	fits "$columns" "$heddle" diff --min 0 wide wide2
	fits "$columns" "$heddle" diff --min 0 t1 t2 -- t3 t4
	fits "$columns" "$heddle" diff --min 0 --flat t1 t2 -- t3 t4
	fits "$columns" "$heddle" diff --min 0 few deep
	for command in '' run report diff merge export info advise doctor cc c++ upcc; do
		# shellcheck disable=SC2086 # without a command: no argument
		fits "$columns" "$heddle" help $command
	done
done

# Columns without room are named.
fits 80 "$heddle" report --min 0 --blame deep
says 'no room for '
says ': widen the terminal or use a pipe to see all'
fits 200 "$heddle" report --min 0 --blame few
grep -q 'no room' screen && { echo "left out at 200 columns:"; cat screen; failed=1; }
fits 80 "$heddle" diff --min 0 t1 t2 -- t3 t4
says 'no room for '
says 'not significant'

# If three columns for each level fit, each level takes three.
fits 80 "$heddle" report --min 0 few
grep -q '^.*               └─ f6$' screen || { echo "not drawn in full:"; cat screen; failed=1; }

# A pipe gets everything, with one line for each entry.
"$heddle" report --min 0 wide | grep -qF '_M_realloc_insert<std::pair<std::string, double> const&>(__gnu_cxx' ||
	{ echo "cut in a pipe"; failed=1; }
"$heddle" report --min 0 --blame deep | grep -q 'blame .*locks .*barriers .*tasks .*idle' ||
	{ echo "columns left out in a pipe"; failed=1; }
[ "$("$heddle" report deep | grep -c 'OpenMP context is missing.*takes another$')" = 1 ] || { echo "note broken in a pipe"; failed=1; }
for command in '' run report diff merge export info advise doctor cc c++ upcc; do
	[ "$("$heddle" help $command | wc -L)" -le 80 ] || { echo "help $command is wider than 80 columns in a pipe"; failed=1; }
done

# A terminal without a known size uses COLUMNS.
script -qec "stty cols 0; COLUMNS=70 $heddle report wide 2>errors" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >screen
[ "$(wc -L <screen)" -le 70 ] || { echo "COLUMNS has no effect"; failed=1; }
exit $failed

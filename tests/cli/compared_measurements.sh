# SPDX-License-Identifier: BSD-3-Clause
# For tests of differences: three runs before (b1 to b3) and three after (a1 to a3), written by the test. Variables:
# `started`, if set, is the start time of the run in ns; `fresh` is the name of the new function.
run_of() { # directory, program, line of the first get, times of kernel, of the gets, and of the new function ("": none)
	mkdir "$1"
	"$make_profile" "$1/a.heddle" <<END2
process program /opt/$2
${started:+process start_unix_ns $started}
process sample_source perf
event 3 upc 8 GASP_UPC_GET get
event 4 upc 4 GASP_UPC_BARRIER barrier
string cg.upc
string solve
string kernel
string ${fresh:-fresh}
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 1
source 1 3 0 $3
source 1 3 0 $(($3 + 10))
node 1 FUNCTION 0 0 2
source 4 4 0 $(($3 + 40))
node 1 FUNCTION 0 0 3
thread 0 -1 main
value cpu-time 2 $5
value cpu-time 3 2000000000
value cpu-time 4 $4
value cpu-time 5 500000000
${6:+value cpu-time 6 $6}
value visits 2 100
END2
}
run_of b1 cg 50 4000000000 1000000000 ''
run_of b2 cg 50 4100000000 1010000000 ''
run_of b3 cg 50 3900000000 990000000 ''
run_of a1 cg-new 57 2000000000 1012000000 300000000
run_of a2 cg-new 57 2100000000 985000000 310000000
run_of a3 cg-new 57 1900000000 1005000000 290000000

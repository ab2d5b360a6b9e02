#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The views of a page have the rows of the text reports, for measurements made by tests and, if there are compilers, for
# UPC and MPI programs, with traces (page_rows.py).
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/blamed_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"

measurements="m upc blamed t"
if "$heddle" upcc -O2 -g -fopenmp --inst "$HEDDLE_SOURCE/examples/cg.upc" -o cg 2>upcc.err; then
	OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$heddle" run --trace -n 2 -o real -- ./cg 4 >run.out 2>&1 || { cat run.out; exit 1; }
	measurements="$measurements real"
else
	echo "without a UPC compiler: no real measurement"
fi
if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	mpicc -O2 -g "$HEDDLE_SOURCE/examples/halo.c" -o halo -lm && "$heddle" run --trace -o mpi -- mpirun -np 3 ./halo 2 30 >run.out 2>&1 ||
		{ cat run.out; exit 1; }
	mpicc -O1 -g "$HEDDLE_SOURCE/tests/mpi/exchanges.c" -o exchanges &&
		"$heddle" run -o open -- mpirun -np 3 ./exchanges >run.out 2>&1 || { cat run.out; exit 1; }
	mpicc -O1 -g "$HEDDLE_SOURCE/tests/mpi/files.c" -o files.program &&
		"$heddle" run -o files -- mpirun -np 2 ./files.program >run.out 2>&1 || { cat run.out; exit 1; }
	measurements="$measurements mpi open files"
else
	echo "without mpicc or mpirun: no messages"
fi
rm -f page.html
for measurement in $measurements; do
	"$heddle" report "$measurement" --html "$measurement.html" >/dev/null || exit 1
done
# shellcheck disable=SC2086 # several words
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_rows.py" $measurements

# SPDX-License-Identifier: BSD-3-Clause
# For tests of blame: two threads that waited for each other.
mkdir blamed
{
	process 100
	cat <<END
thread 0 0 main
value wall-time 2 90000000
value wall-time 5 10000000
value wall-time 7 40000000
value visits 3 2
value blame 2 50000000
value barrier-blame 2 30000000
value lock-blame 2 20000000
value blame 5 7000000
value lock-blame 5 7000000
thread 1 1 openmp worker
value wall-time 5 30000000
value wall-time 7 60000000
value visits 3 1
value blame 5 3000000
value barrier-blame 5 3000000
END
} | "$make_profile" blamed/a.heddle || exit 1

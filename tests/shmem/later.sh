#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions of OpenSHMEM 1.5, with a small library: arguments and results are passed on, and transfers are counted.
. "$HEDDLE_SOURCE/tests/run/lib.sh"
hz=0
unset OMPI_COMM_WORLD_LOCAL_SIZE MPI_LOCALNRANKS
cd "$work" || exit 1
need gcc
expect "the library" gcc -shared -fPIC -g -DLIBRARY -Wl,-soname,liboshmem.so.40 -o liboshmem.so.40 "$HEDDLE_SOURCE/tests/shmem/later.c"
# shellcheck disable=SC2016 # for the dynamic linker
expect "the program" gcc -g -O1 -o later "$HEDDLE_SOURCE/tests/shmem/later.c" ./liboshmem.so.40 -Wl,-rpath,'$ORIGIN'
same_behaviour later ./later

# values METRIC: prints lines FUNCTION VALUE.
values() {
	"$heddle" export later.heddle.d --format folded --metric "$1" | sed -E 's/^.*;//; s/ @[^ ]*//' | sort
}
expect "visits" diff <(values visits | grep -v '_pes\? ') - << 'END'
shmem_barrier_all 1
shmem_double_atomic_swap_nbi 1
shmem_double_broadcast 1
shmem_fence 1
shmem_finalize 1
shmem_float_fcollect 1
shmem_init 1
shmem_int_sum_reduce 1
shmem_long_p 4
shmem_long_put_signal 1
shmem_long_wait_until_some 1
shmem_quiet 1
shmem_signal_wait_until 1
shmem_sync_all 5
shmem_team_destroy 1
shmem_team_split_2d 1
END
expect "no call is below one that was left" sh -c "! '$heddle' export later.heddle.d --format folded --metric visits | grep 'shmem_.*shmem_'"
expect "bytes got" diff <(values bytes-got) - << 'END'
shmem_double_atomic_swap_nbi 8
shmem_double_broadcast 24
shmem_float_fcollect 32
shmem_int_sum_reduce 4
END
expect "bytes put" diff <(values bytes-put) - << 'END'
shmem_double_atomic_swap_nbi 8
shmem_double_broadcast 24
shmem_float_fcollect 8
shmem_int_sum_reduce 4
shmem_long_p 32
shmem_long_put_signal 40
END
for side in same-node-accesses=1 same-node-bytes=8 remote-accesses=2 remote-bytes=16; do
	expect "${side%=*}" test "$(values "${side%=*}")" = "shmem_long_p ${side#*=}"
done
expect "accesses" diff <(values local-accesses) - << 'END'
shmem_double_atomic_swap_nbi 1
shmem_long_p 1
shmem_long_put_signal 1
END
finish

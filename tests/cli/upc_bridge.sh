#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# bridge.upc with headers like Berkeley UPC's and GNU UPC's. The test writes these headers from the numbers in the
# headers of those compilers, and defines `shared` as nothing for a C compiler. So it checks that the file compiles,
# that it uses only what such headers define, and the resulting table, but not that the real compilers accept it.
set -u
bridge=$HEDDLE_SOURCE/models/upc/bridge/bridge.upc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

# headers FOLDER EXPRESSION: writes upc.h, gasp.h and gasp_upc.h with the events "NAME NUMBER" on stdin; EXPRESSION is a
# format of awk for the numbers.
headers() {
	mkdir -p "$1"
	cat >"$1/upc.h" <<'END_UPC'
#include <stddef.h>
#define shared
extern int MYTHREAD, THREADS;
size_t upc_threadof(shared void *p);
size_t upc_phaseof(shared void *p);
size_t upc_addrfield(shared void *p);
END_UPC
	# Like Berkeley's: uses va_list without stdarg.h.
	cat >"$1/gasp.h" <<'END_GASP'
#define GASP_VERSION 20060914
typedef struct _gasp_context_S *gasp_context_t;
void gasp_event_notifyVA(gasp_context_t, unsigned int, int, const char *, int, int, va_list);
END_GASP
	{
		echo 'typedef void gasp_upc_PTS_t;'
		echo 'typedef void *gasp_upc_nb_handle_t;'
		awk -v form="$2" '{ printf "#define %s " form "\n", $1, $2 }'
	} >"$1/gasp_upc.h"
}

cat >berkeley.events <<'END_EVENTS'
GASP_C_FUNC 1023
GASP_C_MALLOC 1020
GASP_C_REALLOC 1021
GASP_C_FREE 1022
GASP_UPC_COLLECTIVE_EXIT 1210
GASP_UPC_NONCOLLECTIVE_EXIT 1211
GASP_UPC_NOTIFY 1100
GASP_UPC_WAIT 1101
GASP_UPC_GLOBAL_ALLOC 1001
GASP_UPC_ALL_ALLOC 1002
GASP_UPC_ALLOC 1000
GASP_UPC_FREE 1003
GASP_UPC_GLOBAL_LOCK_ALLOC 1010
GASP_UPC_ALL_LOCK_ALLOC 1011
GASP_UPC_LOCK_FREE 1012
GASP_UPC_LOCK 1014
GASP_UPC_LOCK_ATTEMPT 1013
GASP_UPC_UNLOCK 1015
GASP_UPC_MEMCPY 1032
GASP_UPC_MEMGET 1030
GASP_UPC_MEMPUT 1031
GASP_UPC_MEMSET 1033
GASP_UPC_GET 1111
GASP_UPC_PUT 1110
GASP_UPC_NB_GET_INIT 1120
GASP_UPC_NB_PUT_INIT 1121
GASP_UPC_NB_SYNC 1122
GASP_UPC_ALL_BROADCAST 1300
GASP_UPC_ALL_SCATTER 1310
GASP_UPC_ALL_GATHER 1320
GASP_UPC_ALL_GATHER_ALL 1330
GASP_UPC_ALL_EXCHANGE 1340
GASP_UPC_ALL_PERMUTE 1350
GASP_UPC_ALL_REDUCE 1400
GASP_UPC_ALL_PREFIX_REDUCE 1410
GASP_BUPC_NB_TRYSYNC 1130
GASP_BUPC_NB_MEMGET_INIT 1131
GASP_BUPC_NB_MEMPUT_INIT 1132
GASP_BUPC_NB_MEMCPY_INIT 1133
GASP_BUPC_STATIC_SHARED 1140
END_EVENTS
cat >gnu.events <<'END_EVENTS'
GASP_C_FUNC 1
GASP_UPC_COLLECTIVE_EXIT 5
GASP_UPC_NONCOLLECTIVE_EXIT 6
GASP_UPC_NOTIFY 7
GASP_UPC_WAIT 8
GASP_UPC_BARRIER 9
GASP_UPC_FORALL 11
GASP_UPC_GLOBAL_ALLOC 12
GASP_UPC_ALL_ALLOC 13
GASP_UPC_ALLOC 14
GASP_UPC_FREE 15
GASP_UPC_GLOBAL_LOCK_ALLOC 16
GASP_UPC_ALL_LOCK_ALLOC 17
GASP_UPC_LOCK_FREE 18
GASP_UPC_LOCK 19
GASP_UPC_LOCK_ATTEMPT 20
GASP_UPC_UNLOCK 21
GASP_UPC_MEMCPY 22
GASP_UPC_MEMGET 23
GASP_UPC_MEMPUT 24
GASP_UPC_MEMSET 25
GASP_UPC_GET 26
GASP_UPC_PUT 27
END_EVENTS
# The names of exits in version 1.3, as in one of the first compilers.
printf 'GASP_COLLECTIVE_EXIT 31\nGASP_NONCOLLECTIVE_EXIT 32\nGASP_UPC_GET 33\n' >old.events
printf 'GASP_UPC_COLLECTIVE_EXIT 31\nGASP_UPC_NONCOLLECTIVE_EXIT 32\nGASP_UPC_GET 33\n' >old.table

headers berkeley '100+%d-100' <berkeley.events
printf '%s\n' '#define GASP_UPC_VERSION 0x020311' '#define GASP_UPC_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)' \
	'#define GASP_UPC_NBI_TRIVIAL ((gasp_upc_nb_handle_t)-1)' '#define GASP_UPC_USEREVT_START 100' \
	'#define GASP_UPC_USEREVT_END 999' >>berkeley/gasp_upc.h
headers gnu '%d' <gnu.events
printf '%s\n' '#define GASP_UPC_VERSION 40302' '#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)' \
	'#define GASP_UPC_USEREVT_START 1000' '#define GASP_UPC_USEREVT_END 1999' >>gnu/gasp_upc.h
headers old '%d' <old.events
printf '%s\n' '#define GASP_USEREVT_START 500' '#define GASP_USEREVT_END 600' >>old/gasp_upc.h

cat >main.c <<'END_MAIN'
#include <heddle/upc_bridge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int MYTHREAD = 3, THREADS = 4;
static char memory[64];
size_t upc_threadof(void *p) { return p == memory ? 3 : 1; }
size_t upc_phaseof(void *p) { return p == memory ? 5 : 6; }
size_t upc_addrfield(void *p) { return (size_t)p; }
int main(int argc, char **argv __attribute__((unused)))
{
	const struct heddle_upc_bridge *bridge = heddle_upc_bridge();
	void *own = memory, *other = memory + 8;

	for (unsigned int i = 0; argc == 1 && i < bridge->event_count; i++)
		printf("%s %u\n", bridge->events[i].name, bridge->events[i].number);
	if (argc == 1)
		return 0;
	printf("%s|%u..%u|%ld,%ld\n", bridge->compiler, bridge->user_first, bridge->user_last,
		(long)bridge->nb_trivial[0], (long)bridge->nb_trivial[1]);
	return bridge->version != HEDDLE_UPC_BRIDGE_VERSION || bridge->mythread() != 3 || bridge->threads() != 4 ||
	       bridge->threadof(&own) != 3 || bridge->threadof(&other) != 1 || bridge->phaseof(&own) != 5 ||
	       bridge->addrfield(&other) != (size_t)(memory + 8) || bridge->localaddr(&own) != memory ||
	       bridge->localaddr(&other) != NULL;
}
END_MAIN

# bridged FOLDER TABLE OTHERS C-OPTIONS...: compiles without a warning; checks the table, and the other output by a
# regular expression.
bridged() {
	local folder=$1 table=$2 others=$3 compiler
	shift 3
	for compiler in gcc "$HEDDLE_CLANG"; do
		command -v "$compiler" >/dev/null || continue
		if ! $compiler -Wall -Wextra -Werror -Wno-unknown-pragmas -I"$folder" -I"$HEDDLE_SOURCE/include" "$@" main.c \
			-x c "$bridge" -o program; then
			echo "FAILED: $folder, $compiler: does not compile"
			bad=1
			continue
		fi
		./program | sort >got
		sort "$table" | diff - got || { echo "FAILED: $folder, $compiler: another table"; bad=1; }
		./program other >answers || { echo "FAILED: $folder, $compiler: the calls"; bad=1; }
		grep -Eqx "$others" answers || { echo "FAILED: $folder, $compiler: $(cat answers)"; bad=1; }
	done
}
bridged berkeley berkeley.events 'Berkeley UPC 2020\.4\.0\|100\.\.999\|0,-1' -D__BERKELEY_UPC__=2020 \
	-D__BERKELEY_UPC_MINOR__=4 -D__BERKELEY_UPC_PATCHLEVEL__=0
# Clang-upc2c with Berkeley's run-time system: the version is that of the run-time system.
bridged berkeley berkeley.events 'Berkeley UPC 2020\.4\.2\|100\.\.999\|0,-1' -D__BERKELEY_UPC_RUNTIME__=1 \
	-D__BERKELEY_UPC_RUNTIME_RELEASE__=2020 -D__BERKELEY_UPC_RUNTIME_RELEASE_MINOR__=4 \
	-D__BERKELEY_UPC_RUNTIME_RELEASE_PATCHLEVEL__=2
bridged gnu gnu.events '(GNU|Clang) UPC .*\|1000\.\.1999\|0,0'
bridged old old.table '.*\|500\.\.600\|0,0'

# If the compiler's hooks report functions, those of the bridge are left out.
for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" >/dev/null || continue
	$compiler -finstrument-functions -Ignu -I"$HEDDLE_SOURCE/include" -w -x c -c "$bridge" -o hooks.o
	nm hooks.o | grep -q heddle_upc_bridge || { echo "FAILED: $compiler: nothing compiled with hooks"; bad=1; }
	! nm hooks.o | grep cyg_profile || { echo "FAILED: $compiler: hooks report the bridge's functions"; bad=1; }
done

# Heddle's own headers, in the same way: all of their events are in the table.
mkdir own && cp berkeley/upc.h own/ && cp "$HEDDLE_SOURCE"/include/heddle/gasp*.h own/
sed -nE 's/^#define (GASP_(C|UPC|HUPC)_[A-Z_]+) GASP_HEDDLE_EVENT\(([0-9]+)\).*/\1 \3/p' own/gasp_c.h own/gasp_upc.h |
	awk '{ print $1, 1212416000 + $2 }' >own.table
bridged own own.table '.*\|1212481536\.\.1212581535\|0,0'
[ "$(wc -l <own.table)" -ge 44 ] || { echo "FAILED: too few events in the headers"; bad=1; }
exit $bad

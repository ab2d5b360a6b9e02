#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How programs end: by main, exit and upc_global_exit; mismatched barriers end the program.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cd "$work"
cat >program.upc <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
shared int written[THREADS];
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	/* A late thread can access the others' memory, though their main has returned. */
	for (int i = 0; MYTHREAD == THREADS - 1 && i < MYTHREAD; i++)
		while (written[i] != 1)
			usleep(1000);
	if (MYTHREAD == THREADS - 1)
		usleep(100000);
	for (int i = 0; MYTHREAD == THREADS - 1 && i < MYTHREAD; i++)
		if (written[i] != 1)
			puts("lost");
	written[MYTHREAD] = 1;
	if (strcmp(how, "exit") == 0)
		exit(MYTHREAD == 1 ? 5 : 0);
	if (strcmp(how, "global") == 0) {
		if (MYTHREAD == 1)
			upc_global_exit(7);
		upc_barrier;
	}
	if (strcmp(how, "values") == 0)
		upc_barrier MYTHREAD == 1 ? 11 : 12; /* line 28 */
	if (strcmp(how, "wait") == 0) {
		upc_notify 21;
		upc_wait MYTHREAD == 1 ? 22 : 21; /* line 31 */
	}
	if (strcmp(how, "twice") == 0) {
		upc_notify;
		upc_notify; /* line 35 */
	}
	if (strcmp(how, "unnotified") == 0)
		upc_wait; /* line 38 */
	if (strcmp(how, "left") == 0 && MYTHREAD != 1)
		upc_barrier;
	return strcmp(how, "main") == 0 && MYTHREAD == 0 ? 3 : 0;
}
END
"$upcc" -g program.upc -o program

# ends HOW STATUS WORDS: with 3 threads; STATUS ! is any except 0
ends() {
	status=0
	# shellcheck disable=SC2086 # several words, or none
	UPC_THREADS=3 timeout "$seconds" ./program $1 >out 2>&1 || status=$?
	[ $status = "$2" ] || { [ "$2" = ! ] && [ $status != 0 ] && [ $status != 124 ]; } ||
		{ echo "$1: status $status, not $2"; cat out; exit 1; }
	grep -q lost out && { echo "$1: data lost"; exit 1; }
	[ -z "$3" ] || grep -q "$3" out || { echo "$1: expected '$3':"; cat out; exit 1; }
}
ends "" 0 ''
ends main 3 ''
ends exit 5 ''
ends global 7 ''
ends values ! 'program.upc:28'
ends wait ! 'program.upc:31'
ends twice ! 'program.upc:35'
ends unnotified ! 'program.upc:38'
ends left ! 'which has ended'

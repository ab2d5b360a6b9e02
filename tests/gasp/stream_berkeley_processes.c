/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Berkeley UPC with processes: all threads except 0 are children of thread 0, forked before gasp_init; none of them
 * runs destructors. Heddle recognizes the event numbers by a function that only this compiler's programs have.
 */
#include "stream_berkeley.h"

#include <sys/wait.h>

void _pupc_create_event(void);
void _pupc_create_event(void)
{
}

int main(void)
{
	int mythread = 0;
	berkeley_expect(4);
	EXPECT_FILES(4);
	for (int i = 1; i < 4 && mythread == 0; i++)
		mythread = fork() == 0 ? i : 0;
	berkeley_thread(mythread);
	while (mythread == 0 && wait(NULL) > 0)
		;
	_exit(0);
}

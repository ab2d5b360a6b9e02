/* SPDX-License-Identifier: BSD-3-Clause */
/* As stream_berkeley_processes.c, but each process is killed by SIGKILL after its exit event. */
#include "stream_berkeley.h"

#include <signal.h>
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
	EXPECT_OUTCOME("signal 9");
	for (int i = 1; i < 4 && mythread == 0; i++)
		mythread = fork() == 0 ? i : 0;
	berkeley_thread(mythread);
	while (mythread == 0 && wait(NULL) > 0)
		;
	kill(getpid(), SIGKILL);
	return 0;
}

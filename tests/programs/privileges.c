/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A server that starts as root and then becomes the user 65534; with DIR, that directory becomes its root. A child
 * works as well as the server itself.
 */
#include "burn.h"

#include <grp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static NOINLINE void serve(void)
{
	burn_ms(50);
}

int main(int argc, char **argv)
{
	if (argc > 1 && (chroot(argv[1]) || chdir("/")))
		return 2;
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		return 2;
	pid_t child = fork();
	serve();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	puts("served");
	return 3;
}

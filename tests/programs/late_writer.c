/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late_writer.so, preloaded: Heddle's own threads begin their work 600 ms late, as they may on a busy machine. They
 * take their name first.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int prctl(int option, ...)
{
	int (*next)(int, ...) = (int (*)(int, ...))dlsym(RTLD_NEXT, "prctl");
	unsigned long value[4];
	va_list more;
	va_start(more, option);
	for (int i = 0; i < 4; i++)
		value[i] = va_arg(more, unsigned long);
	va_end(more);
	if (option == PR_SET_NAME && strcmp((const char *)value[0], "heddle") == 0)
		usleep(600000);
	return next(option, value[0], value[1], value[2], value[3]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late_writer.so, preloaded: delays Heddle's own threads by 600 ms, as a busy machine may. The delay begins when they
 * set their name.
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

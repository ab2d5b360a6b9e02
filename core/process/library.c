/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructor and destructor of the shared library. Not in the archive that unit tests link. */
#include "core/process/process.h"

__attribute__((constructor)) static void at_load(void)
{
	heddle__start();
}

__attribute__((destructor)) static void at_exit(void)
{
	heddle__finish("exit");
}

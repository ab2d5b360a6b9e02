/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions that GNU and Clang UPC have for programs without a tool. Berkeley UPC built for tools lacks them. */
#include <stdarg.h>
#include <stddef.h>

#include <gasp.h>

__attribute__((weak)) gasp_context_t gasp_init(int model, int *argc, char ***argv)
{
	return (void)model, (void)argc, (void)argv, NULL;
}

__attribute__((weak)) void gasp_event_notify(
	gasp_context_t context, unsigned int tag, int type, const char *file, int line, int column, ...)
{
	(void)context, (void)tag, (void)type, (void)file, (void)line, (void)column;
}

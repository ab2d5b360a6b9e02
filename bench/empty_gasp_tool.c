/* SPDX-License-Identifier: BSD-3-Clause */
/* A GASP tool that does nothing: a lower bound for any GASP tool. */
#include "heddle/gasp_upc.h"

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
	(void)model, (void)argc, (void)argv;
	return 0;
}

void gasp_event_notify(
	gasp_context_t context, unsigned int number, gasp_evttype_t type, const char *file, int line, int column, ...)
{
	(void)context, (void)number, (void)type, (void)file, (void)line, (void)column;
}

int gasp_control(gasp_context_t context, int on)
{
	(void)context;
	return on;
}

unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc)
{
	(void)context, (void)name, (void)desc;
	return GASP_UPC_USEREVT_START;
}

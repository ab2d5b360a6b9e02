/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GASP tool that records the events that it receives, to be preloaded: one file for each thread,
 * $UPC_TOOL_LOG.THREAD. Shared pointers are written as thread:phase.
 */
#include <heddle/gasp_upc.h>
#include <heddle/upc_bridge.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _gasp_context_S {
	FILE *log;
	int on;
};

static struct _gasp_context_S context;
static const struct heddle_upc_bridge *bridge;

extern const struct heddle_upc_bridge *heddle_upc_bridge(void) __attribute__((weak));

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
	char path[1024];

	bridge = heddle_upc_bridge();
	snprintf(path, sizeof(path), "%s.%d", getenv("UPC_TOOL_LOG"), bridge->mythread());
	context.log = fopen(path, "w");
	context.on = 1;
	fprintf(context.log, "init model %d thread %d of %d\n", (int)model, bridge->mythread(), bridge->threads());
	if (*argc > 1 && !strcmp((*argv)[*argc - 1], "--for-the-tool"))
		(*argv)[--*argc] = NULL;
	return &context;
}

static void pointer(va_list *list)
{
	const gasp_upc_PTS_t *pts = va_arg(*list, gasp_upc_PTS_t *);

	fprintf(context.log, " %zu:%zu%s", bridge->threadof(pts), bridge->phaseof(pts),
		bridge->localaddr(pts) ? "" : "null");
}

/* P pointer-to-shared, i int, z size_t, p pointer, h handle, s string; what only an end has follows a slash. */
static const struct {
	unsigned int tag;
	const char *arguments;
} forms[] = {
	{GASP_C_FUNC, "s"},
	{GASP_UPC_COLLECTIVE_EXIT, "i"},
	{GASP_UPC_NONCOLLECTIVE_EXIT, "i"},
	{GASP_UPC_NOTIFY, "ii"},
	{GASP_UPC_WAIT, "ii"},
	{GASP_UPC_BARRIER, "ii"},
	{GASP_UPC_FENCE, ""},
	{GASP_UPC_FORALL, ""},
	{GASP_UPC_GLOBAL_ALLOC, "zz/P"},
	{GASP_UPC_ALL_ALLOC, "zz/P"},
	{GASP_UPC_ALLOC, "z/P"},
	{GASP_UPC_FREE, "P"},
	{GASP_UPC_GLOBAL_LOCK_ALLOC, "/P"},
	{GASP_UPC_ALL_LOCK_ALLOC, "/P"},
	{GASP_UPC_LOCK_FREE, "P"},
	{GASP_UPC_LOCK, "P"},
	{GASP_UPC_LOCK_ATTEMPT, "P/i"},
	{GASP_UPC_UNLOCK, "P"},
	{GASP_UPC_MEMCPY, "PPz"},
	{GASP_UPC_MEMGET, "pPz"},
	{GASP_UPC_MEMPUT, "Ppz"},
	{GASP_UPC_MEMSET, "Piz"},
	{GASP_UPC_GET, "ipPz"},
	{GASP_UPC_PUT, "iPpz"},
	{GASP_UPC_NB_GET_INIT, "ipPz/h"},
	{GASP_UPC_NB_PUT_INIT, "iPpz/h"},
	{GASP_UPC_NB_GET_DATA, "h"},
	{GASP_UPC_NB_PUT_DATA, "h"},
	{GASP_UPC_NB_SYNC, "h"},
	{GASP_UPC_ALL_BROADCAST, "PPzi"},
	{GASP_UPC_ALL_SCATTER, "PPzi"},
	{GASP_UPC_ALL_GATHER, "PPzi"},
	{GASP_UPC_ALL_GATHER_ALL, "PPzi"},
	{GASP_UPC_ALL_EXCHANGE, "PPzi"},
	{GASP_UPC_ALL_PERMUTE, "PPPzi"},
	{GASP_UPC_ALL_REDUCE, "PPizzpii"},
	{GASP_UPC_ALL_PREFIX_REDUCE, "PPizzpii"},
	{GASP_HUPC_STATIC_SHARED, "zzPzss"},
	{GASP_UPC_USEREVT_START, "id"},
};

static const char *name_of(unsigned int tag)
{
	for (unsigned int i = 0; i < bridge->event_count; i++) {
		if (bridge->events[i].number == tag)
			return bridge->events[i].name;
	}
	return tag == bridge->user_first ? "user" : "?";
}

static void write_arguments(const char *form, int end, va_list *list)
{
	for (; *form && (end || *form != '/'); form++) {
		if (*form == 'P')
			pointer(list);
		else if (*form == 'i')
			fprintf(context.log, " %d", va_arg(*list, int));
		else if (*form == 'd')
			fprintf(context.log, " %g", va_arg(*list, double));
		else if (*form == 'z')
			fprintf(context.log, " %zu", va_arg(*list, size_t));
		else if (*form == 's')
			fprintf(context.log, " %s", va_arg(*list, const char *));
		else if (*form != '/')
			fprintf(context.log, " %s", va_arg(*list, void *) ? "set" : "null");
	}
}

void gasp_event_notifyVA(
	gasp_context_t c, unsigned int tag, gasp_evttype_t type, const char *file, int line, int column, va_list list)
{
	va_list rest;

	va_copy(rest, list);
	fprintf(c->log, "%s %s %s:%d:%d",
		type == GASP_START ? "start"
		: type == GASP_END ? "end"
				   : "atomic",
		name_of(tag), file ? file : "-", line, column);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (forms[i].tag == tag)
			write_arguments(forms[i].arguments, type == GASP_END, &rest);
	}
	fprintf(c->log, "\n");
	fflush(c->log);
	va_end(rest);
}

void gasp_event_notify(
	gasp_context_t c, unsigned int tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
	va_list list;

	va_start(list, column);
	gasp_event_notifyVA(c, tag, type, file, line, column, list);
	va_end(list);
}

int gasp_control(gasp_context_t c, int on)
{
	int before = c->on;

	c->on = on;
	fprintf(c->log, "control %d\n", on);
	return before;
}

unsigned int gasp_create_event(gasp_context_t c, const char *name, const char *description)
{
	fprintf(c->log, "create %s \"%s\"\n", name, description);
	return GASP_UPC_USEREVT_START;
}

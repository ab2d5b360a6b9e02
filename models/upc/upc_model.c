/* SPDX-License-Identifier: BSD-3-Clause */
/* The UPC front end's descriptor. */
#include <stddef.h>

#include "core/base/settings.h"
#include "core/modules/model.h"
#include "core/threads/frontend.h"
#include "core/threads/thread.h"
#include "heddle/upc_bridge.h"
#include "models/upc/upc_access.h"
#include "models/upc/upc_counted.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_names.h"
#include "models/upc/upc_objects.h"
#include "models/upc/upc_rows.h"
#include "models/upc/upc_sketch.h"

static const struct heddle_code_name code_names[] = {
	/* The bundled compiler. */
	{HEDDLE_NAMED_EVENT, "__upcrt_{*_,}{start,end}", NULL},
	{HEDDLE_NAMED_EVENT, "__upcrt_reported_{get,put}", NULL},
	{HEDDLE_NAMED_SHOWN, "__upcrt_barrier", "upc_barrier"},
	{HEDDLE_NAMED_SHOWN, "__upcrt_fence", "upc_fence"},
	{HEDDLE_NAMED_SHOWN, "__upcrt_notify", "upc_notify"},
	{HEDDLE_NAMED_SHOWN, "__upcrt_wait", "upc_wait"},
	{HEDDLE_NAMED_START, "__upcrt_user_main", NULL},
	{HEDDLE_NAMED_SERVICE, "__upci_*", NULL}, /* inlined elsewhere */
	/* Events of Berkeley UPC and Clang UPC. */
	{HEDDLE_NAMED_SERVICE, "upcri_pevt_*", NULL},
	{HEDDLE_NAMED_SERVICE, "_pupc_{event_,create_event}*", NULL},
	{HEDDLE_NAMED_SERVICE, "pupc_{event_,create_event}*", NULL},
	/*
	 * Accesses of GNU and Clang UPC, named by machine mode and number of operands; s: strict, g: with source
	 * position.
	 */
	{HEDDLE_NAMED_SERVICE, "__{get,put,copy}{,s,g,sg,gs}{qi,hi,si,di,ti,sf,df,tf,xf,blk}#", NULL},
	{HEDDLE_NAMED_RUNTIME, "{__upc,upc_,upcr,_upcr,bupc_,_bupc_,gupcr_}*", NULL},
	{HEDDLE_NAMED_MAIN, "{user,upc}_main", NULL}, /* Berkeley UPC; GNU and Clang UPC */
	{HEDDLE_NAMED_PROOF, "{upcri_,bupc_init,_pupc_event_,__upc_,gupcr_,pupc_event_startg}*", NULL},
	{0, NULL, NULL},
};

/* The bundled run-time system's plug-ins, and what they load. */
static const struct heddle_model_library libraries[] = {
	{"libheddle-upc-*.so*", NULL},
	{"libuc{m,p,t,s}.so*", "libheddle-upc-ucx.so*"},
	{"libuc{m,t,s}_*.so*", "libheddle-upc-ucx.so*"},
	{"libpmix.so*", "libheddle-upc-pmix.so*"},
	{NULL, NULL},
};

const struct heddle_model heddle__upc_model = {
	.name = "upc",
	.label = "UPC",
	.rank = "UPC",
	.ranks = "UPC thread",
	.section = HEDDLE_UPC_RUNTIME_SECTION,
	.generated = "link by `heddle upcc`",
	.libraries = libraries,
	.code = code_names,
};

static int init(unsigned int index)
{
	int error = heddle__events_register(heddle__upc_events, HEDDLE_UPC_KIND_COUNT);
	bool wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "upc");
	heddle__upc_handles_start(index);
	heddle__upc_accesses = heddle__setting_number(HEDDLE_SETTING_ACCESSES) != 0;
	heddle__upc_select(wanted);
	heddle__upc_rows_choose();
	heddle__upc_counted_start();
	return error;
}

static void thread_end(struct heddle_thread *thread)
{
	heddle__upc_counted_end(thread);
	heddle__upc_sketch_thread_end(thread);
	heddle__upc_handles_clear(thread);
}

/* Drops what is in progress, which belongs to the parent. */
static void after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (self) {
		heddle__upc_sketch_forget(self);
		heddle__upc_handles_clear(self);
	}
	heddle__upc_counted_after_fork();
	heddle__upc_objects_after_fork();
}

const struct heddle_frontend heddle__upc_frontend = {
	.name = "upc",
	.model = &heddle__upc_model,
	.init = init,
	.thread_end = thread_end,
	.before_read = heddle__upc_counted_add,
	.after_fork = after_fork,
};

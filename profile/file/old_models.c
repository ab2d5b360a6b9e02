/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptions as of the last version of Heddle that wrote none. They never change, whatever models/ contains today. */
#include "profile/file/old_models.h"

#include "profile/file/call_tree.h"

#include <string.h>

#define OPENMP "openmp"
#define UPC "upc"
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct profile_code_name openmp_code[] = {
	{HEDDLE_NAMED_OUTLINED, ".omp*", ""}, {HEDDLE_NAMED_OUTLINED, "*.omp_outlined*", ""},
	{HEDDLE_NAMED_OUTLINED, "__omp_offloading_*", ""},   /* Clang */
	{HEDDLE_NAMED_OUTLINED, "*._omp_{fn,cpyfn}.#*", ""}, /* GCC */
	{HEDDLE_NAMED_OUTLINED, "*..omp_par{,.#*}", ""},     /* LLVM's Fortran */
	{HEDDLE_NAMED_FILE, "tmpfile_*", "target kernel"},   /* LLVM's host device; removed when the process ends */
};

static const struct profile_code_name upc_code[] = {
	/* the bundled compiler */
	{HEDDLE_NAMED_EVENT, "__upcrt_{*_,}{start,end}", ""},
	{HEDDLE_NAMED_SHOWN, "__upcrt_barrier", "upc_barrier"},
	{HEDDLE_NAMED_SHOWN, "__upcrt_fence", "upc_fence"},
	{HEDDLE_NAMED_SHOWN, "__upcrt_notify", "upc_notify"},
	{HEDDLE_NAMED_SHOWN, "__upcrt_wait", "upc_wait"},
	{HEDDLE_NAMED_START, "__upcrt_user_main", ""},
	{HEDDLE_NAMED_SERVICE, "__upci_*", ""}, /* functions that it inlines elsewhere */
	/* Berkeley UPC, Clang UPC: events */
	{HEDDLE_NAMED_SERVICE, "upcri_pevt_*", ""},
	{HEDDLE_NAMED_SERVICE, "_pupc_{event_,create_event}*", ""},
	{HEDDLE_NAMED_SERVICE, "pupc_{event_,create_event}*", ""},
	/* GNU and Clang UPC: an access, by machine mode and number of operands; strict; with its source position */
	{HEDDLE_NAMED_SERVICE, "__{get,put,copy}{,s,g,sg,gs}{qi,hi,si,di,ti,sf,df,tf,xf,blk}#", ""},
	{HEDDLE_NAMED_RUNTIME, "{__upc,upc_,upcr,_upcr,bupc_,_bupc_,gupcr_}*", ""},
	{HEDDLE_NAMED_MAIN, "{user,upc}_main", ""}, /* Berkeley UPC; GNU and Clang UPC */
	{HEDDLE_NAMED_PROOF, "{upcri_,bupc_init,_pupc_event_,__upc_,gupcr_,pupc_event_startg}*", ""},
};

static const struct profile_model models_then[] = {
	{
		.name = OPENMP,
		.label = "",
		.state = "omp",
		.rank = "",
		.ranks = "",
		.section = "",
		.generated = "",
		.blocks = true,
		.code = openmp_code,
		.code_count = COUNT(openmp_code),
	},
	{
		.name = UPC,
		.label = "UPC",
		.state = "",
		.rank = "UPC",
		.ranks = "UPC thread",
		.section = "upc_runtime",
		.generated = "link by `heddle upcc`",
		.code = upc_code,
		.code_count = COUNT(upc_code),
	},
};

int profile_old_models_add(struct profile_models *models)
{
	int error = 0;
	uint32_t number;
	for (size_t i = 0; !error && i < COUNT(models_then); i++)
		error = profile_models_add(models, &models_then[i], &number);
	return error;
}

const char *profile_old_model_of_role(uint32_t role)
{
	return role == HEDDLE_CODE_RUNTIME ? OPENMP : "";
}

const char *profile_old_model_of_state(enum heddle_state state)
{
	return state == HEDDLE_STATE_OVERHEAD || state == HEDDLE_STATE_IDLE ? OPENMP : "";
}

const char *profile_old_model_of_thread(const char *role)
{
	return strcmp(role, "openmp worker") == 0 ? OPENMP : "";
}

const char *profile_old_model_of_rank(uint32_t rank)
{
	return rank ? UPC : "";
}

uint32_t profile_old_role(const char *model, const char *event, uint32_t category)
{
	static const struct {
		const char *event;
		enum heddle_event_role role;
	} roles[] = {{"GASP_UPC_GET", HEDDLE_EVENT_MOVES}, {"GASP_UPC_PUT", HEDDLE_EVENT_MOVES},
		{"GASP_UPC_MEMGET", HEDDLE_EVENT_MOVES}, {"GASP_UPC_MEMPUT", HEDDLE_EVENT_MOVES},
		{"GASP_UPC_CACHE_HIT", HEDDLE_EVENT_HIT}, {"GASP_UPC_CACHE_MISS", HEDDLE_EVENT_MISS}};
	if (strcmp(model, UPC) != 0)
		return HEDDLE_EVENT_NO_ROLE;
	for (size_t i = 0; i < COUNT(roles); i++)
		if (strcmp(event, roles[i].event) == 0)
			return roles[i].role;
	return category == HEDDLE_CATEGORY_ALLOCATION && strncmp(event, "GASP_UPC_", 9) == 0 ? HEDDLE_EVENT_SHARES
											     : HEDDLE_EVENT_NO_ROLE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other tools in the process, and runtimes without a tool interface. A runtime starts one tool only, and a tool that
 * the program has itself takes precedence. In these cases OpenMP is not measured, and a note says so.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT_OTHER_TOOLS_H
#define HEDDLE_MODELS_OMPT_OMPT_OTHER_TOOLS_H

#include "models/ompt/ompt5.h"

/* Looks for runtimes and for tools that hide this one. Context: init. */
void heddle__ompt_find_other_tools(void);

/*
 * Called when a runtime has found this tool: returns the result of the tool that the runtime would start without this
 * one, or NULL if there is none. Context: init.
 */
ompt_start_tool_result_t *heddle__ompt_ask_other_tools(unsigned int omp_version, const char *runtime_version);

/* Records that a runtime is measured. Context: init. */
void heddle__ompt_is_measured(void);

/* Notes why no runtime was measured, if that is known. Context: any thread, signal. */
void heddle__ompt_note_unmeasured(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other tools in the process, and runtimes without a tool interface: a runtime starts one tool, and a tool of the
 * program's own goes first. Then OpenMP is not measured, which a note says.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT_OTHER_TOOLS_H
#define HEDDLE_MODELS_OMPT_OMPT_OTHER_TOOLS_H

#include "models/ompt/ompt5.h"

/* Looks for runtimes and for tools that hide this one. Context: init. */
void heddle__ompt_find_other_tools(void);

/*
 * A runtime looks for a tool and has come to this one: the answer of the tool that it would start without this one;
 * NULL: there is none. Context: init.
 */
ompt_start_tool_result_t *heddle__ompt_ask_other_tools(unsigned int omp_version, const char *runtime_version);

/* A runtime is measured. Context: init. */
void heddle__ompt_is_measured(void);

/* Notes why no runtime was measured, if that is known. Context: any thread, signal. */
void heddle__ompt_note_unmeasured(void);

#endif

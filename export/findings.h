/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings in JSON, as pages and the JSON export have them. */
#ifndef HEDDLE_EXPORT_FINDINGS_H
#define HEDDLE_EXPORT_FINDINGS_H

#include "analysis/findings.h"

#include <stdio.h>

/* `"findings":[{"text":...,"share":...,"node":...,"metric":...},...]`; a node of -1: the whole program. */
void export_findings(FILE *out, const struct heddle_findings *findings);

#endif

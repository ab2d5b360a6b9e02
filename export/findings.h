/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings in JSON, for pages and the JSON export. */
#ifndef HEDDLE_EXPORT_FINDINGS_H
#define HEDDLE_EXPORT_FINDINGS_H

#include "analysis/findings.h"

#include <stdio.h>

/* Writes `"findings":[{"text":...,"share":...,"node":...,"metric":...},...]`; node -1 is the whole program. */
void export_findings(FILE *out, const struct heddle_findings *findings);

#endif

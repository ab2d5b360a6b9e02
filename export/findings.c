/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes findings in their order: the one with the largest weight first. */
#include "export/findings.h"

#include "export/json_text.h"

#include <inttypes.h>

void export_findings(FILE *out, const struct heddle_findings *findings)
{
	fputs("\"findings\":[", out);
	for (size_t i = 0; i < findings->count; i++) {
		const struct heddle_finding *finding = &findings->items[i];
		fputs(i ? ",\n{\"text\":" : "{\"text\":", out);
		export_json_string(out, finding->text);
		fputs(",\"brief\":", out);
		export_json_string(out, finding->brief);
		fprintf(out, ",\"share\":%.4f,\"node\":%" PRId64 ",\"metric\":\"%s\"}", finding->weight,
			finding->node == HEDDLE_NO_NODE ? -1 : (int64_t)finding->node,
			profile_metric_name(finding->metric));
	}
	fputc(']', out);
}

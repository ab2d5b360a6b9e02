/* SPDX-License-Identifier: BSD-3-Clause */
/* Efficiency of the run, of phases and of parallel regions. */
#include "export/json_efficiency.h"

#include "analysis/efficiency.h"
#include "analysis/efficiency_network.h"
#include "analysis/useful_counts.h"
#include "export/json_text.h"

#include <inttypes.h>

static void write_factors(FILE *out, const struct heddle_efficiency_scope *scope)
{
	fputs("\"factors\":{", out);
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
		fprintf(out, "%s\"%s\":%.6f", factor ? "," : "", heddle__factor_name(factor),
			heddle__scope_factor(scope, factor));
	fputc('}', out);
}

static void write_scopes(FILE *out, const struct heddle_efficiency_factors *factors, const struct profile_view *view)
{
	const char *separator = "";
	fputs(",\"scopes\":[", out);
	for (size_t s = 1; s < factors->count; s++) {
		const struct heddle_efficiency_scope *scope = &factors->scopes[s];
		fprintf(out, "%s{\"kind\":\"%s\",\"name\":", separator,
			scope->kind == HEDDLE_SCOPE_PHASE ? "phase" : "region");
		export_json_string(out, view->labels[scope->label].text);
		fprintf(out, ",\"threads\":%zu,\"elapsed_ns\":%.0f,\"thread_ns\":%.0f,\"useful_ns\":%.0f,",
			scope->threads, scope->elapsed_ns, scope->left[0], scope->left[HEDDLE_FACTOR_COUNT]);
		fprintf(out, "\"parallel\":%.6f,", heddle__scope_efficiency(scope));
		write_factors(out, scope);
		fputc('}', out);
		separator = ",\n";
	}
	fputc(']', out);
}

/* Writes the network's factors, which need a trace of the whole run. */
static int write_network(
	FILE *out, const struct heddle_efficiency_factors *factors, const struct export_request *request)
{
	struct heddle_efficiency_network network = {0};
	int error =
		request->trace ? heddle__efficiency_network_make(&network, factors, request->view, request->trace) : 0;
	if (!error && network.ideal_ns > 0)
		fprintf(out, ",\n\"network\":{\"ideal_ns\":%.0f,\"transfer\":%.6f,\"serialization\":%.6f}",
			network.ideal_ns, network.transfer, network.serialization);
	return error;
}

int export_json_efficiency(FILE *out, const struct export_request *request)
{
	struct heddle_efficiency efficiency;
	struct heddle_efficiency_factors factors;
	if (!heddle__efficiency_make(&efficiency, request->measurement))
		return 0;
	fprintf(out,
		"\"efficiency\":{\"threads\":%zu,\"elapsed_ns\":%" PRIu64 ",\"useful_ns\":%" PRIu64
		",\"most_useful_ns\":%" PRIu64 ",\"parallel\":%.6f,\"load_balance\":%.6f,\"communication\":%.6f",
		efficiency.threads, efficiency.elapsed_ns, efficiency.useful_ns, efficiency.most_useful_ns,
		efficiency.parallel, efficiency.load_balance, efficiency.communication);
	struct heddle_useful_counts counts;
	int error = heddle__useful_counts_make(&counts, request->measurement);
	if (!error && counts.instructions > 0 && counts.cycles > 0)
		fprintf(out, ",\"ipc\":%.6f", counts.instructions / counts.cycles);
	if (!error && !request->measurement->merged) {
		error = heddle__efficiency_factors_make(&factors, request->measurement, request->view);
		if (!error) {
			fputs(",\n", out);
			write_factors(out, &factors.scopes[0]);
			write_scopes(out, &factors, request->view);
			error = write_network(out, &factors, request);
		}
		heddle__efficiency_factors_free(&factors);
	}
	fputs("},\n", out);
	return error;
}

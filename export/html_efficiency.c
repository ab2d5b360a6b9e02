/* SPDX-License-Identifier: BSD-3-Clause */
/* Efficiency of the run, of phases and of parallel regions, as the thread time that remains after each factor. */
#include "export/html_views.h"

#include "analysis/efficiency_network.h"
#include "analysis/useful_counts.h"
#include "export/json_text.h"

#include <stdlib.h>

/* Writes {"title":...,"loss":...,"matters":...,"inRegions":...}, ... */
static void write_factors(FILE *out, const struct heddle_efficiency_factors *factors)
{
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		fprintf(out, "%s{\"title\":", factor ? "," : "");
		export_json_string(out, heddle__factor_label(factor));
		fputs(",\"loss\":", out);
		export_json_string(out, heddle__factor_loss(factor));
		fprintf(out, ",\"matters\":%s,\"inRegions\":%s}",
			heddle__factor_matters(factors, factor) ? "true" : "false",
			heddle__kind_has_factor(HEDDLE_SCOPE_REGION, factor) ? "true" : "false");
	}
}

static void write_label(FILE *out, uint32_t label)
{
	if (label == HEDDLE_NO_LABEL)
		fputs("-1", out);
	else
		fprintf(out, "%u", label);
}

static void write_scope(FILE *out, const struct heddle_efficiency_scope *scope)
{
	static const char *const kinds[] = {
		[HEDDLE_SCOPE_RUN] = "run", [HEDDLE_SCOPE_PHASE] = "phase", [HEDDLE_SCOPE_REGION] = "region"};
	fprintf(out, "{\"kind\":\"%s\",\"label\":", kinds[scope->kind]);
	write_label(out, scope->kind == HEDDLE_SCOPE_RUN ? HEDDLE_NO_LABEL : scope->label);
	fprintf(out, ",\"threads\":%zu,\"elapsed\":%.0f,\"left\":[", scope->threads, scope->elapsed_ns);
	for (int factor = 0; factor <= HEDDLE_FACTOR_COUNT; factor++)
		fprintf(out, "%s%.0f", factor ? "," : "", scope->left[factor]);
	fputs("],\"places\":[", out);
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		fputs(factor ? "," : "", out);
		write_label(out, scope->place[factor].label);
	}
	fputs("]}", out);
}

/* Writes null without a trace, and for a part of the run. */
static int write_network(FILE *out, const struct heddle_efficiency_factors *factors, const struct export_page *page)
{
	const struct export_request *request = page->request;
	struct heddle_efficiency_network network = {0};
	int error = request->trace && !page->part
			    ? heddle__efficiency_network_make(&network, factors, request->view, request->trace)
			    : 0;
	fputs("\"network\":", out);
	if (!error && network.ideal_ns > 0)
		fprintf(out, "{\"ideal\":%.0f,\"transfer\":%.6f,\"serialization\":%.6f}", network.ideal_ns,
			network.transfer, network.serialization);
	else
		fputs("null", out);
	return error;
}

static int write_all(FILE *out, const struct heddle_efficiency_factors *factors, const struct export_page *page)
{
	struct heddle_useful_counts counts;
	int error = heddle__useful_counts_make(&counts, page->request->measurement);
	if (error)
		return error;
	fprintf(out, "{\"ipc\":%.6g,", counts.cycles > 0 ? counts.instructions / counts.cycles : 0);
	error = write_network(out, factors, page);
	fputs(",\"factors\":[", out);
	write_factors(out, factors);
	fputs("],\n\"scopes\":[", out);
	for (size_t s = 0; s < factors->count; s++) {
		fputs(s ? ",\n" : "", out);
		write_scope(out, &factors->scopes[s]);
	}
	fputs("]}", out);
	return error;
}

/* Writes null for a merged file, and without useful time. */
int export_page_efficiency(const struct export_page *page, FILE *out)
{
	const struct export_request *request = page->request;
	struct heddle_efficiency_factors factors = {0};
	int error = request->measurement->merged
			    ? 0
			    : heddle__efficiency_factors_make(&factors, request->measurement, request->view);
	fputs("\"efficiency\":", out);
	if (!error && factors.count && factors.scopes[0].left[HEDDLE_FACTOR_COUNT] > 0)
		error = write_all(out, &factors, page);
	else if (!error)
		fputs("null", out);
	heddle__efficiency_factors_free(&factors);
	return error;
}

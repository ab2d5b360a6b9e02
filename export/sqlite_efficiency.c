/* SPDX-License-Identifier: BSD-3-Clause */
/* Scope 0 is the run; phases and parallel regions follow, the largest loss first. */
#include "export/sqlite_efficiency.h"

#include "analysis/efficiency_network.h"

/* Factors of the network are known only for the run. */
static void write_scope(struct export_rows *rows, const struct heddle_efficiency_scope *scope, size_t number,
	const char *name, const struct heddle_efficiency_network *network)
{
	bool known = number == 0 && network->ideal_ns > 0;
	static const char *const kinds[] = {"run", "phase", "region"};
	export_rows_put_number(rows, number);
	export_rows_put_text(rows, kinds[scope->kind]);
	export_rows_put_text_or_null(rows, name);
	export_rows_put_number(rows, scope->ranks);
	export_rows_put_number(rows, scope->threads);
	export_rows_put_number(rows, (uint64_t)scope->elapsed_ns);
	export_rows_put_number(rows, (uint64_t)scope->left[0]);
	export_rows_put_number(rows, (uint64_t)scope->left[HEDDLE_FACTOR_COUNT]);
	export_rows_put_real(rows, heddle__scope_efficiency(scope));
	export_rows_put_real_or_null(rows, known, network->transfer);
	export_rows_put_real_or_null(rows, known, network->serialization);
	export_rows_next(rows);
}

static const char *name_of(const struct profile_view *view, uint32_t label)
{
	return label == HEDDLE_NO_LABEL ? "" : view->labels[label].text;
}

static void write_factor(struct export_rows *rows, const struct heddle_efficiency_scope *scope, size_t number,
	enum heddle_factor factor, const struct profile_view *view)
{
	export_rows_put_number(rows, number);
	export_rows_put_number(rows, (uint64_t)factor);
	export_rows_put_text(rows, heddle__factor_name(factor));
	export_rows_put_real(rows, heddle__scope_factor(scope, factor));
	export_rows_put_number(rows, (uint64_t)(scope->left[factor] - scope->left[factor + 1]));
	export_rows_put_text_or_null(rows, name_of(view, scope->place[factor].label));
	export_rows_next(rows);
}

static void write_all(struct export_rows *rows, const struct heddle_efficiency_factors *factors,
	const struct heddle_efficiency_network *network, const struct profile_view *view)
{
	export_rows_begin(rows, "efficiency", 11);
	for (size_t s = 0; s < factors->count; s++)
		write_scope(rows, &factors->scopes[s], s, s ? name_of(view, factors->scopes[s].label) : "", network);
	export_rows_end(rows);
	export_rows_begin(rows, "efficiency_factor", 6);
	for (size_t s = 0; s < factors->count; s++)
		for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
			write_factor(rows, &factors->scopes[s], s, factor, view);
	export_rows_end(rows);
}

int export_sqlite_efficiency(struct export_rows *rows, const struct export_request *request)
{
	struct heddle_efficiency_factors factors;
	struct heddle_efficiency_network network = {0};
	if (request->measurement->merged)
		return 0;
	int error = heddle__efficiency_factors_make(&factors, request->measurement, request->view);
	if (!error && request->trace)
		error = heddle__efficiency_network_make(&network, &factors, request->view, request->trace);
	if (!error && factors.scopes[0].left[0] > 0)
		write_all(rows, &factors, &network, request->view);
	heddle__efficiency_factors_free(&factors);
	return error;
}

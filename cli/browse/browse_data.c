/* SPDX-License-Identifier: BSD-3-Clause */
/* Values by node, of all threads or of one, in the part of the tree that is zoomed into. */
#include "cli/browse/browse_data.h"

#include "profile/file/profile_peek.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct heddle_session_options heddle__browse_session_options = {.keep_threads = true};

/* ---- opening ---- */

/* True if the process still runs. One of another host counts as running until its profile is complete. */
static bool process_runs(const struct profile_process *process)
{
	char host[256] = "";
	if (process->error || !profile_is_incomplete(process->info))
		return false;
	gethostname(host, sizeof(host) - 1);
	if (strcmp(host, process->info->host) != 0)
		return true;
	return kill((pid_t)process->info->pid, 0) == 0 || errno == EPERM;
}

void heddle__browse_data_check_running(struct heddle_browse_data *data)
{
	const struct profile_measurement *measurement = &data->session.measurement;
	data->running = false;
	for (size_t p = 0; p < measurement->process_count; p++)
		data->running |= process_runs(&measurement->processes[p]);
}

static int choose_first(const struct profile_measurement *measurement, int wanted)
{
	if (wanted >= 0 && profile_measurement_total(measurement, wanted))
		return wanted;
	int metric = heddle__default_metric(measurement);
	return metric < 0 ? HEDDLE_METRIC_VISITS : metric;
}

int heddle__browse_data_take(struct heddle_browse_data *data, const struct heddle_session *session, int metric)
{
	*data = (struct heddle_browse_data){.loaded = true, .session = *session};
	const struct profile_measurement *measurement = &data->session.measurement;
	size_t count = data->session.view.node_count;
	data->summary = heddle__summarize(measurement);
	data->metric_count = heddle__list_metrics(measurement, data->metrics);
	data->metric = (enum heddle_metric)choose_first(measurement, metric);
	heddle__browse_data_check_running(data);
	data->self = calloc(count + 1, sizeof(*data->self));
	data->total = calloc(count + 1, sizeof(*data->total));
	data->visits = calloc(count + 1, sizeof(*data->visits));
	data->visits_below = calloc(count + 1, sizeof(*data->visits_below));
	data->inside = calloc(count + 1, sizeof(*data->inside));
	int error = data->self && data->total && data->visits && data->visits_below && data->inside
			    ? heddle__browse_data_compute(data)
			    : -ENOMEM;
	if (error)
		heddle__browse_data_close(data);
	return error;
}

static void forget_sites(struct heddle_browse_data *data)
{
	free(data->site_self);
	free(data->site_total);
	data->site_self = data->site_total = NULL;
}

void heddle__browse_data_close(struct heddle_browse_data *data)
{
	if (!data->loaded)
		return;
	free(data->values);
	free(data->self);
	free(data->total);
	free(data->visits);
	free(data->visits_below);
	free(data->inside);
	forget_sites(data);
	if (data->has_sites)
		profile_sites_free(&data->sites);
	if (data->has_accesses)
		profile_accesses_free(&data->accesses);
	heddle__session_close(&data->session);
	*data = (struct heddle_browse_data){0};
}

/* ---- values ---- */

struct thread_sums {
	struct heddle_browse_data *data;
	uint64_t *visits;
	bool found;
};

#define THREAD_READ 1 /* stop reading: later values belong to other threads */

static int add_thread(void *context, const struct profile_thread_values *values)
{
	struct thread_sums *sums = context;
	if (values->thread != sums->data->thread)
		return sums->found ? THREAD_READ : 0;
	sums->found = true;
	if (values->metric == sums->data->metric)
		for (size_t i = 0; i < values->count; i++)
			sums->data->values[values->nodes[i]] += values->values[i];
	if (values->metric == HEDDLE_METRIC_VISITS)
		for (size_t i = 0; i < values->count; i++)
			sums->visits[values->nodes[i]] += values->values[i];
	return 0;
}

/* Reads only the file of the thread's process. */
static int read_thread(struct heddle_browse_data *data, uint64_t *visits)
{
	struct profile_measurement part = data->session.measurement;
	struct thread_sums sums = {.data = data};
	sums.visits = visits;
	enum heddle_metric metrics[] = {data->metric, HEDDLE_METRIC_VISITS};
	size_t count = data->metric == HEDDLE_METRIC_VISITS || !part.tree.values[HEDDLE_METRIC_VISITS] ? 1 : 2;
	if (!profile_metric_is_of_threads(data->metric))
		return -EINVAL;
	part.processes += data->process - data->session.measurement.processes;
	part.process_count = 1;
	int result = profile_measurement_thread_metrics(&part, metrics, count, add_thread, &sums);
	return result == THREAD_READ ? 0 : result;
}

static void mark_inside(struct heddle_browse_data *data)
{
	const struct profile_view *view = &data->session.view;
	for (uint32_t i = 0; i < view->node_count; i++)
		data->inside[i] = i == data->zoom || (i && data->inside[view->parents[i]]);
}

/* Sums values of the measurement's nodes by node of the view. */
static void add_up(
	const struct heddle_browse_data *data, uint64_t *sums, const uint64_t *values, enum heddle_metric metric)
{
	const struct profile_view *view = &data->session.view;
	memset(sums, 0, view->node_count * sizeof(*sums));
	for (uint32_t i = 0; values && i < data->session.measurement.tree.node_count; i++) {
		uint32_t node = values[i] ? profile_view_holder(view, i, metric) : 0;
		if (values[i] && data->inside[node])
			sums[node] += values[i];
	}
}

static void add_below(const struct heddle_browse_data *data, uint64_t *sums, const uint64_t *own)
{
	const struct profile_view *view = &data->session.view;
	memcpy(sums, own, view->node_count * sizeof(*sums));
	for (uint32_t i = (uint32_t)view->node_count; i-- > 1;)
		if (data->inside[i] && i != data->zoom)
			sums[view->parents[i]] += sums[i];
}

static void spread(struct heddle_browse_data *data, const uint64_t *values, const uint64_t *visits)
{
	mark_inside(data);
	add_up(data, data->self, values, data->metric);
	add_up(data, data->visits, visits, HEDDLE_METRIC_VISITS);
	add_below(data, data->total, data->self);
	add_below(data, data->visits_below, data->visits);
	data->whole = data->most_visits = 0;
	for (size_t i = 0; i < data->session.view.node_count; i++)
		data->most_visits = data->visits[i] > data->most_visits ? data->visits[i] : data->most_visits;
	for (uint32_t i = 0; values && i < data->session.measurement.tree.node_count; i++)
		data->whole += values[i];
}

int heddle__browse_data_compute(struct heddle_browse_data *data)
{
	const struct profile_call_tree *tree = &data->session.measurement.tree;
	uint64_t *visits = NULL;
	int error = 0;
	free(data->values);
	data->values = NULL;
	forget_sites(data);
	if (data->thread) {
		data->values = calloc(tree->node_count + 1, sizeof(*data->values));
		visits = calloc(tree->node_count + 1, sizeof(*visits));
		error = data->values && visits ? read_thread(data, visits) : -ENOMEM;
	}
	if (!error)
		spread(data, data->thread ? data->values : tree->values[data->metric],
			data->thread ? visits : tree->values[HEDDLE_METRIC_VISITS]);
	free(visits);
	return error;
}

/* ---- sites ---- */

static void sum_sites(struct heddle_browse_data *data)
{
	const struct profile_call_tree *tree = &data->session.measurement.tree;
	const uint64_t *values = data->thread ? data->values : tree->values[data->metric];
	for (uint32_t i = 0; values && i < tree->node_count; i++) {
		uint32_t site = values[i] ? profile_site_holder(&data->sites, i, data->metric) : 0;
		if (values[i] && data->inside[data->sites.items[site].node])
			data->site_self[site] += values[i];
	}
	memcpy(data->site_total, data->site_self, data->sites.count * sizeof(*data->site_total));
	for (size_t i = data->sites.count; i-- > 1;) {
		uint32_t parent = data->sites.items[i].parent;
		if (data->inside[data->sites.items[parent].node])
			data->site_total[parent] += data->site_total[i];
	}
}

int heddle__browse_data_sites(struct heddle_browse_data *data)
{
	const struct heddle_session *session = &data->session;
	if (!data->has_sites) {
		int error = profile_sites_make(
			&data->sites, &session->view, &session->measurement.tree, &session->naming, false);
		if (error)
			return error;
		data->has_sites = true;
	}
	if (data->site_self)
		return 0;
	data->site_self = calloc(data->sites.count + 1, sizeof(*data->site_self));
	data->site_total = calloc(data->sites.count + 1, sizeof(*data->site_total));
	if (!data->site_self || !data->site_total) {
		forget_sites(data);
		return -ENOMEM;
	}
	sum_sites(data);
	return 0;
}

bool heddle__browse_data_source(
	struct heddle_browse_data *data, uint32_t node, uint32_t label, const char **file, uint32_t *line)
{
	const struct profile_view *view = &data->session.view;
	const struct profile_site *best = NULL;
	uint64_t self = 0, total = 0;
	if (heddle__browse_data_sites(data) != 0)
		return false;
	for (size_t i = 1; i < data->sites.count; i++) {
		const struct profile_site *site = &data->sites.items[i];
		bool wanted = node == HEDDLE_NO_NODE ? view->label_of[site->node] == label : site->node == node;
		if (!wanted || !site->line)
			continue;
		bool more = data->site_self[i] != self ? data->site_self[i] > self : data->site_total[i] > total;
		if (best && !more)
			continue;
		best = site;
		self = data->site_self[i];
		total = data->site_total[i];
	}
	if (!best && node != HEDDLE_NO_NODE)
		label = view->label_of[node];
	if (!best && (label == HEDDLE_NO_NODE || !*view->labels[label].file || !view->labels[label].line))
		return false;
	*file = best ? best->file : view->labels[label].file;
	*line = best ? best->line : view->labels[label].line;
	return true;
}

uint32_t heddle__browse_data_hottest(const struct heddle_browse_data *data, uint32_t label, const uint64_t *values)
{
	const struct profile_view *view = &data->session.view;
	uint32_t best = HEDDLE_NO_NODE;
	for (uint32_t i = 0; i < view->node_count; i++)
		if (view->label_of[i] == label && data->inside[i] &&
			(best == HEDDLE_NO_NODE || values[i] > values[best]))
			best = i;
	return best;
}

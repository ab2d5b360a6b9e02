/* SPDX-License-Identifier: BSD-3-Clause */
/* A page: a head, tables that need no script, the data, compressed and in base64, and the script built from html/. */
#include "export/html.h"

#include "analysis/flat_rows.h"
#include "analysis/summary.h"

#include "export/gzip_stream.h"
#include "export/html_data.h"
#include "export/html_parts.h"
#include "export/json_text.h"
#include "export/utf8_text.h"
#include "profile/base/base_name.h"
#include "profile/view/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef HEDDLE_HAVE_PAGE
extern const char export_page_script[], export_page_style[];
#else
static const char export_page_script[] = "", export_page_style[] = "";
#endif

const char *export_page_missing(void)
{
#ifdef HEDDLE_HAVE_PAGE
	return NULL;
#else
	return "it was built without esbuild or the package preact: see README, Dependencies";
#endif
}

/* ---- text ---- */

/* Names come from programs, so characters of markup are escaped. */
void export_page_text(FILE *out, const char *text)
{
	char *copy = export_utf8_copy(text);
	for (const char *at = copy; at && *at; at++) {
		if (*at == '<')
			fputs("&lt;", out);
		else if (*at == '>')
			fputs("&gt;", out);
		else if (*at == '&')
			fputs("&amp;", out);
		else if (*at == '"')
			fputs("&quot;", out);
		else
			fputc(*at, out);
	}
	free(copy);
}

static const Heddle__Profile__Process *first_process(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++)
		if (!measurement->processes[p].error)
			return measurement->processes[p].info;
	return NULL;
}

static void write_name(FILE *out, const struct export_request *request)
{
	const Heddle__Profile__Process *info = first_process(request->measurement);
	export_page_text(out, info ? profile_base_name(info->program) : "");
	for (size_t i = 1; info && i < info->n_arguments && i < 16; i++) {
		fputc(' ', out);
		export_page_text(out, info->arguments[i]);
	}
}

/* ---- shown without a script ---- */

static void write_row(const struct export_request *request, const struct heddle_flat_row *row, uint64_t whole)
{
	const struct profile_label *label = &request->view->labels[row->label];
	fprintf(request->out, "<tr><td>%.1f<td>%.1f<td>%" PRIu64 "<th scope=row>",
		100.0 * (double)row->exclusive / (double)whole, 100.0 * (double)row->inclusive / (double)whole,
		row->exclusive);
	export_page_text(request->out, label->text);
	if (label->line) {
		fputs(" <small>", request->out);
		export_page_text(request->out, profile_base_name(label->file));
		fprintf(request->out, ":%" PRIu32 "</small>", label->line);
	}
	fputs("</tr>\n", request->out);
}

static void write_functions(const struct export_request *request, enum heddle_metric metric)
{
	uint64_t whole = profile_measurement_total(request->measurement, metric);
	uint64_t *inclusive = profile_view_inclusive(request->view, metric);
	struct heddle_flat_rows rows = {0};
	if (inclusive) /* without values, or without memory, there are no rows */
		(void)heddle__flat_rows_make(&rows, request->view, request->view->values[metric], inclusive, NULL);
	fprintf(request->out,
		"<h2>Functions and regions by %s</h2>\n<table><thead><tr><th>self %%<th>total %%<th>%s "
		"(%s)<th>name</tr></thead>"
		"<tbody>\n",
		profile_metric_name(metric), profile_metric_name(metric), profile_metric_unit(metric));
	for (size_t i = 0; whole && i < rows.count && i < EXPORT_PAGE_ROWS; i++)
		if (rows.items[i].exclusive)
			write_row(request, &rows.items[i], whole);
	fputs("</tbody></table>\n", request->out);
	heddle__flat_rows_free(&rows);
	free(inclusive);
}

/* True for metrics that have a view of their own with a script. */
static bool is_worth_a_table(enum heddle_metric metric)
{
	return metric == HEDDLE_METRIC_BLAME || metric == HEDDLE_METRIC_HELD || metric == HEDDLE_METRIC_SAME_NODE ||
	       metric == HEDDLE_METRIC_REMOTE;
}

static void write_processes(const struct export_request *request)
{
	fputs("<h2>Processes</h2>\n<table><thead><tr><th>process<th>elapsed (ns)<th>samples<th>host</tr></thead>"
	      "<tbody>\n",
		request->out);
	for (size_t p = 0; p < request->measurement->process_count && p < EXPORT_PAGE_ROWS; p++) {
		const Heddle__Profile__Process *info = request->measurement->processes[p].info;
		if (request->measurement->processes[p].error)
			continue;
		fprintf(request->out, "<tr><td>%" PRIu64 "<td>%" PRIu64 "<td>%" PRIu64 "<td>", info->pid,
			info->duration_ns, heddle__samples_of(info));
		export_page_text(request->out, info->host);
		fputs("</tr>\n", request->out);
	}
	fputs("</tbody></table>\n", request->out);
}

static void write_static(const struct export_page *page)
{
	const struct export_request *request = page->request;
	fputs("<h1>", request->out);
	write_name(request->out, request);
	fputs("</h1>\n", request->out);
	export_page_findings(request->out, page->findings);
	for (size_t m = 0; m < request->metric_count; m++)
		if (m == 0 || is_worth_a_table(request->metrics[m]))
			write_functions(request, request->metrics[m]);
	write_processes(request);
}

/* ---- the data ---- */

static void write_base64(FILE *out, const unsigned char *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < size; i += 3) {
		uint32_t group = (uint32_t)bytes[i] << 16;
		group |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
		group |= i + 2 < size ? bytes[i + 2] : 0;
		fputc(digits[group >> 18], out);
		fputc(digits[group >> 12 & 63], out);
		fputc(i + 1 < size ? digits[group >> 6 & 63] : '=', out);
		fputc(i + 2 < size ? digits[group & 63] : '=', out);
	}
}

static int write_data(FILE *out, int (*write)(const void *, FILE *), const void *context)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&bytes, &size);
	FILE *compressed = memory ? export_gzip_open(memory) : NULL;
	int error = compressed ? write(context, compressed) : -ENOMEM;
	if (compressed && fclose(compressed) && !error)
		error = -ENOMEM;
	if (memory && fclose(memory) && !error)
		error = -ENOMEM;
	if (!error) {
		fputs("<script id=\"data\" type=\"text/plain\">", out);
		write_base64(out, (const unsigned char *)bytes, size);
		fputs("</script>\n", out);
	}
	free(bytes);
	return error;
}

/* ---- the parts of a page ---- */

void export_page_begin(FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
	      "style-src 'unsafe-inline'; img-src data:\">\n<title>",
		out);
}

void export_page_body(FILE *out)
{
	fprintf(out, " - Heddle</title>\n<style>\n%s</style>\n</head>\n<body>\n<div id=\"page\"><main>",
		export_page_style);
}

void export_page_findings(FILE *out, const struct heddle_findings *findings)
{
	fputs("<ul>\n", out);
	for (size_t i = 0; i < findings->count; i++) {
		fputs("<li>", out);
		export_page_text(out, findings->items[i].text);
		fputc('\n', out);
	}
	fputs("</ul>\n", out);
}

void export_page_metrics(FILE *out, const enum heddle_metric *metrics, size_t count)
{
	fputs("\"metrics\":[", out);
	for (size_t m = 0; m < count; m++) {
		fputs(m ? ",{\"name\":" : "{\"name\":", out);
		export_json_string(out, profile_metric_name(metrics[m]));
		fprintf(out, ",\"unit\":\"%s\",\"meaning\":", profile_metric_unit(metrics[m]));
		export_json_string(out, profile_metric_meaning(metrics[m]));
		fputc('}', out);
	}
	fputs("],\n", out);
}

int export_page_end(FILE *out, int (*write)(const void *context, FILE *out), const void *context)
{
	fputs("<noscript><p>Graph, call tree and the other views need JavaScript.</p></noscript></main></div>\n", out);
	int error = write_data(out, write, context);
	fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", export_page_script);
	return error;
}

static int write_page_data(const void *page, FILE *out)
{
	return export_page_data(page, out);
}

int export_page_write(const struct export_page *page)
{
	FILE *out = page->request->out;
	export_page_begin(out);
	write_name(out, page->request);
	export_page_body(out);
	write_static(page);
	return export_page_end(out, write_page_data, page);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All models of the set are fitted by least squares of relative errors, and each is tested at every scale by fitting it
 * to the others. Of the models whose error is about the least, one with fewest terms is chosen, because more terms fit
 * noise easily.
 */
#include "analysis/scaling_model.h"

#include "analysis/significance.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SCALES 2
#define ABOUT 2.0  /* standard errors of the least error; with 1, noise of 5 % makes one constant in 13 grow */
#define SMALL 0.02 /* values below that share of the largest get no larger weight */
#define LEAST_PART 0.02
#define TERM_COUNT (sizeof(terms) / sizeof(*terms))
#define MODEL_LIMIT 128

static const struct heddle_term terms[] = {
	{-1, 0}, {-0.5, 0}, {0, 0}, {0, 1}, {0, 2}, {0.5, 0}, {1, 0}, {1, 1}, {1.5, 0}, {2, 0}, {2, 1}};

/* The mean at a scale, and the weight of a relative error there. */
struct point {
	double scale, mean, weight;
	size_t count;
};

struct candidate {
	size_t count;
	struct heddle_term terms[HEDDLE_MODEL_TERMS];
	double factors[HEDDLE_MODEL_TERMS];
	double inverse[HEDDLE_MODEL_TERMS][HEDDLE_MODEL_TERMS];
	double error, uncertainty; /* mean square of relative errors, and the standard error of that mean */
};

static double term_at(const struct heddle_term *term, double scale)
{
	double value = pow(scale, term->power), log = log2(scale);
	for (unsigned i = 0; i < term->logs; i++)
		value *= log;
	return value;
}

static double candidate_at(const struct candidate *candidate, double scale)
{
	double sum = 0;
	for (size_t k = 0; k < candidate->count; k++)
		sum += candidate->factors[k] * term_at(&candidate->terms[k], scale);
	return sum;
}

/* Fits to all points except one (SIZE_MAX: to all). Returns false if the points do not determine the fit. */
static bool fit(struct candidate *candidate, const struct point *points, size_t count, size_t without)
{
	double a = 0, b = 0, d = 0, x = 0, y = 0;
	for (size_t i = 0; i < count; i++) {
		if (i == without)
			continue;
		double weight = points[i].weight * sqrt((double)points[i].count);
		double first = weight * term_at(&candidate->terms[0], points[i].scale), mean = weight * points[i].mean;
		double second = candidate->count > 1 ? weight * term_at(&candidate->terms[1], points[i].scale) : 0;
		a += first * first;
		b += first * second;
		d += second * second;
		x += first * mean;
		y += second * mean;
	}
	if (candidate->count == 1) {
		candidate->factors[0] = a > 0 ? x / a : 0;
		candidate->inverse[0][0] = a > 0 ? 1 / a : 0;
		return a > 0;
	}
	double determinant = a * d - b * b;
	if (!(determinant > 1e-9 * a * d))
		return false;
	candidate->factors[0] = (d * x - b * y) / determinant;
	candidate->factors[1] = (a * y - b * x) / determinant;
	candidate->inverse[0][0] = d / determinant;
	candidate->inverse[0][1] = candidate->inverse[1][0] = -b / determinant;
	candidate->inverse[1][1] = a / determinant;
	return true;
}

/* Returns a term's largest share of the value at any scale: 0 to 1. */
static double part_of(const struct candidate *candidate, size_t k, const struct point *points, size_t count)
{
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		double all = candidate_at(candidate, points[i].scale);
		double own = candidate->factors[k] * term_at(&candidate->terms[k], points[i].scale);
		most = fmax(most, all > 0 ? own / all : 0);
	}
	return most;
}

/*
 * A negative term would make a time negative at some scale. A term that is small everywhere fits the error of another
 * term, and would dominate at large scales.
 */
static bool is_possible(const struct candidate *candidate, const struct point *points, size_t count)
{
	for (size_t k = 0; k < candidate->count; k++)
		if (candidate->factors[k] < 0 ||
			(candidate->count > 1 && part_of(candidate, k, points, count) < LEAST_PART))
			return false;
	return true;
}

static bool try_out(struct candidate *candidate, const struct point *points, size_t count)
{
	double sum = 0, squares = 0;
	if (count <= candidate->count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!fit(candidate, points, count, i))
			return false;
		double off = (candidate_at(candidate, points[i].scale) - points[i].mean) * points[i].weight;
		sum += off * off;
		squares += off * off * off * off;
	}
	double n = (double)count, mean = sum / n;
	candidate->error = mean;
	candidate->uncertainty = sqrt(fmax(squares / n - mean * mean, 0) / (n - 1));
	return fit(candidate, points, count, SIZE_MAX) && is_possible(candidate, points, count);
}

static int by_scale(const void *a, const void *b)
{
	const struct point *x = a, *y = b;
	return (x->scale > y->scale) - (x->scale < y->scale);
}

/* Returns the number of scales. */
static size_t make_points(struct point *points, const double *scales, const double *values, size_t count)
{
	size_t used = 0;
	double largest = 0;
	for (size_t i = 0; i < count; i++) {
		size_t at = 0;
		while (at < used && points[at].scale != scales[i])
			at++;
		if (at == used)
			points[used++] = (struct point){.scale = scales[i]};
		points[at].mean += values[i];
		points[at].count++;
	}
	for (size_t i = 0; i < used; i++) {
		points[i].mean /= (double)points[i].count;
		largest = fmax(largest, points[i].mean);
	}
	for (size_t i = 0; i < used; i++)
		points[i].weight = largest > 0 ? 1 / fmax(points[i].mean, SMALL * largest) : 1;
	qsort(points, used, sizeof(*points), by_scale);
	return used;
}

/* Any curve fits few scales: only common laws of growth are accepted, alone or with a constant. */
static bool is_believable(const struct heddle_term *first, const struct heddle_term *second, size_t scales)
{
	bool constant = (first->power == 0 && !first->logs) || (second && second->power == 0 && !second->logs);
	const struct heddle_term *fast = second ? second : first;
	return scales >= HEDDLE_MODEL_SCALES || ((!second || constant) && fast->power <= 1);
}

static size_t try_all(struct candidate *candidates, const struct point *points, size_t count)
{
	size_t used = 0;
	for (size_t first = 0; first < TERM_COUNT; first++) {
		candidates[used] = (struct candidate){.count = 1, .terms = {terms[first]}};
		used += is_believable(&terms[first], NULL, count) && try_out(&candidates[used], points, count);
		for (size_t second = first + 1; second < TERM_COUNT && used < MODEL_LIMIT - 1; second++) {
			candidates[used] = (struct candidate){.count = 2, .terms = {terms[first], terms[second]}};
			used += is_believable(&terms[first], &terms[second], count) &&
				try_out(&candidates[used], points, count);
		}
	}
	return used;
}

static const struct candidate *choose(const struct candidate *candidates, size_t count, double *limit)
{
	const struct candidate *best = &candidates[0], *chosen = NULL;
	for (size_t i = 1; i < count; i++)
		best = candidates[i].error < best->error ? &candidates[i] : best;
	*limit = best->error + ABOUT * best->uncertainty;
	for (size_t i = 0; i < count; i++) {
		const struct candidate *other = &candidates[i];
		if (other->error > *limit)
			continue;
		if (!chosen || other->count < chosen->count ||
			(other->count == chosen->count && other->error < chosen->error))
			chosen = other;
	}
	return chosen;
}

static void measure_scatter(struct heddle_model *model, const struct point *points, size_t scales, const double *at,
	const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		size_t p = 0;
		while (p + 1 < scales && points[p].scale != at[i])
			p++;
		double off = (values[i] - heddle__model_at(model, at[i])) * points[p].weight;
		sum += off * off;
	}
	model->freedom = (double)(count > model->count ? count - model->count : 1);
	model->scatter = sqrt(sum / model->freedom);
}

static void add_rivals(struct heddle_model *model, const struct candidate *candidates, size_t count,
	const struct candidate *chosen, double limit)
{
	for (size_t i = 0; i < count && model->rival_count < sizeof(model->rivals) / sizeof(*model->rivals); i++) {
		if (&candidates[i] == chosen || candidates[i].error > limit || candidates[i].count > chosen->count)
			continue;
		struct heddle_rival *rival = &model->rivals[model->rival_count++];
		rival->count = candidates[i].count;
		memcpy(rival->terms, candidates[i].terms, sizeof(rival->terms));
		memcpy(rival->factors, candidates[i].factors, sizeof(rival->factors));
	}
}

void heddle__model_find(struct heddle_model *model, const double *scales, const double *values, size_t count)
{
	struct point *points = calloc(count + 1, sizeof(*points));
	struct candidate *candidates = calloc(MODEL_LIMIT, sizeof(*candidates));
	double limit = 0;
	*model = (struct heddle_model){0};
	if (points && candidates) {
		model->scales = make_points(points, scales, values, count);
		size_t tried = model->scales >= LEAST_SCALES ? try_all(candidates, points, model->scales) : 0;
		const struct candidate *chosen = tried ? choose(candidates, tried, &limit) : NULL;
		if (chosen) {
			model->count = chosen->count;
			memcpy(model->terms, chosen->terms, sizeof(model->terms));
			memcpy(model->factors, chosen->factors, sizeof(model->factors));
			memcpy(model->inverse, chosen->inverse, sizeof(model->inverse));
			model->error = sqrt(chosen->error);
			measure_scatter(model, points, model->scales, scales, values, count);
			add_rivals(model, candidates, tried, chosen, limit);
		}
	}
	free(points);
	free(candidates);
}

double heddle__model_at(const struct heddle_model *model, double scale)
{
	double sum = 0;
	for (size_t k = 0; k < model->count; k++)
		sum += model->factors[k] * term_at(&model->terms[k], scale);
	return sum;
}

struct heddle_prediction heddle__model_predict(const struct heddle_model *model, double scale)
{
	struct heddle_prediction prediction = {.value = heddle__model_at(model, scale)};
	double spread = 0, reach = heddle__critical_t(model->freedom) * model->scatter;
	for (size_t k = 0; k < model->count; k++)
		for (size_t l = 0; l < model->count; l++)
			spread += term_at(&model->terms[k], scale) * model->inverse[k][l] *
				  term_at(&model->terms[l], scale);
	double margin = reach * sqrt(fmax(spread, 0) + prediction.value * prediction.value);
	prediction.low = fmax(prediction.value - margin, 0);
	prediction.high = prediction.value + margin;
	for (size_t r = 0; r < model->rival_count; r++) {
		double other = 0;
		for (size_t k = 0; k < model->rivals[r].count; k++)
			other += model->rivals[r].factors[k] * term_at(&model->rivals[r].terms[k], scale);
		prediction.low = fmin(prediction.low, other);
		prediction.high = fmax(prediction.high, other);
	}
	return prediction;
}

/* ---- terms ---- */

int heddle__term_compare(const struct heddle_term *a, const struct heddle_term *b)
{
	if (a->power < b->power || a->power > b->power)
		return a->power < b->power ? -1 : 1;
	return (int)a->logs - (int)b->logs;
}

struct heddle_term heddle__model_leading(const struct heddle_model *model)
{
	struct heddle_term leading = {0};
	for (size_t k = 0; k < model->count; k++)
		if (model->factors[k] > 0 && (k == 0 || heddle__term_compare(&leading, &model->terms[k]) < 0))
			leading = model->terms[k];
	return leading;
}

static const char *skip(const char *text)
{
	while (isspace((unsigned char)*text) || *text == '*')
		text++;
	return text;
}

static bool starts(const char **text, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(*text, word, length) != 0)
		return false;
	*text = skip(*text + length);
	return true;
}

/* Reads "^1.5"; without it returns 1. */
static double read_power(const char **text)
{
	char *end;
	if (!starts(text, "^"))
		return 1;
	double power = strtod(*text, &end);
	*text = skip(end);
	return power;
}

bool heddle__term_read(struct heddle_term *term, const char *text)
{
	*term = (struct heddle_term){0};
	text = skip(text);
	if (!*text)
		return false;
	if (starts(&text, "1/")) {
		if (starts(&text, "sqrt(p)") || starts(&text, "sqrt p"))
			term->power = -0.5;
		else if (starts(&text, "p"))
			term->power = -read_power(&text);
		return term->power < 0 && !*text;
	}
	if (starts(&text, "1") || starts(&text, "constant"))
		return !*text;
	if (starts(&text, "sqrt(p)") || starts(&text, "sqrt p"))
		term->power = 0.5;
	else if (starts(&text, "p"))
		term->power = read_power(&text);
	if (starts(&text, "log2(p)") || starts(&text, "log(p)") || starts(&text, "log p") || starts(&text, "log2 p"))
		term->logs = (unsigned)read_power(&text);
	return !*text;
}

char *heddle__term_format(char *text, size_t size, const struct heddle_term *term)
{
	const char *gap = term->power != 0 ? " " : "";
	int used = 0;
	if (term->power == 0 && term->logs == 0)
		used = snprintf(text, size, "1");
	else if (term->power == -0.5)
		used = snprintf(text, size, "1/sqrt p");
	else if (term->power == 0.5)
		used = snprintf(text, size, "sqrt p");
	else if (term->power == 1)
		used = snprintf(text, size, "p");
	else if (term->power == -1)
		used = snprintf(text, size, "1/p");
	else if (term->power < 0)
		used = snprintf(text, size, "1/p^%g", -term->power);
	else if (term->power > 0)
		used = snprintf(text, size, "p^%g", term->power);
	if (term->logs && used >= 0 && (size_t)used < size) {
		if (term->logs == 1)
			snprintf(text + used, size - (size_t)used, "%slog p", gap);
		else
			snprintf(text + used, size - (size_t)used, "%slog(p)^%u", gap, term->logs);
	}
	return text;
}

char *heddle__model_format(char *text, size_t size, const struct heddle_model *model, double unit)
{
	char term[48];
	size_t used = 0;
	snprintf(text, size, "-");
	for (size_t k = 0; k < model->count && used < size; k++) {
		bool constant = model->terms[k].power == 0 && model->terms[k].logs == 0;
		bool inverse = model->terms[k].power < 0;
		heddle__term_format(term, sizeof(term), &model->terms[k]);
		used += (size_t)snprintf(text + used, size - used, "%s%.3g%s%s", k ? " + " : "",
			model->factors[k] / unit, constant || inverse ? "" : " ",
			constant  ? ""
			: inverse ? term + 1
				  : term);
	}
	return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A law for numbers that were measured at several scales p: t(p) = sum of c_k p^i log2(p)^j, with one or two terms of a
 * small set (the performance model normal form of Extra-P). scaling_model.c describes how terms are chosen.
 */
#ifndef HEDDLE_ANALYSIS_SCALING_MODEL_H
#define HEDDLE_ANALYSIS_SCALING_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_MODEL_TERMS 2
#define HEDDLE_MODEL_SCALES 5  /* with fewer, a model is a guess */
#define HEDDLE_MODEL_REACH 8.0 /* times the largest scale: predictions beyond are not trustworthy */

struct heddle_term {
	double power;  /* of p */
	unsigned logs; /* power of log2(p) */
};

struct heddle_model {
	size_t count; /* number of terms, the one that grows fastest last; 0: no model */
	struct heddle_term terms[HEDDLE_MODEL_TERMS];
	double factors[HEDDLE_MODEL_TERMS];
	double error;  /* relative, root of the mean square: each scale against the model of the other scales */
	size_t scales; /* different ones */
	/* for intervals: */
	double freedom, scatter; /* scatter: of the measured numbers around the model, relative */
	double inverse[HEDDLE_MODEL_TERMS][HEDDLE_MODEL_TERMS];
	size_t rival_count; /* other models that are about as good */
	struct heddle_rival {
		size_t count;
		struct heddle_term terms[HEDDLE_MODEL_TERMS];
		double factors[HEDDLE_MODEL_TERMS];
	} rivals[8];
};

struct heddle_prediction {
	double value, low, high; /* low, high: at 95 % confidence, and including the rivals */
};

/* Finds a law for values at scales (a scale may occur several times). No model if there is only one scale. */
void heddle__model_find(struct heddle_model *model, const double *scales, const double *values, size_t count);

double heddle__model_at(const struct heddle_model *model, double scale);
struct heddle_prediction heddle__model_predict(const struct heddle_model *model, double scale);

/* Returns the term that dominates at large scales; {0, 0} is a constant. */
struct heddle_term heddle__model_leading(const struct heddle_model *model);

/* Compares how fast two terms grow: negative, 0 or positive, as for qsort. */
int heddle__term_compare(const struct heddle_term *a, const struct heddle_term *b);

/* Reads "1/p", "p", "p log p", "sqrt p", "p^1.5 log2(p)^2", "1", "log p". Returns false if the text is not a term. */
bool heddle__term_read(struct heddle_term *term, const char *text);

/* Writes "1/p", "1", "log p", "p^1.5 log p". Returns `text`. */
char *heddle__term_format(char *text, size_t size, const struct heddle_term *term);

/* Writes "0.5 + 3 p log p", in the unit of the values divided by `unit`. Returns `text`. */
char *heddle__model_format(char *text, size_t size, const struct heddle_model *model, double unit);

#endif

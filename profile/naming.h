/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for the places of a call-path tree: each distinct place is named once, module by module, several modules at a
 * time. Everything belongs to the naming until heddle_naming_free.
 */
#ifndef HEDDLE_PROFILE_NAMING_H
#define HEDDLE_PROFILE_NAMING_H

#include "profile/call_tree.h"
#include "profile/code_file.h"

struct heddle_function {
	const char *name;    /* for people */
	const char *linkage; /* the linker's, or the plain one */
	const char *module;  /* path; "" when unknown */
	const char *file;    /* of the definition; "" when unknown */
	uint32_t line;
	bool outlined;  /* holds the body of an OpenMP region or task */
	bool of_heddle; /* one of heddle.h's or pupc.h's, by which the program calls Heddle */
	bool known;     /* false: the name is an address */
};

/* One function at a place, and where in it that place is. */
struct heddle_spot {
	const struct heddle_function *function;
	const char *file; /* "" when unknown; then line is 0 */
	uint32_t line;
};

struct heddle_place_name {
	uint64_t place;
	const struct heddle_spot *spots; /* outermost function first, then what was inlined, inwards; at least one */
	uint32_t count;
	uint32_t from_start; /* bytes from the start of the outermost function (0 when unknown) */
	bool of_upc;         /* code of a UPC run-time system */
	bool starts_program; /* code that runs before any of the user's: program and thread start */
};

struct heddle_module_names {
	enum heddle_code_status status;
	size_t places;  /* named in this module */
	size_t unnamed; /* of those, addresses only */
};

struct heddle_naming {
	struct heddle_place_name *places; /* by place */
	size_t place_count;
	const struct heddle_place_name **of_node; /* NULL: nothing to name */
	struct heddle_module_names *modules;      /* one a module of the tree */
	struct heddle_namer *namers;              /* what the names live in */
	size_t namer_count;
};

struct heddle_naming_options {
	bool runtime_frames; /* name RUNTIME_FRAME nodes too */
	size_t workers;      /* 0: as many as processors */
};

/* Context: any thread. 0 or a negative error. */
int heddle_naming_make(
	struct heddle_naming *naming, const struct heddle_call_tree *tree, const struct heddle_naming_options *options);
void heddle_naming_free(struct heddle_naming *naming);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for the places of a call-path tree: each distinct place is named once, module by module, several modules in
 * parallel. The naming owns everything until profile_naming_free.
 */
#ifndef HEDDLE_PROFILE_NAMING_H
#define HEDDLE_PROFILE_NAMING_H

#include "profile/base/progress.h"
#include "profile/file/call_tree.h"
#include "profile/names/debug_gap.h"

struct profile_function {
	const char *name;    /* as reports show it */
	const char *linkage; /* the linker's name, or else the name in the source */
	const char *module;  /* path; "" when unknown */
	const char *file;    /* of the definition; "" when unknown */
	uint32_t line;
	bool outlined;     /* holds the body of a construct */
	bool only_reports; /* code of Heddle's headers, or that a model names so: its time is its caller's */
	bool known;        /* false: the name is an address */
};

/* One function at a place, and where in it that place is. */
struct profile_spot {
	const struct profile_function *function;
	const char *file; /* "" when unknown; then line is 0 */
	uint32_t line;
	uint32_t column; /* 0: unknown */
};

/*
 * True if the line of a spot is known. Line 0 is known if the function has a file: compilers give it to vectorized code
 * that belongs to no line.
 */
static inline bool profile_spot_has_line(const struct profile_spot *spot)
{
	return spot->line || *spot->function->file;
}

struct profile_place_name {
	uint64_t place;
	const struct profile_spot *spots; /* outermost function first, then inlined ones inwards; at least one */
	uint32_t count;
	uint32_t from_start; /* bytes from the start of the outermost function (0 when unknown) */
	bool of_runtime;     /* in the section for code of a runtime */
	bool is_main;        /* the outermost function is the program's main, perhaps renamed by the compiler */
	bool starts_program; /* start code of programs and threads: runs before any user code */
};

struct profile_module_names {
	enum profile_code_status status;
	size_t places;  /* named places of this module */
	size_t unnamed; /* places whose name is only an address */
	bool runtime;   /* the file has the section for code of a runtime */
	enum profile_debug_gap_kind gap;
	const char *gap_file; /* file of the gap; "": none */
};

struct profile_naming {
	struct profile_place_name *places; /* by place */
	size_t place_count;
	const struct profile_place_name **of_node; /* NULL: nothing to name */
	struct profile_module_names *modules;      /* one for each module of the tree */
	struct profile_namer *namers;              /* own the memory of the names */
	size_t namer_count;
	bool runtime; /* a module has the section for code of a runtime */
};

struct profile_naming_options {
	bool runtime_frames;                     /* name RUNTIME_FRAME nodes too */
	const bool *nodes;                       /* by node: name only these; NULL: all */
	size_t workers;                          /* 0: as many as processors */
	const struct profile_progress *progress; /* or NULL */
};

/* Names all places of a tree. Context: any thread. Returns 0 or a negative error. */
int profile_naming_make(struct profile_naming *naming, const struct profile_call_tree *tree,
	const struct profile_naming_options *options);
void profile_naming_free(struct profile_naming *naming);

#endif

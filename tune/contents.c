/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables are found by the declarations of the source; blocks by the allocation functions, which macros redirect.
 * Blocks are cleared when they are allocated, so that memory which the program never wrote is equal in both programs.
 * The library is compiled without these macros, so its memory is not among the blocks.
 */
#include "tune/contents.h"

#include "profile/base/intern.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const heddle__tune_contents_macros[] = {"-Dmain=heddle_check_main",
	"-Dupc_all_alloc=heddle_check_all_alloc", "-Dupc_global_alloc=heddle_check_global_alloc",
	"-Dupc_alloc=heddle_check_alloc", "-Dupc_free=heddle_check_free", "-Dupc_all_free=heddle_check_all_free", NULL};

/* clang-format off */
const char heddle__tune_contents_source[] =
	"#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <upc.h>\n"
	"struct block { struct block *next; shared void *at; size_t size; int all; };\n"
	"static struct block *blocks;\n"
	"static FILE *file;\n"
	"int heddle_check_main();\n"
	"void heddle_check_variables(void);\n"
	"extern const char heddle_check_path[];\n"
	"static shared char *own_part(shared void *at, int thread)\n{\n"
	"\tshared char *first = (shared char *)upc_resetphase(at);\n"
	"\treturn first + (thread - (int)upc_threadof(first));\n}\n"
	"static void remember(shared void *at, size_t size, int all)\n{\n"
	"\tstruct block *block = malloc(sizeof(*block));\n"
	"\tif (!at || !block)\n\t\treturn;\n"
	"\t*block = (struct block){blocks, at, size, all};\n\tblocks = block;\n}\n"
	"static void forget(shared void *at)\n{\n"
	"\tfor (struct block **block = &blocks; *block; block = &(*block)->next)\n"
	"\t\tif ((*block)->at == at) {\n"
	"\t\t\tstruct block *gone = *block;\n\t\t\t*block = gone->next;\n\t\t\tfree(gone);\n\t\t\treturn;\n\t\t}\n}\n"
	"shared void *heddle_check_all_alloc(size_t count, size_t size)\n{\n"
	"\tshared void *at = upc_all_alloc(count, size);\n"
	"\tsize_t rows = (count + THREADS - 1) / THREADS;\n"
	"\tif (at && rows * size > 0)\n"
	"\t\tupc_memset(own_part(at, MYTHREAD), 0, rows * size);\n"
	"\tremember(at, rows * size, 1);\n\tupc_barrier;\n\treturn at;\n}\n"
	"shared void *heddle_check_global_alloc(size_t count, size_t size)\n{\n"
	"\tshared void *at = upc_global_alloc(count, size);\n"
	"\tsize_t rows = (count + THREADS - 1) / THREADS;\n"
	"\tfor (int t = 0; t < THREADS && at && rows * size > 0; t++)\n"
	"\t\tupc_memset(own_part(at, t), 0, rows * size);\n"
	"\treturn at;\n}\n"
	"shared void *heddle_check_alloc(size_t size)\n{\n"
	"\tshared void *at = upc_alloc(size);\n"
	"\tif (at)\n\t\tupc_memset(at, 0, size);\n"
	"\tremember(at, size, 0);\n\treturn at;\n}\n"
	"void heddle_check_free(shared void *at)\n{\n\tforget(at);\n\tupc_free(at);\n}\n"
	"void heddle_check_all_free(shared void *at)\n{\n\tforget(at);\n\tupc_all_free(at);\n}\n"
	"uint64_t heddle_check_hash(uint64_t hash, const void *bytes, size_t size)\n{\n"
	"\tconst unsigned char *at = bytes;\n"
	"\tfor (size_t i = 0; i < size; i++)\n\t\thash = (hash ^ at[i]) * UINT64_C(1099511628211);\n"
	"\treturn hash;\n}\n"
	"void heddle_check_variable(const char *name, size_t size, uint64_t hash)\n{\n"
	"\tfprintf(file, \"variable %s, %lu bytes %016lx\\n\", name, (unsigned long)size, (unsigned long)hash);\n}\n"
	"int main(int argc, char **argv)\n{\n"
	"\tint status = heddle_check_main(argc, argv);\n"
	"\tchar path[4096];\n"
	"\tupc_barrier;\n"
	"\tsnprintf(path, sizeof(path), \"%s.%d\", heddle_check_path, MYTHREAD);\n"
	"\tfile = fopen(path, \"w\");\n"
	"\tif (file)\n\t\theddle_check_variables();\n"
	"\tfor (struct block *block = blocks; block && file; block = block->next) {\n"
	"\t\tuint64_t hash = heddle_check_hash(14695981039346656037u, block->all ? (char *)own_part(block->at, MYTHREAD)\n"
	"\t\t\t: (char *)block->at, block->size);\n"
	"\t\tfprintf(file, \"block of %lu bytes %016lx\\n\", (unsigned long)block->size, (unsigned long)hash);\n\t}\n"
	"\tif (file)\n\t\tfclose(file);\n"
	"\tupc_barrier;\n\treturn status;\n}\n";
/* clang-format on */

/* Returns true if the bytes of elements can be compared. Pointers cannot: they may depend on other allocations. */
static bool is_comparable(const struct tune_symbol *symbol)
{
	const struct tune_type *type = symbol->type;
	if (symbol->kind != TUNE_VARIABLE || symbol->is_extern || !type || !type->shared)
		return false;
	while (type->kind == TUNE_ARRAY)
		type = type->of;
	if (type->kind != TUNE_BASE || strcmp(type->name, "upc_lock_t") == 0)
		return false;
	for (const struct tune_symbol *member = type->record ? type->record->members : NULL; member;
		member = member->next)
		if (member->type->kind == TUNE_POINTER)
			return false;
	return true;
}

const char *heddle__tune_contents_wrapper(const struct tune_file *file, const char *path)
{
	struct tune_text text = {.work = file->work};
	heddle__tune_add_format(&text,
		"#include \"%s\"\n#include <stdint.h>\n"
		"uint64_t heddle_check_hash(uint64_t hash, const void *bytes, size_t size);\n"
		"void heddle_check_variable(const char *name, size_t size, uint64_t hash);\n"
		"extern const char heddle_check_path[];\nconst char heddle_check_path[] = HEDDLE_CONTENTS;\n"
		"void heddle_check_variables(void);\nvoid heddle_check_variables(void)\n{\n",
		path);
	for (const struct tune_symbol *symbol = file->globals; symbol; symbol = symbol->next) {
		const char *first = "";
		if (!is_comparable(symbol))
			continue;
		for (const struct tune_type *type = symbol->type; type->kind == TUNE_ARRAY; type = type->of)
			first = heddle__tune_format(file->work, "%s[0]", first);
		heddle__tune_add_format(&text,
			"\t{\n\t\tuint64_t hash = 14695981039346656037u;\n"
			"\t\t__typeof__(&%s%s) first = &%s%s;\n"
			"\t\tlong count = sizeof(%s) / sizeof(%s%s);\n"
			"\t\tfor (long i = 0; i < count; i++)\n"
			"\t\t\tif ((int)upc_threadof(first + i) == MYTHREAD)\n"
			"\t\t\t\thash = heddle_check_hash(hash, (const char *)(first + i), sizeof(%s%s));\n"
			"\t\theddle_check_variable(\"%s\", sizeof(%s), hash);\n\t}\n",
			symbol->name, first, symbol->name, first, symbol->name, symbol->name, first, symbol->name,
			first, symbol->name, symbol->name);
	}
	heddle__tune_add(&text, "}\n");
	return text.at;
}

struct list {
	char **lines;
	size_t count;
};

static void free_list(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->lines[i]);
	free(list->lines);
}

/* Returns false if the file does not exist, or memory is exhausted. */
static bool read_list(const char *path, int thread, struct list *list)
{
	char name[PATH_MAX + 16], line[1024];
	snprintf(name, sizeof(name), "%s.%d", path, thread);
	FILE *file = fopen(name, "r");
	*list = (struct list){0};
	while (file && fgets(line, sizeof(line), file)) {
		size_t capacity = list->count;
		bool room = profile_reserve(&list->lines, &capacity, capacity + 1, sizeof(*list->lines)) == 0;
		char *copy = room ? strdup(line) : NULL;
		if (!copy)
			break;
		list->lines[list->count++] = copy;
	}
	if (file)
		fclose(file);
	return file;
}

static bool take(struct list *list, const char *line)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->lines[i] && strcmp(list->lines[i], line) == 0) {
			free(list->lines[i]);
			list->lines[i] = NULL;
			return true;
		}
	return false;
}

static bool same_of_thread(const struct list *before, struct list *after, int thread, char *what, size_t size)
{
	for (size_t i = 0; i < before->count; i++) {
		if (take(after, before->lines[i]))
			continue;
		/* Without the hash. */
		size_t length = strlen(before->lines[i]);
		snprintf(what, size, "%.*s on thread %d", length > 18 ? (int)length - 18 : 0, before->lines[i], thread);
		return false;
	}
	return true;
}

bool heddle__tune_contents_same(const char *before, const char *after, int *threads, char *what, size_t size)
{
	bool same = true;
	for (*threads = 0; same; ++*threads) {
		struct list old, new;
		bool any = read_list(before, *threads, &old);
		bool more = read_list(after, *threads, &new);
		if (any != more)
			snprintf(what, size, "thread %d of one program", *threads);
		same = any == more && same_of_thread(&old, &new, *threads, what, size);
		free_list(&old);
		free_list(&new);
		if (!any)
			break;
	}
	return same;
}

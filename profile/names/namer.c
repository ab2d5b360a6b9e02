/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the places of one module by the best source: debug information, symbol table, module+offset, address. */
#include "profile/names/namer.h"

#include "format/pattern.h"

#include "profile/base/errors.h"
#include "profile/base/printable.h"
#include "profile/names/demangle.h"
#include "profile/names/function_bounds.h"
#include "profile/names/inline_index.h"
#include "profile/names/plt_names.h"
#include "profile/names/scoped_name.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_SIZE 48 /* of `_start` if no symbol has its size */
#define BLOCK_SPOTS 1024

struct profile_namer_block {
	struct profile_namer_block *next;
	size_t used;
	struct profile_spot spots[BLOCK_SPOTS];
};

/* The state of one run. */
struct run {
	struct profile_namer *namer;
	struct profile_code_file file;
	struct profile_inline_index index;
	struct profile_function_bounds bounds; /* for places without a name */
	bool has_bounds;                       /* `bounds` was read */
	struct profile_scoped_names scoped;
	uint64_t bias; /* of addresses in the debug information */
	uint64_t start_low, start_high;
	uint64_t runtime_low, runtime_high; /* the section for code of a runtime */
	const struct profile_model
		*proven; /* the model whose runtime is linked into the program outside of such a section; or NULL */
};

static struct profile_spot *new_spots(struct profile_namer *namer, size_t count)
{
	struct profile_namer_block *block = namer->blocks;
	if (!block || BLOCK_SPOTS - block->used < count) {
		block = calloc(1, sizeof(*block));
		if (!block)
			return NULL;
		block->next = namer->blocks;
		namer->blocks = block;
	}
	block->used += count;
	return &block->spots[block->used - count];
}

/* ---- functions ---- */

/* Interns text of debug information, which may have any bytes. */
static const char *keep_printable(struct profile_namer *namer, const char *text)
{
	if (profile_is_printable(text))
		return profile_intern_text(&namer->texts, text);
	char *copy = strdup(text);
	if (!copy)
		return NULL;
	profile_make_printable(copy);
	const char *kept = profile_intern_text(&namer->texts, copy);
	free(copy);
	return kept;
}

/* Interns a name that was made from debug information. */
static const char *keep_shown(struct profile_namer *namer, const char *shown)
{
	char *name = strdup(shown);
	if (!name)
		return NULL;
	profile_spell_types(name);
	const char *kept = keep_printable(namer, name);
	free(name);
	return kept;
}

static const char *readable(struct profile_namer *namer, const char *linkage)
{
	const struct profile_code_name *code = profile_models_match(namer->models, HEDDLE_NAMED_SHOWN, linkage);
	if (code)
		return profile_intern_text(&namer->texts, code->shown);
	char *name = profile_demangle(linkage);
	if (!name)
		return NULL;
	profile_make_printable(name);
	const char *kept = profile_intern_text(&namer->texts, name);
	free(name);
	return kept;
}

/*
 * True for functions of Heddle's own headers, which are compiled into the program, and for stubs that jump to functions
 * of its library; not for stubs to its wrappers of other functions, such as pthread_create.
 */
static bool is_of_heddle(const char *linkage, const char *file)
{
	if (heddle__pattern_matches("{gasp_,heddle_,__cyg_profile_func_}*@plt", linkage))
		return true;
	const char *slash = file ? strrchr(file, '/') : NULL;
	const char *base = slash ? slash + 1 : file;
	static const struct {
		const char *file, *functions; /* a pattern: in C++, clang mangles static functions of C headers */
	} headers[] = {{"heddle.h", "{,_ZL#,_ZL##}heddle_*"}, {"pupc.h", "{,_ZL#,_ZL##}pupc_*"},
		{"heddle.hpp", "_ZN6heddle*"}, {"heddle.f90", "__heddle_MOD_*"}};
	for (size_t i = 0; base && i < sizeof(headers) / sizeof(*headers); i++)
		if (strcmp(base, headers[i].file) == 0 && heddle__pattern_matches(headers[i].functions, linkage))
			return true;
	return false;
}

/* What identifies a function. shown: its name in reports if that is not made from the linker's name; else NULL. */
struct identity {
	const char *linkage, *shown, *file;
	uint32_t line;
	bool known;
};

static struct profile_function *new_function(struct profile_namer *namer, const struct identity *of)
{
	const char *linkage = of->linkage, *file = of->file;
	bool known = of->known;
	struct profile_function *function = malloc(sizeof(*function));
	if (!function)
		return NULL;
	*function = (struct profile_function){
		.name = of->shown ? keep_shown(namer, of->shown)
			: known   ? readable(namer, linkage)
				  : keep_printable(namer, linkage),
		.linkage = keep_printable(namer, linkage),
		.module = keep_printable(namer, namer->module->path),
		.file = keep_printable(namer, file ? file : ""),
		.line = of->line,
		.outlined = known && profile_models_match(namer->models, HEDDLE_NAMED_OUTLINED, linkage),
		.only_reports = known && (is_of_heddle(linkage, file) ||
						 profile_models_match(namer->models, HEDDLE_NAMED_ANNOTATES, linkage)),
		.known = known,
	};
	if (function->name && function->linkage && function->module && function->file)
		return function;
	free(function);
	return NULL;
}

/* Returns the number of a function, identified by its names and place of definition, plus 1; 0: no memory. */
static uint32_t function_number(struct profile_namer *namer, const struct identity *of)
{
	char *key;
	int length = asprintf(&key, "%s%c%s%c%u%c%s", of->linkage, '\0', of->file ? of->file : "", '\0', of->line, '\0',
		of->shown ? of->shown : "");
	if (length < 0)
		return 0;
	uint32_t number = profile_intern_bytes(&namer->function_keys, key, (size_t)length);
	free(key);
	if (number == HEDDLE_INTERN_NONE || profile_reserve(&namer->functions, &namer->function_capacity,
						    (size_t)number + 1, sizeof(struct profile_function *)) != 0)
		return 0;
	if (!namer->functions[number])
		namer->functions[number] = new_function(namer, of);
	if (number >= namer->function_count)
		namer->function_count = (size_t)number + 1;
	return namer->functions[number] ? number + 1 : 0;
}

/* True if a linker's name is that of a Fortran procedure outside of modules: with an underscore at the end. */
static bool underscored(const char *linkage, const char *written)
{
	size_t length = written ? strlen(written) : 0;
	return length > 0 && strncmp(linkage, written, length) == 0 && strcmp(linkage + length, "_") == 0;
}

static const char *linkage_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
	const char *written = dwarf_diename(die);
	return name && !underscored(name, written) ? name : written;
}

/*
 * Returns the file of an attribute, from the list of the unit that contains it: a unit in a separate file
 * (-gsplit-dwarf) may have another list than its skeleton. dwarf_decl_file aborts in this case, up to version 0.188.
 * Number 0 is the unit's own file in DWARF 5; in older versions it means none.
 */
static const char *file_of(Dwarf_Attribute *attribute)
{
	Dwarf_Word number;
	Dwarf_Half version;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t count;
	if (!attribute || dwarf_formudata(attribute, &number) != 0)
		return NULL;
	if (!dwarf_cu_die(attribute->cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) || (number == 0 && version < 5))
		return NULL;
	if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

/*
 * Returns the name by which programs call a function of the C library: debug information has the name in the source,
 * such as __pthread_create_2_1. NULL: there is none, or the name is not a reserved one.
 */
static const char *exported_name(struct run *run, const struct profile_code_range *range, const char *linkage)
{
	if (run->namer->module->role != HEDDLE_CODE_LIBC || !linkage || *linkage != '_')
		return NULL;
	uint64_t low = range->low + run->bias;
	const struct profile_symbol *symbol = profile_symbol_index_find(&run->file.symbols, low);
	return symbol && symbol->low == low && *symbol->name != '_' ? symbol->name : NULL;
}

/*
 * Sets the shown name of a C++ function that has no linkage name, unless a compiler made the function. Returns 0 or
 * -ENOMEM.
 */
static int set_scoped_name(struct run *run, Dwarf_Die *die, struct identity *of)
{
	const char *written = dwarf_diename(die);
	if (!written || strcmp(written, of->linkage) != 0 || strncmp(written, "_Z", 2) == 0 ||
		profile_models_match(run->namer->models, HEDDLE_NAMED_OUTLINED, written))
		return 0;
	return profile_scoped_name(&run->scoped, die, &of->shown);
}

/* Returns the function of a debug information entry, whose number + 1 is cached in the range's tag. */
static const struct profile_function *function_of(struct run *run, struct profile_code_range *range, uint64_t offset)
{
	struct profile_namer *namer = run->namer;
	if (range->tag == 0) {
		const char *linkage = linkage_of(&range->die), *exported = exported_name(run, range, linkage);
		Dwarf_Attribute declared;
		const char *file = file_of(dwarf_attr_integrate(&range->die, DW_AT_decl_file, &declared));
		int line = 0;
		const struct profile_symbol *symbol =
			linkage ? NULL : profile_symbol_index_find(&run->file.symbols, offset);
		if (symbol)
			linkage = symbol->name;
		linkage = exported ? exported : linkage;
		dwarf_decl_line(&range->die, &line);
		struct identity of = {linkage ? linkage : "(unnamed)", NULL, file, (uint32_t)line, true};
		if (set_scoped_name(run, &range->die, &of) == 0)
			range->tag = function_number(namer, &of);
	}
	return range->tag ? namer->functions[range->tag - 1] : NULL;
}

/* ---- places ---- */

static int set_line(struct profile_namer *namer, struct profile_spot *spot, const char *file, int line, int column)
{
	spot->column = file && line > 0 && column > 0 ? (uint32_t)column : 0;
	spot->file = keep_printable(namer, file && line > 0 ? file : "");
	spot->line = file && line > 0 ? (uint32_t)line : 0;
	return spot->file ? 0 : -ENOMEM;
}

static int set_source_line(struct run *run, struct profile_spot *spot, Dwarf_Die *unit, uint64_t address)
{
	int line = 0, column = 0;
	Dwarf_Line *row = unit ? dwarf_getsrc_die(unit, address) : NULL;
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	if (row && dwarf_lineno(row, &line) == 0)
		dwarf_linecol(row, &column);
	return set_line(run->namer, spot, file, line, column);
}

static int set_call_line(struct run *run, struct profile_spot *spot, Dwarf_Die *call)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line = 0, column = 0;
	const char *file = file_of(dwarf_attr(call, DW_AT_call_file, &attribute));
	if (dwarf_formudata(dwarf_attr(call, DW_AT_call_line, &attribute), &line) != 0)
		line = 0;
	if (dwarf_formudata(dwarf_attr(call, DW_AT_call_column, &attribute), &column) != 0)
		column = 0;
	return set_line(run->namer, spot, file, (int)line, (int)column);
}

/* Removes compilers' copies of functions: one that is inlined into the same function without a line of the call. */
static uint32_t without_copies(struct profile_spot *spots, size_t count)
{
	uint32_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		bool copied = i + 1 < count && spots[i].function == spots[i + 1].function && spots[i].line == 0;
		if (!copied)
			spots[kept++] = spots[i];
	}
	return kept;
}

/*
 * Returns the length of the chain up to the first inlined call without a name: broken debug information (-flto
 * -gsplit-dwarf) has such calls, and the symbol's name is not theirs.
 */
static size_t named_depth(const struct profile_inline_place *found)
{
	size_t depth = 1;
	while (depth < found->depth && (found->chain[depth]->tag || linkage_of(&found->chain[depth]->die)))
		depth++;
	return depth;
}

/* The first address of a function is named after the function, even if its instruction belongs to an inlined one. */
static int name_by_debug(struct run *run, struct profile_place_name *name, struct profile_inline_place *found)
{
	uint64_t offset = HEDDLE_PLACE_OFFSET(name->place);
	size_t depth = offset - run->bias == found->chain[0]->low ? 1 : named_depth(found);
	struct profile_spot *spots = new_spots(run->namer, depth);
	int error = spots ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < depth; i++) {
		spots[i].function = function_of(run, found->chain[i], offset);
		if (!spots[i].function)
			return -ENOMEM;
		error = i + 1 < found->depth ? set_call_line(run, &spots[i], &found->chain[i + 1]->die)
					     : set_source_line(run, &spots[i], found->unit, offset - run->bias);
	}
	name->spots = spots;
	name->count = error ? 0 : without_copies(spots, depth);
	name->from_start = (uint32_t)(offset - run->bias - found->chain[0]->low);
	return error;
}

static int name_simply(struct run *run, struct profile_place_name *name, const char *linkage, bool known)
{
	struct profile_namer *namer = run->namer;
	struct profile_spot *spot = new_spots(namer, 1);
	uint32_t number = function_number(namer, &(struct identity){.linkage = linkage, .known = known});
	if (!spot || number == 0)
		return -ENOMEM;
	spot->function = namer->functions[number - 1];
	name->spots = spot;
	name->count = 1;
	return set_line(namer, spot, NULL, 0, 0);
}

/* Sets the distance of a place from the start of its function, if .eh_frame has the function. */
static int find_bounds(struct run *run, struct profile_place_name *name)
{
	GElf_Addr bias = 0;
	Elf *elf = run->file.module ? dwfl_module_getelf(run->file.module, &bias) : NULL;
	uint64_t address = HEDDLE_PLACE_OFFSET(name->place) - bias;
	int error = 0;
	if (!run->has_bounds && elf)
		error = profile_function_bounds_open(&run->bounds, elf);
	run->has_bounds = true;
	const struct profile_function_range *range = profile_function_bounds_find(&run->bounds, address);
	if (range && address - range->low <= UINT32_MAX)
		name->from_start = (uint32_t)(address - range->low);
	return error;
}

/* Names a place by the address of its function if that is known, or by its own. */
static int name_by_address(struct run *run, struct profile_place_name *name)
{
	const char *path = run->namer->module->path, *slash = strrchr(path, '/');
	const char *base = path[0] == '[' || !slash ? path : slash + 1;
	char text[512];
	const struct profile_code_name *file = profile_models_match(run->namer->models, HEDDLE_NAMED_FILE, base);
	if (file)
		return name_simply(run, name, file->shown, false);
	int error = find_bounds(run, name);
	if (error)
		return error;
	snprintf(text, sizeof(text), "%.400s%s0x%" PRIx64, base, *base ? "+" : "",
		HEDDLE_PLACE_OFFSET(name->place) - name->from_start);
	profile_make_printable(text);
	return name_simply(run, name, text, false);
}

static int name_by_stub(struct run *run, struct profile_place_name *name)
{
	char text[512];
	GElf_Addr bias = 0;
	Elf *elf = run->file.module ? dwfl_module_getelf(run->file.module, &bias) : NULL;
	const char *stub =
		elf ? profile_plt_name(elf, HEDDLE_PLACE_OFFSET(name->place) - bias, text, sizeof(text)) : NULL;
	return stub ? name_simply(run, name, stub, true) : name_by_address(run, name);
}

static int name_by_symbol(struct run *run, struct profile_place_name *name)
{
	uint64_t offset = HEDDLE_PLACE_OFFSET(name->place);
	const struct profile_symbol *symbol = profile_symbol_index_find(&run->file.symbols, offset);
	if (!symbol)
		return name_by_stub(run, name);
	name->from_start = (uint32_t)(offset - symbol->low);
	return name_simply(run, name, symbol->name, true);
}

/* True for the C++ library's function that starts a std::thread: local to the library, so mostly without a name. */
static bool starts_cxx_thread(const struct profile_code_module *module, const struct profile_function *function)
{
	const char *slash = strrchr(module->path, '/');
	return slash && strncmp(slash + 1, "libstdc++.so", sizeof("libstdc++.so") - 1) == 0 &&
	       (!function->known || strcmp(function->linkage, "execute_native_thread_routine") == 0);
}

/* Start code: the executable's entry code, and C library functions without a name or with that of start code. */
static bool starts_program(const struct run *run, const struct profile_place_name *name)
{
	uint64_t offset = HEDDLE_PLACE_OFFSET(name->place);
	const struct profile_function *function = name->spots[0].function;
	if (offset >= run->start_low && offset < run->start_high)
		return true;
	if (starts_cxx_thread(run->namer->module, function))
		return true;
	if (run->namer->module->role == HEDDLE_CODE_LIBC)
		return !function->known || profile_is_start_name(function->linkage);
	/* A runtime in a section of its own may contain the program's main function. */
	return strncmp(function->linkage, "__libc_start_", 13) == 0 ||
	       profile_models_match(run->namer->models, HEDDLE_NAMED_START, function->linkage) ||
	       (name->of_runtime && strcmp(function->linkage, "main") == 0);
}

/*
 * True if this is the main function of a program whose compiler renames it, which debug information may not show. It is
 * then named "main".
 */
static bool is_main(struct run *run, const struct profile_place_name *name)
{
	struct profile_namer *namer = run->namer;
	const char *linkage = name->spots[0].function->linkage;
	bool is_main = strcmp(linkage, "main") == 0;
	if (!run->proven || (!is_main && !profile_model_match(run->proven, HEDDLE_NAMED_MAIN, linkage)))
		return false;
	if (is_main) {
		const struct profile_symbol *symbol =
			profile_symbol_index_find(&run->file.symbols, HEDDLE_PLACE_OFFSET(name->place));
		return symbol && profile_model_match(run->proven, HEDDLE_NAMED_MAIN, symbol->name);
	}
	for (size_t f = 0; f < namer->function_count; f++)
		if (namer->functions[f] == name->spots[0].function)
			namer->functions[f]->name = "main";
	return true;
}

static int name_one(struct run *run, struct profile_place_name *name)
{
	struct profile_inline_place found = {.unit = NULL};
	int error = 0;
	if (run->index.unit_count)
		error = profile_inline_index_find(&run->index, HEDDLE_PLACE_OFFSET(name->place) - run->bias, &found);
	if (!error)
		error = found.depth ? name_by_debug(run, name, &found) : name_by_symbol(run, name);
	if (error)
		return error;
	uint64_t offset = HEDDLE_PLACE_OFFSET(name->place);
	name->of_runtime = offset >= run->runtime_low && offset < run->runtime_high;
	name->is_main = is_main(run, name);
	name->starts_program = starts_program(run, name);
	return 0;
}

static void find_start(struct run *run)
{
	if (!run->file.entry || run->namer->module->role != HEDDLE_CODE_EXECUTABLE)
		return;
	run->start_low = run->file.entry;
	run->start_high = run->start_low + START_SIZE;
	const struct profile_symbol *symbol = profile_symbol_index_find(&run->file.symbols, run->file.entry);
	if (symbol && symbol->high - symbol->low < 4096)
		run->start_high = symbol->high;
}

static bool is_section(const struct profile_models *models, const char *name)
{
	for (size_t i = 1; i < models->count; i++)
		if (*models->items[i].section && strcmp(models->items[i].section, name) == 0)
			return true;
	return false;
}

static void find_runtime(struct run *run)
{
	GElf_Addr bias = 0;
	Elf *elf = run->file.module ? dwfl_module_getelf(run->file.module, &bias) : NULL;
	size_t names;
	if (!elf || elf_getshdrstrndx(elf, &names) != 0)
		return;
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (!name || !is_section(run->namer->models, name))
			continue;
		run->runtime_low = header.sh_addr + bias;
		run->runtime_high = run->runtime_low + header.sh_size;
	}
}

static bool holds_proof(const struct profile_symbol_list *symbols, const struct profile_model *model)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (profile_model_match(model, HEDDLE_NAMED_PROOF, symbols->at[i].name))
			return true;
	return false;
}

/* Programs with a runtime in a section of its own do not rename main. */
static void find_proven(struct run *run)
{
	const struct profile_symbol_index *symbols = &run->file.symbols;
	const struct profile_models *models = run->namer->models;
	if (run->runtime_low != run->runtime_high || run->namer->module->role != HEDDLE_CODE_EXECUTABLE)
		return;
	for (size_t i = 1; !run->proven && i < models->count; i++) {
		const struct profile_model *model = &models->items[i];
		if (profile_model_names(model, HEDDLE_NAMED_PROOF) &&
			(holds_proof(&symbols->sized, model) || holds_proof(&symbols->unsized, model)))
			run->proven = model;
	}
}

static int open_debug(struct run *run)
{
	Dwarf_Addr bias = 0;
	Dwarf *dwarf = run->file.module ? dwfl_module_getdwarf(run->file.module, &bias) : NULL;
	run->bias = bias;
	find_start(run);
	find_runtime(run);
	find_proven(run);
	return dwarf ? profile_inline_index_open(&run->index, dwarf) : 0;
}

static int note_gap(struct run *run, struct profile_module_names *summary)
{
	struct profile_debug_gap gap = profile_debug_gap_find(&run->file);
	summary->gap = gap.kind;
	summary->gap_file = keep_printable(run->namer, gap.file ? gap.file : "");
	free(gap.file);
	return summary->gap_file ? 0 : -ENOMEM;
}

int profile_namer_run(struct profile_namer *namer, struct profile_place_name *names, size_t count,
	struct profile_module_names *summary)
{
	struct run run = {.namer = namer};
	summary->status = namer->module->path[0] ? profile_code_file_open(&run.file, namer->module) : HEDDLE_CODE_FOUND;
	int error = open_debug(&run);
	if (!error)
		error = note_gap(&run, summary);
	for (size_t i = 0; !error && i < count; i++) {
		error = name_one(&run, &names[i]);
		if (!error && !names[i].spots[0].function->known)
			summary->unnamed++;
	}
	summary->places = count;
	summary->runtime = run.runtime_low != run.runtime_high;
	profile_inline_index_close(&run.index);
	profile_function_bounds_close(&run.bounds);
	profile_scoped_names_free(&run.scoped);
	profile_code_file_close(&run.file);
	return error;
}

void profile_namer_free(struct profile_namer *namer)
{
	while (namer->blocks) {
		struct profile_namer_block *next = namer->blocks->next;
		free(namer->blocks);
		namer->blocks = next;
	}
	for (size_t f = 0; f < namer->function_count; f++)
		free(namer->functions[f]);
	free(namer->functions);
	profile_intern_free(&namer->texts);
	profile_intern_free(&namer->function_keys);
}

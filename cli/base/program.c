/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inspects programs and libraries through libelf: is there a dynamic linker to preload with, and which OpenMP runtime
 * will be loaded? The search for libraries follows ld.so(8) as far as a hint needs it; a wrong result costs one line of
 * advice.
 */
#include "cli/base/program.h"

#include "cli/base/locate.h"
#include "format/pattern.h"
#include "profile/base/regular_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Limit of libraries inspected, far above what programs need. */
#define LIBRARIES_MAX 256

struct libraries {
	char *paths[LIBRARIES_MAX];
	int count;
};

static int executable_status(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0)
		return errno == EACCES ? -EACCES : -ENOENT;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	return access(path, X_OK) == 0 ? 0 : -EACCES;
}

/* Checks one candidate of the search; records the first that exists but cannot be executed, as shells do. */
static bool try_candidate(const char *candidate, struct heddle_program *program, int *result)
{
	int status = executable_status(candidate);
	if (status == 0 || (status == -EACCES && *result == -ENOENT)) {
		snprintf(program->path, sizeof program->path, "%s", candidate);
		*result = status;
	}
	return status == 0;
}

int heddle__program_find(const char *name, struct heddle_program *program)
{
	const char *directories = getenv("PATH");
	char candidate[PATH_MAX];
	int result = -ENOENT;
	memset(program, 0, sizeof *program);
	snprintf(program->path, sizeof program->path, "%s", name);
	if (*name == '\0')
		return -ENOENT;
	if (strchr(name, '/'))
		return executable_status(name);
	if (!directories)
		directories = "/bin:/usr/bin";
	for (const char *at = directories;; at++) {
		size_t length = strcspn(at, ":");
		int size =
			snprintf(candidate, sizeof candidate, "%.*s%s%s", (int)length, at, length ? "/" : "./", name);

		if (size < (int)sizeof candidate && try_candidate(candidate, program, &result))
			return 0;
		at += length;
		if (*at == '\0')
			return result;
	}
}

static Elf *open_elf(const char *path, int *descriptor)
{
	Elf *elf;
	elf_version(EV_CURRENT);
	*descriptor = profile_open_regular(path);
	if (*descriptor < 0)
		return NULL;
	elf = elf_begin(*descriptor, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	close(*descriptor);
	return NULL;
}

static void close_elf(Elf *elf, int descriptor)
{
	elf_end(elf);
	close(descriptor);
}

/* The section of that type, with its data; NULL when there is none. */
static Elf_Data *section_data(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		if (gelf_getshdr(section, header) && header->sh_type == type && header->sh_entsize != 0)
			return elf_getdata(section, NULL);
	}
	return NULL;
}

bool heddle__elf_defines(const char *path, const char *name)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	bool found = false;
	int descriptor;
	Elf *elf = open_elf(path, &descriptor);
	Elf_Data *data;
	if (!elf)
		return false;
	data = section_data(elf, SHT_DYNSYM, &header);
	for (int i = 0; data && !found && gelf_getsym(data, i, &symbol); i++) {
		const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);

		found = symbol.st_shndx != SHN_UNDEF && text && strcmp(text, name) == 0;
	}
	close_elf(elf, descriptor);
	return found;
}

/* Prefixes of the bundled run-time system, Berkeley's (its own and GASNet's), GNU's and Clang's. */
static bool is_of_upc(const char *name)
{
	static const char *const prefixes[] = {"hupc__", "upcr", "UPCR", "gasnet", "__upc", "upc_"};
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

int heddle__program_is_upc(const char *path)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	int descriptor, answer = -1;
	Elf *elf = open_elf(path, &descriptor);
	Elf_Data *data;
	if (!elf)
		return -1;
	data = section_data(elf, SHT_SYMTAB, &header);
	if (data)
		answer = 0;
	for (int i = 0; data && answer == 0 && gelf_getsym(data, i, &symbol); i++) {
		const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);

		answer = text && is_of_upc(text);
	}
	close_elf(elf, descriptor);
	return answer;
}

static void add_library(struct libraries *libraries, const char *path)
{
	for (int i = 0; i < libraries->count; i++) {
		if (strcmp(libraries->paths[i], path) == 0)
			return;
	}
	if (libraries->count < LIBRARIES_MAX && (libraries->paths[libraries->count] = strdup(path)) != NULL)
		libraries->count++;
}

/* Looks for `name` in a list of directories separated by ':'; $ORIGIN is the directory of `origin`. */
static bool find_in(const char *directories, const char *origin, const char *name, struct libraries *libraries)
{
	char path[PATH_MAX];
	int origin_length = (int)(strrchr(origin, '/') ? strrchr(origin, '/') - origin : 0);
	for (const char *at = directories; at && *at != '\0';) {
		int length = (int)strcspn(at, ":");
		int skip = strncmp(at, "$ORIGIN", 7) == 0 ? 7 : strncmp(at, "${ORIGIN}", 9) == 0 ? 9 : 0;
		int size;

		if (skip != 0)
			size = snprintf(path, sizeof path, "%.*s%.*s/%s", origin_length ? origin_length : 1,
				origin_length ? origin : ".", length - skip, at + skip, name);
		else
			size = snprintf(path, sizeof path, "%.*s/%s", length, at, name);
		if (length > 0 && size < (int)sizeof path && access(path, R_OK) == 0) {
			add_library(libraries, path);
			return true;
		}
		at += length + (at[length] == ':');
	}
	return false;
}

static void find_library(const char *name, const char *runpath, const char *origin, struct libraries *libraries)
{
	static const char system_directories[] = "/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";
	if (strchr(name, '/')) {
		add_library(libraries, name);
		return;
	}
	(void)(find_in(runpath, origin, name, libraries) ||
		find_in(getenv("LD_LIBRARY_PATH"), origin, name, libraries) ||
		find_in(heddle__system_library_directory(), origin, name, libraries) ||
		find_in(system_directories, origin, name, libraries));
}

static void note_needed(const char *name, struct heddle_program *program)
{
#define X(key, library, model, label, pattern) \
	program->needs_wrapped[HEDDLE_WRAPPED_##key] |= heddle__pattern_matches(pattern, name);
	HEDDLE_WRAPPED(X)
#undef X
	if (strncmp(name, "libgomp.so", 10) == 0)
		program->needs_libgomp = true;
	if (strncmp(name, "libomp.so", 9) == 0 || strncmp(name, "libiomp5.so", 11) == 0 ||
		strncmp(name, "libomp5.so", 10) == 0)
		program->needs_libomp = true;
	if (strncmp(name, "liblikwid.so", 12) == 0 || strncmp(name, "libcaliper.so", 13) == 0)
		program->needs_marker = true;
	/* These must be loaded first. */
	if (strncmp(name, "libasan.so", 10) == 0 || strncmp(name, "libtsan.so", 10) == 0 ||
		strncmp(name, "libhwasan.so", 12) == 0)
		snprintf(program->sanitizer, sizeof program->sanitizer, "%s", name);
}

/* Records what this file needs, and appends the libraries that it needs to the list. */
static void read_needed(Elf *elf, const char *path, struct heddle_program *program, struct libraries *libraries)
{
	GElf_Shdr header;
	GElf_Dyn entry;
	const char *runpath = NULL;
	Elf_Data *data = section_data(elf, SHT_DYNAMIC, &header);
	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
			runpath = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
	}
	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;

		if (!name)
			continue;
		note_needed(name, program);
		find_library(name, runpath, path, libraries);
	}
}

static void inspect_header(Elf *elf, struct heddle_program *program)
{
	GElf_Ehdr own, header;
	GElf_Phdr segment;
	int descriptor;
	Elf *self = open_elf("/proc/self/exe", &descriptor);
	size_t count = 0;
	if (!gelf_getehdr(elf, &header))
		return;
	program->elf = true;
	if (self && gelf_getehdr(self, &own))
		program->foreign =
			own.e_machine != header.e_machine || own.e_ident[EI_CLASS] != header.e_ident[EI_CLASS];
	if (self)
		close_elf(self, descriptor);
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_INTERP)
			program->interpreted = true;
	}
}

static bool is_privileged(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0)
		return false;
	return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) ||
	       ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) ||
	       (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

bool heddle__file_mentions(const char *path, const char *name)
{
	struct stat status;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
		size_t size = (size_t)status.st_size;
		void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
		found = bytes != MAP_FAILED && memmem(bytes, size, name, strlen(name));
		if (bytes != MAP_FAILED)
			munmap(bytes, size);
	}
	if (file >= 0)
		close(file);
	return found;
}

/*
 * Records a libgomp with the tool interface. LLVM's runtime serves GCC's programs, too, under the name libgomp; and
 * GCC's own runtime may have the tool interface one day.
 */
static void note_tools(const char *path, struct heddle_program *program)
{
	const char *slash = strrchr(path, '/');
	if (strncmp(slash ? slash + 1 : path, "libgomp.so", 10) == 0 && heddle__file_mentions(path, "ompt_start_tool"))
		program->needs_libomp = true;
	if (strstr(path, "kokkoscore")) {
		program->needs_kokkos = true;
		program->old_kokkos = !heddle__file_mentions(path, "KOKKOS_TOOLS_LIBS");
	}
}

const char *heddle__program_loaded(char *const arguments[])
{
	static const char *const with_value[] = {"--library-path", "--inhibit-rpath", "--audit", "--preload", "--argv0",
		"--glibc-hwcaps-prepend", "--glibc-hwcaps-mask"};
	for (size_t i = 1; arguments[0] && arguments[i]; i++) {
		if (strncmp(arguments[i], "--", 2) != 0)
			return arguments[i];
		for (size_t k = 0; k < sizeof(with_value) / sizeof(*with_value); k++) {
			if (strcmp(arguments[i], with_value[k]) == 0 && arguments[i + 1])
				i++;
		}
	}
	return NULL;
}

void heddle__program_inspect(struct heddle_program *program)
{
	static struct libraries libraries;
	int descriptor;
	Elf *elf = open_elf(program->path, &descriptor);
	program->privileged = is_privileged(program->path);
	if (!elf)
		return;
	inspect_header(elf, program);
	program->loader = !program->interpreted && heddle__elf_defines(program->path, "_rtld_global");
	read_needed(elf, program->path, program, &libraries);
	close_elf(elf, descriptor);
	for (int i = 0; i < libraries.count; i++) {
		note_tools(libraries.paths[i], program);
		elf = open_elf(libraries.paths[i], &descriptor);
		if (elf) {
			read_needed(elf, libraries.paths[i], program, &libraries);
			close_elf(elf, descriptor);
		}
	}
	for (int i = 0; i < libraries.count; i++)
		free(libraries.paths[i]);
	libraries.count = 0;
}

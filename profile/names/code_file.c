/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the code of a module: the file on disk; the vdso of this process, if the kernel is the same; or, if the file
 * was removed or rebuilt, the separate debug file with its build id.
 */
#include "profile/names/code_file.h"

#include "profile/base/regular_file.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEFAULT_PATH ":.debug:/usr/lib/debug" /* libdwfl's default */

/* Directories with separate debug files, in the syntax of libdwfl. */
static char *debug_path(void)
{
	static char usual[] = DEFAULT_PATH;
	char *chosen = getenv("HEDDLE_DEBUG_PATH");
	return chosen ? chosen : usual;
}

/* On success dwfl owns the descriptor. Addresses are those of the ELF file, as the base is 0. */
static enum profile_code_status report(struct profile_code_file *file, const char *path, int fd)
{
	if (fd < 0)
		return HEDDLE_CODE_MISSING;
	file->path = debug_path();
	file->callbacks = (Dwfl_Callbacks){
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &file->path,
	};
	file->dwfl = dwfl_begin(&file->callbacks);
	if (file->dwfl) {
		dwfl_report_begin(file->dwfl);
		file->module = dwfl_report_elf(file->dwfl, path, path, fd, 0, true);
		dwfl_report_end(file->dwfl, NULL, NULL);
	}
	if (!file->module)
		close(fd);
	return file->module ? HEDDLE_CODE_FOUND : HEDDLE_CODE_MISSING;
}

static bool same_build(Dwfl_Module *loaded, const struct profile_code_module *module)
{
	const unsigned char *bits;
	GElf_Addr address;
	if (module->build_id_size == 0)
		return true;
	int size = dwfl_module_build_id(loaded, &bits, &address);
	return size > 0 && (size_t)size == module->build_id_size && memcmp(bits, module->build_id, (size_t)size) == 0;
}

static int copy_vdso(void)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR); /* NOLINT: the kernel's own address */
	if (!image)
		return -1;
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
	size_t size = header->e_shoff + (size_t)header->e_shentsize * header->e_shnum;
	int fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, image, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

/* DIRECTORY/.build-id/AB/CDEF...debug */
static int open_by_build_id(const char *directory, size_t length, const struct profile_code_module *module)
{
	char path[PATH_MAX + 512];
	int end = snprintf(path, sizeof(path), "%.*s/.build-id/", (int)length, directory);
	for (size_t i = 0; i < module->build_id_size && i < 64; i++)
		end += snprintf(path + end, sizeof(path) - (size_t)end, i == 0 ? "%02x/" : "%02x", module->build_id[i]);
	snprintf(path + end, sizeof(path) - (size_t)end, ".debug");
	return profile_open_regular(path);
}

/* Searches only the absolute directories, like libdwfl. */
static int open_separate(const struct profile_code_module *module)
{
	int fd = -1;
	size_t length;
	for (const char *at = module->build_id_size ? debug_path() : ""; fd < 0 && *at;
		at += length + (at[length] == ':')) {
		length = strcspn(at, ":");
		if (*at == '/' && length < PATH_MAX)
			fd = open_by_build_id(at, length, module);
	}
	return fd;
}

static int open_main(const struct profile_code_module *module)
{
	if (module->role == HEDDLE_CODE_VDSO || strcmp(module->path, "[vdso]") == 0)
		return copy_vdso();
	return module->path[0] == '/' ? profile_open_regular(module->path) : -1;
}

static void read_entry(struct profile_code_file *file)
{
	GElf_Addr bias;
	GElf_Ehdr header;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	if (elf && gelf_getehdr(elf, &header))
		file->entry = header.e_entry;
}

static enum profile_code_status fall_back(
	struct profile_code_file *file, const struct profile_code_module *module, enum profile_code_status status)
{
	profile_code_file_close(file);
	if (report(file, module->path, open_separate(module)) == HEDDLE_CODE_FOUND && same_build(file->module, module))
		return HEDDLE_CODE_FOUND;
	profile_code_file_close(file);
	return status;
}

enum profile_code_status profile_code_file_open(
	struct profile_code_file *file, const struct profile_code_module *module)
{
	*file = (struct profile_code_file){0};
	enum profile_code_status status = report(file, module->path, open_main(module));
	if (status == HEDDLE_CODE_FOUND && !same_build(file->module, module))
		status = HEDDLE_CODE_CHANGED;
	if (status != HEDDLE_CODE_FOUND)
		status = fall_back(file, module, status);
	if (status != HEDDLE_CODE_FOUND)
		return status;
	read_entry(file);
	GElf_Addr bias;
	if (profile_symbol_index_open(&file->symbols, file->module) == 0 &&
		(file->symbols.sized.count != 0 || dwfl_module_getdwarf(file->module, &bias)))
		return HEDDLE_CODE_FOUND;
	return HEDDLE_CODE_NO_SYMBOLS;
}

void profile_code_file_close(struct profile_code_file *file)
{
	profile_symbol_index_close(&file->symbols);
	if (file->dwfl)
		dwfl_end(file->dwfl);
	*file = (struct profile_code_file){0};
}

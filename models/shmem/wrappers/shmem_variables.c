/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list of ranges under a lock, and for each thread the ranges that it accessed recently. A static variable is added
 * at its first access.
 */
#include "models/shmem/wrappers/shmem_variables.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANGES 4096u /* further variables are not known */
#define RECENT 8u

struct range {
	uintptr_t low, size;
	uint32_t variable; /* 0: not known */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range ranges[RANGES];
static uint32_t range_count;
static _Atomic uint32_t changes; /* of ranges that threads may remember */

static _Thread_local struct {
	struct range ranges[RECENT];
	uint32_t changes, next;
} recent;

/* ---- static variables ---- */

struct executable {
	const unsigned char *bytes; /* NULL: not read, or it cannot be */
	uint64_t size;
	uintptr_t bias;
	uintptr_t low, high; /* where it is loaded: other addresses belong to no static variable */
	const Elf64_Sym *symbols;
	uint64_t symbol_count;
	const char *names;
	uint64_t names_size;
};

static int take_place(struct dl_phdr_info *info, size_t size, void *data)
{
	struct executable *file = data;
	(void)size;
	file->bias = info->dlpi_addr;
	file->low = UINTPTR_MAX;
	for (unsigned int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
		if (header->p_type != PT_LOAD)
			continue;
		file->low = low < file->low ? low : file->low;
		file->high = high > file->high ? high : file->high;
	}
	return 1; /* the executable is the first */
}

/* A section's bytes; NULL: they are not in the file. */
static const void *section(const struct executable *file, const Elf64_Shdr *header)
{
	return header->sh_offset <= file->size && header->sh_size <= file->size - header->sh_offset
		       ? file->bytes + header->sh_offset
		       : NULL;
}

static void find_symbols(struct executable *file)
{
	const Elf64_Ehdr *header = (const void *)file->bytes;
	if (file->size < sizeof(*header) || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > file->size ||
		header->e_shnum > (file->size - header->e_shoff) / sizeof(Elf64_Shdr))
		return;
	const Elf64_Shdr *sections = (const void *)(file->bytes + header->e_shoff);
	for (unsigned int i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum)
			continue;
		file->names = section(file, &sections[sections[i].sh_link]);
		file->names_size = sections[sections[i].sh_link].sh_size;
		file->symbols = file->names ? section(file, &sections[i]) : NULL;
		file->symbol_count = file->symbols ? sections[i].sh_size / sizeof(Elf64_Sym) : 0;
	}
}

/* Context: the lock is held. */
static const struct executable *executable(void)
{
	static struct executable file;
	static bool tried;
	struct stat status;
	if (tried)
		return &file;
	tried = true;
	int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (descriptor >= 0 && fstat(descriptor, &status) == 0) {
		void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
		file.bytes = bytes == MAP_FAILED ? NULL : bytes;
		file.size = (uint64_t)status.st_size;
	}
	if (descriptor >= 0)
		close(descriptor);
	dl_iterate_phdr(take_place, &file);
	if (file.bytes)
		find_symbols(&file);
	return &file;
}

/* Context: the lock is held. */
static bool find_static(const struct heddle_shmem_interface *measure, uintptr_t address, struct range *range)
{
	const struct executable *file = executable();
	if (address < file->low || address >= file->high)
		return false;
	for (uint64_t i = 0; i < file->symbol_count; i++) {
		const Elf64_Sym *symbol = &file->symbols[i];
		if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_name >= file->names_size ||
			address - file->bias - symbol->st_value >= symbol->st_size)
			continue;
		char text[512];
		snprintf(text, sizeof(text), "%.400s\t\t0\t0\t0\t\t", file->names + symbol->st_name);
		*range = (struct range){file->bias + symbol->st_value, symbol->st_size, measure->text(text)};
		return range->variable != 0;
	}
	return false;
}

/* ---- ranges ---- */

/* Context: the lock is held. */
static void add_range(struct range range)
{
	if (range_count < RANGES)
		ranges[range_count++] = range;
}

static struct range find_range(const struct heddle_shmem_interface *measure, uintptr_t address)
{
	struct range found = {address, 1, 0};
	pthread_mutex_lock(&lock);
	uint32_t i = 0;
	while (i < range_count && address - ranges[i].low >= ranges[i].size)
		i++;
	if (i < range_count)
		found = ranges[i];
	else if (find_static(measure, address, &found))
		add_range(found);
	pthread_mutex_unlock(&lock);
	return found;
}

uint32_t heddle__shmem_variable(const struct heddle_shmem_interface *measure, const void *at)
{
	uintptr_t address = (uintptr_t)at;
	uint32_t now = atomic_load_explicit(&changes, memory_order_acquire);
	if (recent.changes != now)
		memset(recent.ranges, 0, sizeof(recent.ranges));
	recent.changes = now;
	for (uint32_t i = 0; i < RECENT; i++)
		if (address - recent.ranges[i].low < recent.ranges[i].size)
			return recent.ranges[i].variable;
	struct range found = find_range(measure, address);
	recent.ranges[recent.next++ % RECENT] = found;
	return found.variable;
}

void heddle__shmem_block_add(const void *block, uint64_t size, uint32_t variable)
{
	pthread_mutex_lock(&lock);
	add_range((struct range){(uintptr_t)block, size, variable});
	atomic_fetch_add(&changes, 1);
	pthread_mutex_unlock(&lock);
}

void heddle__shmem_block_remove(const void *block)
{
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < range_count; i++) {
		if (ranges[i].low != (uintptr_t)block)
			continue;
		ranges[i] = ranges[--range_count];
		break;
	}
	atomic_fetch_add(&changes, 1);
	pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the program headers and notes of one loaded file, and finds its path. Reads only the file's own mapped
 * segments; allocates nothing from the program's heap.
 */
#include "core/modules/module_scan.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core/modules/mapped_path.h"

#define NOTE_ALIGN(n) (((size_t)(n) + 3) & ~(size_t)3)

uint64_t heddle__scan_hash(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return hash;
}

/* True if [vaddr, vaddr + size) is in one readable loaded segment. */
static bool is_loaded(const struct dl_phdr_info *info, uintptr_t vaddr, size_t size)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_R) && vaddr >= p->p_vaddr && size <= p->p_memsz &&
			vaddr - p->p_vaddr <= p->p_memsz - size)
			return true;
	}
	return false;
}

static void read_notes(const uint8_t *at, size_t left, struct heddle__scanned *scanned)
{
	while (left >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name = NOTE_ALIGN(note->n_namesz), text = NOTE_ALIGN(note->n_descsz);
		size_t size = sizeof(*note) + name + text;

		if (size > left || size < sizeof(*note))
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(note + 1, "GNU", 4)) {
			scanned->build_id = (uintptr_t)(note + 1) + name;
			scanned->build_id_size = note->n_descsz;
			return;
		}
		at += size;
		left -= size;
	}
}

static void scan_segment(const struct dl_phdr_info *info, const ElfW(Phdr) * p, struct heddle__scanned *scanned)
{
	uintptr_t at = info->dlpi_addr + p->p_vaddr;
	if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
		if (at < scanned->low)
			scanned->low = at;
		if (at + p->p_memsz > scanned->high)
			scanned->high = at + p->p_memsz;
	} else if (p->p_type == PT_GNU_EH_FRAME && is_loaded(info, p->p_vaddr, p->p_memsz)) {
		scanned->eh_frame_hdr = at;
		scanned->fingerprint =
			heddle__scan_hash(scanned->fingerprint, (void *)at, p->p_memsz < 64 ? p->p_memsz : 64);
	} else if (p->p_type == PT_NOTE && !scanned->build_id && is_loaded(info, p->p_vaddr, p->p_memsz)) {
		read_notes((const void *)at, p->p_memsz, scanned);
	}
}

bool heddle__scan_module(const struct dl_phdr_info *info, struct heddle__scanned *scanned)
{
	*scanned = (struct heddle__scanned){.name = info->dlpi_name ? info->dlpi_name : "", .base = info->dlpi_addr};
	scanned->low = UINTPTR_MAX;
	scanned->fingerprint =
		heddle__scan_hash(0xcbf29ce484222325u, info->dlpi_phdr, info->dlpi_phnum * sizeof(*info->dlpi_phdr));
	for (int i = 0; i < info->dlpi_phnum; i++)
		scan_segment(info, &info->dlpi_phdr[i], scanned);
	return scanned->low < scanned->high;
}

bool heddle__scan_is_vdso(const struct heddle__scanned *scanned)
{
	/* A program at fixed addresses has base 0, too, and processor emulators provide no address of the vdso. */
	return scanned->base != 0 && scanned->base == getauxval(AT_SYSINFO_EHDR);
}

void heddle__scan_path(const struct heddle__scanned *scanned, char *path, size_t size)
{
	ssize_t n;
	if (heddle__scan_is_vdso(scanned)) {
		snprintf(path, size, "[vdso]");
		return;
	}
	/* The executable has no name, and names may be relative to a former working directory: use the mapped file. */
	if (scanned->name[0] != '/') {
		if (heddle__mapped_path(scanned->low, path, size))
			return;
		if (!scanned->name[0]) {
			n = readlink("/proc/self/exe", path, size - 1);
			path[n < 0 ? 0 : n] = 0;
			return;
		}
	}
	snprintf(path, size, "%s", scanned->name);
}

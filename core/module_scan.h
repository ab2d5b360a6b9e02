/* SPDX-License-Identifier: BSD-3-Clause */
/* What the registry wants to know of one loaded ELF file, read from its program headers. */
#ifndef HEDDLE_CORE_MODULE_SCAN_H
#define HEDDLE_CORE_MODULE_SCAN_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle__scanned {
	const char *name; /* as the dynamic linker has it: "" for the executable */
	uintptr_t base, low, high, eh_frame_hdr, build_id;
	size_t build_id_size;
	uint64_t fingerprint; /* tells files without a build id apart */
};

/* False when the file has no executable segment. Context: inside dl_iterate_phdr. */
bool heddle__scan_module(const struct dl_phdr_info *info, struct heddle__scanned *scanned);

/*
 * The file's path, absolute where the system tells it ("[vdso]" for the kernel's), in `path` of `size` bytes.
 * Context: any thread, never a signal handler.
 */
void heddle__scan_path(const struct heddle__scanned *scanned, char *path, size_t size);

/* FNV-1a, 64 bit. Context: any. */
uint64_t heddle__scan_hash(uint64_t hash, const void *data, size_t size);

#endif

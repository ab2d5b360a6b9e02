/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the properties of a loaded ELF file that the registry needs from its program headers. */
#ifndef HEDDLE_CORE_MODULE_SCAN_H
#define HEDDLE_CORE_MODULE_SCAN_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle__scanned {
	const char *name; /* the dynamic linker's: "" for the executable */
	uintptr_t base, low, high, eh_frame_hdr, build_id;
	size_t build_id_size;
	uint64_t fingerprint; /* distinguishes files without a build id */
};

/* Returns false if the file has no executable segment. Context: inside dl_iterate_phdr. */
bool heddle__scan_module(const struct dl_phdr_info *info, struct heddle__scanned *scanned);

/* True for the kernel's own code. Context: any. */
bool heddle__scan_is_vdso(const struct heddle__scanned *scanned);

/*
 * Writes the file's path into `path` of `size` bytes, absolute if the system provides it ("[vdso]" for the vDSO).
 * Context: any thread, never a signal handler.
 */
void heddle__scan_path(const struct heddle__scanned *scanned, char *path, size_t size);

/* FNV-1a, 64 bit. Context: any. */
uint64_t heddle__scan_hash(uint64_t hash, const void *data, size_t size);

#endif

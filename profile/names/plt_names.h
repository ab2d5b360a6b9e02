/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for procedure linkage stubs, which no symbol covers: `sin@plt`. */
#ifndef HEDDLE_PROFILE_PLT_NAMES_H
#define HEDDLE_PROFILE_PLT_NAMES_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the name of the stub at an address of the ELF file to `text`. Returns `text`, or NULL if there is no stub. */
const char *profile_plt_name(Elf *elf, uint64_t address, char *text, size_t size);

#endif

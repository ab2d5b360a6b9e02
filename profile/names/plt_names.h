/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for procedure linkage stubs, which no symbol covers: `sin@plt`. */
#ifndef HEDDLE_PROFILE_PLT_NAMES_H
#define HEDDLE_PROFILE_PLT_NAMES_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

/* Puts the name of the stub at an address of the ELF file into `text`; returns it, or NULL when none is there. */
const char *profile_plt_name(Elf *elf, uint64_t address, char *text, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The object file that embeds the path of the measurement library, where the run-time system looks for it. Written
 * directly: an assembler would be one more process for each program.
 */
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

/* The header of this program's file: the run-time system is for the same processor. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The names of sections and symbols. The first one is empty, as ELF requires. */
static const char names[] = "\0.rodata\0.note.GNU-stack\0.symtab\0.strtab\0hupc__tool_library";
enum {
	NAME_RODATA = 1,
	NAME_STACK = NAME_RODATA + sizeof ".rodata",
	NAME_SYMBOLS = NAME_STACK + sizeof ".note.GNU-stack",
	NAME_NAMES = NAME_SYMBOLS + sizeof ".symtab",
	NAME_LIBRARY = NAME_NAMES + sizeof ".strtab",
};
enum { NO_SECTION, RODATA, STACK, SYMBOLS, NAMES, SECTIONS };

/* The contents of the file, in this order, followed by the path. */
struct object {
	ElfW(Ehdr) header;
	ElfW(Shdr) sections[SECTIONS];
	ElfW(Sym) symbols[2];
	char names[sizeof names];
};

static void make_header(ElfW(Ehdr) * header)
{
	memcpy(header->e_ident, __ehdr_start.e_ident, sizeof header->e_ident);
	header->e_ident[EI_OSABI] = ELFOSABI_NONE;
	header->e_type = ET_REL;
	header->e_machine = __ehdr_start.e_machine;
	header->e_flags = __ehdr_start.e_flags;
	header->e_version = EV_CURRENT;
	header->e_shoff = offsetof(struct object, sections);
	header->e_ehsize = sizeof *header;
	header->e_shentsize = sizeof(ElfW(Shdr));
	header->e_shnum = SECTIONS;
	header->e_shstrndx = NAMES;
}

static void make_sections(ElfW(Shdr) * sections, size_t size)
{
	sections[RODATA] = (ElfW(Shdr)){.sh_name = NAME_RODATA,
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC,
		.sh_offset = sizeof(struct object),
		.sh_size = size,
		.sh_addralign = 1};
	/* The presence of this section means that the stack need not be executable. */
	sections[STACK] = (ElfW(Shdr)){
		.sh_name = NAME_STACK, .sh_type = SHT_PROGBITS, .sh_offset = sizeof(struct object), .sh_addralign = 1};
	sections[SYMBOLS] = (ElfW(Shdr)){.sh_name = NAME_SYMBOLS,
		.sh_type = SHT_SYMTAB,
		.sh_offset = offsetof(struct object, symbols),
		.sh_size = sizeof(((struct object *)NULL)->symbols),
		.sh_link = NAMES,
		.sh_info = 1, /* the first symbol that is not local */
		.sh_addralign = sizeof(ElfW(Addr)),
		.sh_entsize = sizeof(ElfW(Sym))};
	sections[NAMES] = (ElfW(Shdr)){.sh_name = NAME_NAMES,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct object, names),
		.sh_size = sizeof names,
		.sh_addralign = 1};
}

const char *upc__tool_file(const struct driver *driver)
{
	const char *path = upc__format("%s/tool.o", driver->work);
	size_t size = strlen(driver->tool) + 1;
	struct object object = {0};
	make_header(&object.header);
	make_sections(object.sections, size);
	object.symbols[1].st_name = NAME_LIBRARY;
	object.symbols[1].st_info = STB_GLOBAL << 4 | STT_OBJECT; /* the same in both classes of ELF */
	object.symbols[1].st_shndx = RODATA;
	object.symbols[1].st_size = size;
	memcpy(object.names, names, sizeof names);
	FILE *file = fopen(path, "w");
	if (!file)
		return NULL;
	bool written = fwrite(&object, sizeof object, 1, file) == 1 && fwrite(driver->tool, size, 1, file) == 1;
	return fclose(file) == 0 && written ? path : NULL;
}

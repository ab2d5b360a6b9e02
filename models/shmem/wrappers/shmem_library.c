/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions are looked up behind this library, so that other tools stay in the chain and, if there are none, in the
 * OpenSHMEM library that is loaded, since Python hides its names. A PE is on the same node if its memory can be
 * accessed directly, or if the launcher reports that all PEs are on one node.
 */
#include "models/shmem/wrappers/shmem_library.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

uintptr_t heddle__shmem_code, heddle__shmem_code_size;
const void *heddle__shmem_default_context;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *hidden; /* the library, if its names are not in the global scope */

static int own_pe = -1, pe_count;
static bool one_node; /* all PEs, as the launcher says */

/* The side of each PE; 0: unknown. */
enum { ASKED_BY_HEAP = 4 };
static _Atomic uint8_t *sides;
static const void *_Atomic heap;

static int find_hidden(struct dl_phdr_info *info, size_t size, void *found)
{
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
	(void)size;
	if (strncmp(name, "liboshmem.so", 12) != 0 && strncmp(name, "libsma.so", 9) != 0)
		return 0;
	*(void **)found = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	return *(void **)found ? 1 : 0;
}

static void *find_function(const char *name)
{
	char profiling[80];
	void *found = hidden ? dlsym(hidden, name) : dlsym(RTLD_NEXT, name);
	snprintf(profiling, sizeof(profiling), "p%s", name);
	return found ? found : dlsym(hidden ? hidden : RTLD_NEXT, profiling);
}

void (*heddle__shmem_symbol(const char *name))(void)
{
	pthread_mutex_lock(&lock);
	if (!hidden && !dlsym(RTLD_NEXT, "shmem_my_pe"))
		dl_iterate_phdr(find_hidden, &hidden);
	void (*found)(void) = (void (*)(void))find_function(name);
	pthread_mutex_unlock(&lock);
	return found;
}

struct code {
	uintptr_t address;
	uintptr_t low, size; /* of the segment that it is in; size 0: it is in no object */
	uintptr_t base;      /* of the object */
};

static int find_code(struct dl_phdr_info *info, size_t size, void *of)
{
	struct code *code = of;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type != PT_LOAD || code->address - low >= info->dlpi_phdr[i].p_memsz)
			continue;
		code->low = low;
		code->size = info->dlpi_phdr[i].p_memsz;
		code->base = info->dlpi_addr;
		return 1;
	}
	return 0;
}

static int number_in(const char *variable)
{
	const char *text = getenv(variable);
	return text ? atoi(text) : -1;
}

/* Reads a variable of which executables may have a copy: the program's definition counts. */
static const void *default_context(void)
{
	const void *const *open_mpi = dlsym(RTLD_DEFAULT, "oshmem_ctx_default");
	const void *const *other = open_mpi ? open_mpi : dlsym(RTLD_DEFAULT, "SHMEM_CTX_DEFAULT");
	return other ? *other : NULL;
}

void heddle__shmem_ask_pes(void)
{
	int (*my_pe)(void) = (int (*)(void))heddle__shmem_symbol("shmem_my_pe");
	int (*n_pes)(void) = (int (*)(void))heddle__shmem_symbol("shmem_n_pes");
	if (!my_pe || !n_pes || sides)
		return;
	struct code code = {.address = (uintptr_t)my_pe};
	dl_iterate_phdr(find_code, &code);
	heddle__shmem_code = code.low;
	heddle__shmem_code_size = code.size;
	heddle__shmem_default_context = default_context();
	pe_count = n_pes();
	own_pe = my_pe();
	one_node = number_in("OMPI_COMM_WORLD_LOCAL_SIZE") == pe_count || number_in("MPI_LOCALNRANKS") == pe_count;
	if (pe_count < 1)
		return;
	void *block = mmap(NULL, (size_t)pe_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sides = block == MAP_FAILED ? NULL : block;
}

int heddle__shmem_pe(void)
{
	return own_pe;
}

int heddle__shmem_pes(void)
{
	return pe_count;
}

void heddle__shmem_heap_is_at(const void *address)
{
	atomic_store_explicit(&heap, address, memory_order_relaxed);
}

/* Static memory of other PEs can often not be accessed directly even if the heap can. */
static uint8_t ask(int pe, const void *address)
{
	const void *in_heap = atomic_load_explicit(&heap, memory_order_relaxed);
	void *(*pointer)(const void *, int) = (void *(*)(const void *, int))heddle__shmem_symbol("shmem_ptr");
	uint8_t asked = in_heap ? ASKED_BY_HEAP : 0;
	if (one_node || (pointer && (pointer(address, pe) || (in_heap && pointer(in_heap, pe)))))
		return HEDDLE_TRACE_SAME_NODE | ASKED_BY_HEAP;
	return (uint8_t)(HEDDLE_TRACE_REMOTE | asked);
}

enum heddle_trace_side heddle__shmem_side(int pe, const void *address)
{
	if (pe == own_pe)
		return HEDDLE_TRACE_LOCAL;
	if (!sides || pe < 0 || pe >= pe_count)
		return HEDDLE_TRACE_REMOTE;
	uint8_t side = atomic_load_explicit(&sides[pe], memory_order_relaxed);
	if (!side || (!(side & ASKED_BY_HEAP) && atomic_load_explicit(&heap, memory_order_relaxed))) {
		side = ask(pe, address);
		atomic_store_explicit(&sides[pe], side, memory_order_relaxed);
	}
	return (enum heddle_trace_side)(side & 3);
}

/* The heap has the same addresses everywhere; static memory is as far from the beginning of its object. */
uint64_t heddle__shmem_number(const void *address)
{
	static _Thread_local const void *last;
	static _Thread_local uint64_t number;
	struct code code = {.address = (uintptr_t)address};
	if (address == last)
		return number;
	dl_iterate_phdr(find_code, &code);
	last = address;
	number = code.size ? code.address - code.base : code.address;
	return number;
}

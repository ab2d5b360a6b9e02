/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which MPI library it is, and where its functions are. A program may be linked with the library, or load it later
 * and hide its names from others (Python does); other tools may stand between. So functions are looked up behind this
 * library, and if there are none, in the MPI library that is loaded.
 */
#include "models/mpi/wrappers/mpi_library.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "core/base/likely.h"

/* Constants of the ABIs: Open MPI (its handles are addresses, looked up), the MPICH family, the standard ABI of MPI 5.
 */
static const struct heddle_mpi_abi open_mpi = {.name = "Open MPI",
	.handle = 8,
	.status = 24,
	.source = 0,
	.tag = 4,
	.error = 8,
	.in_place = 1,
	.status_ignore = 0,
	.proc_null = -2,
	.root = -4,
	.undefined = -32766,
	.lock_shared = 2,
	.cartesian = 1,
	.graph = 2,
	.other = 16,
	.in_status = 18};

static const struct heddle_mpi_abi mpich = {.name = "MPICH",
	.handle = 4,
	.status = 20,
	.source = 8,
	.tag = 12,
	.error = 16,
	.in_place = UINTPTR_MAX,
	.status_ignore = 1,
	.proc_null = -1,
	.root = -3,
	.undefined = -32766,
	.lock_shared = 235,
	.cartesian = 2,
	.graph = 1,
	.other = 15,
	.in_status = 17,
	.world = 0x44000000,
	.byte = 0x4c00010d,
	.request_null = 0x2c000000,
	.comm_null = 0x04000000,
	.type_null = 0x0c000000};

static const struct heddle_mpi_abi standard = {.name = "MPI 5",
	.handle = 8,
	.status = 32,
	.source = 0,
	.tag = 4,
	.error = 8,
	.in_place = 1,
	.status_ignore = 0,
	.proc_null = -3,
	.root = -4,
	.undefined = -32766,
	.lock_shared = 302,
	.cartesian = 211,
	.graph = 212,
	.other = 16,
	.in_status = 19,
	.world = 0x101,
	.byte = 0x247,
	.request_null = 0x180,
	.comm_null = 0x100,
	.type_null = 0x200};

struct heddle_mpi_abi heddle__mpi_abi;
struct heddle_mpi_helpers heddle__mpi_helpers;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *hidden; /* the library, if its names are not in the global scope */
_Atomic bool heddle__mpi_library_found;

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int find_hidden(struct dl_phdr_info *info, size_t size, void *found)
{
	(void)size;
	if (strncmp(base_name(info->dlpi_name), "libmpi", 6) != 0)
		return 0;
	void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	void *here = dlsym(RTLD_DEFAULT, "PMPI_Init"), *there = handle ? dlsym(handle, "PMPI_Init") : NULL;
	if (there && there != here)
		*(void **)found = handle;
	else if (handle)
		dlclose(handle);
	return *(void **)found ? 1 : 0;
}

static void *find_function(const char *name)
{
	return hidden ? dlsym(hidden, name) : dlsym(RTLD_NEXT, name);
}

static void look_for_library(void)
{
	if (!hidden && !dlsym(RTLD_NEXT, "PMPI_Init"))
		dl_iterate_phdr(find_hidden, &hidden);
}

/* Objects may have been copied into the executable: the program's definition counts. */
static uintptr_t find_object(const char *name)
{
	return (uintptr_t)dlsym(hidden ? hidden : RTLD_DEFAULT, name);
}

static void choose_abi(void)
{
	Dl_info about;
	void *init = find_function("PMPI_Init");
	uintptr_t world = find_object("ompi_mpi_comm_world");
	if (world) {
		heddle__mpi_abi = open_mpi;
		heddle__mpi_abi.world = world;
		heddle__mpi_abi.byte = find_object("ompi_mpi_byte");
		heddle__mpi_abi.request_null = find_object("ompi_request_null");
		heddle__mpi_abi.comm_null = find_object("ompi_mpi_comm_null");
		heddle__mpi_abi.type_null = find_object("ompi_mpi_datatype_null");
	} else if (init && dladdr(init, &about) && strstr(base_name(about.dli_fname), "libmpi_abi")) {
		heddle__mpi_abi = standard;
	} else {
		heddle__mpi_abi = mpich;
	}
}

bool heddle__mpi_library_find(void)
{
	pthread_mutex_lock(&lock);
	look_for_library();
	if (!atomic_load(&heddle__mpi_library_found) && find_function("PMPI_Comm_rank")) {
#define X(name, ...) heddle__mpi_helpers.name = (int (*)(__VA_ARGS__))find_function("PMPI_" #name);
		HEDDLE_MPI_HELPERS(X)
#undef X
		choose_abi();
		atomic_store_explicit(&heddle__mpi_library_found, true, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return atomic_load(&heddle__mpi_library_found);
}

void (*heddle__mpi_symbol(const char *name))(void)
{
	pthread_mutex_lock(&lock);
	look_for_library();
	void (*found)(void) = (void (*)(void))find_function(name);
	pthread_mutex_unlock(&lock);
	return found;
}

void (*heddle__mpi_real(struct heddle_mpi_function *function, enum heddle_mpi_entry entry))(void)
{
	void (*real)(void) = atomic_load_explicit(&function->real[entry], memory_order_acquire);
	if (real)
		return real;
	real = heddle__mpi_symbol(function->name + (entry == HEDDLE_MPI_NAMED));
	atomic_store_explicit(&function->real[entry], real, memory_order_release);
	return real;
}

uint64_t heddle__mpi_ask_type_size(uintptr_t type)
{
	int64_t large = 0;
	int size = 0;
	heddle__mpi_helpers.Type_size(type, &size);
	if (HEDDLE_UNLIKELY(size < 0) && heddle__mpi_helpers.Type_size_x) { /* MPI_UNDEFINED: 2 GiB or more */
		heddle__mpi_helpers.Type_size_x(type, &large);
		return large > 0 ? (uint64_t)large : 0;
	}
	return size > 0 ? (uint64_t)size : 0;
}

uint64_t heddle__mpi_accessed(const unsigned char *status)
{
	uint32_t halves[2];
	uint64_t bytes;
	int64_t count = -1;
	if (heddle__mpi_abi.handle == 4) {
		memcpy(halves, status, sizeof(halves));
		return halves[0] | (uint64_t)(halves[1] >> 1) << 32;
	}
	if (heddle__mpi_abi.status == 24) {
		memcpy(&bytes, status + 16, sizeof(bytes));
		return bytes;
	}
	if (heddle__mpi_helpers.Get_count_c)
		heddle__mpi_helpers.Get_count_c(status, heddle__mpi_abi.byte, &count);
	return count >= 0 ? (uint64_t)count : UINT64_MAX;
}

uint64_t heddle__mpi_ask_received(const unsigned char *status)
{
	uint64_t bytes;
	int64_t count = 0;
	int cancelled = 0;
	if (heddle__mpi_abi.status == 24) {
		memcpy(&cancelled, status + 12, sizeof(cancelled));
		memcpy(&bytes, status + 16, sizeof(bytes));
		return cancelled ? UINT64_MAX : bytes;
	}
	if (heddle__mpi_helpers.Test_cancelled)
		heddle__mpi_helpers.Test_cancelled(status, &cancelled);
	if (cancelled)
		return UINT64_MAX;
	if (heddle__mpi_helpers.Get_count_c)
		heddle__mpi_helpers.Get_count_c(status, heddle__mpi_abi.byte, &count);
	return count > 0 ? (uint64_t)count : 0;
}

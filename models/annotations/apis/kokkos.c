/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kokkos Tools (https://github.com/kokkos/kokkos-tools, interface 20171029 and later): the functions that Kokkos looks
 * up in the library that KOKKOS_TOOLS_LIBS names. Kernels, regions, sections and copies are ranges of their labels; a
 * fence is a range that contains a wait. Kokkos passes a number from a kernel's begin to its end; here it is the number
 * of the label.
 */
#include <stdatomic.h>
#include <stdio.h>

#include "models/annotations/apis/api.h"

#define API "Kokkos"
#define SECTIONS 1024u

static const char regions, copies; /* owners of ranges that end without a name */

/* ---- kernels ---- */

#define KERNEL(kind, shown)                                                                      \
	HEDDLE_EXPORT void kokkosp_begin_##kind(const char *label, uint32_t device, uint64_t *); \
	HEDDLE_EXPORT void kokkosp_begin_##kind(const char *label, uint32_t device, uint64_t *k) \
	{                                                                                        \
		struct heddle_call from = heddle__call_here();                                   \
		(void)device;                                                                    \
		*k = 0;                                                                          \
		if (!heddle__api)                                                                \
			return;                                                                  \
		*k = heddle__api_name(label, shown);                                             \
		heddle__api->begin(&from, (uint32_t)*k, NULL);                                   \
	}                                                                                        \
	HEDDLE_EXPORT void kokkosp_end_##kind(uint64_t k);                                       \
	HEDDLE_EXPORT void kokkosp_end_##kind(uint64_t k)                                        \
	{                                                                                        \
		if (heddle__api && k)                                                            \
			heddle__api_end((uint32_t)k, API);                                       \
	}
KERNEL(parallel_for, "parallel_for")
KERNEL(parallel_reduce, "parallel_reduce")
KERNEL(parallel_scan, "parallel_scan")

/* ---- fences: waits for work that was started ---- */

HEDDLE_EXPORT void kokkosp_begin_fence(const char *label, uint32_t device, uint64_t *k);
HEDDLE_EXPORT void kokkosp_begin_fence(const char *label, uint32_t device, uint64_t *k)
{
	struct heddle_call from = heddle__call_here();
	(void)device;
	*k = 0;
	if (!heddle__api)
		return;
	*k = heddle__api_name(label, "fence");
	heddle__api->begin(&from, (uint32_t)*k, NULL);
	heddle__api->wait_begin(&from, &heddle__api_events[HEDDLE_API_KOKKOS_FENCE]);
}

HEDDLE_EXPORT void kokkosp_end_fence(uint64_t k);
HEDDLE_EXPORT void kokkosp_end_fence(uint64_t k)
{
	if (!heddle__api || !k)
		return;
	heddle__api->wait_end(&heddle__api_events[HEDDLE_API_KOKKOS_FENCE]);
	heddle__api_end((uint32_t)k, API);
}

/* ---- copies: they do not nest, and their end has no argument ---- */

struct space {
	char name[64];
};

HEDDLE_EXPORT void kokkosp_begin_deep_copy(struct space to, const char *to_name, const void *to_data, struct space from,
	const char *from_name, const void *from_data, uint64_t bytes);
HEDDLE_EXPORT void kokkosp_begin_deep_copy(struct space to, const char *to_name, const void *to_data, struct space from,
	const char *from_name, const void *from_data, uint64_t bytes)
{
	struct heddle_call caller = heddle__call_here();
	char label[512];
	(void)to, (void)to_data, (void)from, (void)from_data;
	if (!heddle__api)
		return;
	snprintf(label, sizeof(label), "deep_copy %.200s = %.200s", to_name ? to_name : "", from_name ? from_name : "");
	struct heddle_annotation_value size = {heddle__api_name("bytes=%g", ""), (double)bytes};
	heddle__api_push(&caller, &copies, heddle__api_name(label, ""), &size);
}

HEDDLE_EXPORT void kokkosp_end_deep_copy(void);
HEDDLE_EXPORT void kokkosp_end_deep_copy(void)
{
	if (heddle__api)
		heddle__api_pop(&copies, API);
}

/* ---- regions and sections ---- */

HEDDLE_EXPORT void kokkosp_push_profile_region(const char *label);
HEDDLE_EXPORT void kokkosp_push_profile_region(const char *label)
{
	struct heddle_call from = heddle__call_here();
	if (heddle__api)
		heddle__api_push(&from, &regions, heddle__api_name(label, "region"), NULL);
}

HEDDLE_EXPORT void kokkosp_pop_profile_region(void);
HEDDLE_EXPORT void kokkosp_pop_profile_region(void)
{
	if (heddle__api)
		heddle__api_pop(&regions, API);
}

static _Atomic uint32_t sections[SECTIONS]; /* names; 0: free */

HEDDLE_EXPORT void kokkosp_create_profile_section(const char *label, uint32_t *section);
HEDDLE_EXPORT void kokkosp_create_profile_section(const char *label, uint32_t *section)
{
	uint32_t name = heddle__api ? heddle__api_name(label, "section") : 0;
	for (*section = 0; name && *section < SECTIONS; ++*section) {
		uint32_t none = 0;
		if (atomic_compare_exchange_strong(&sections[*section], &none, name))
			return;
	}
	*section = SECTIONS;
	if (name)
		heddle__api->warn(API ": more than 1024 sections; those without a number are not measured%s", "");
}

static uint32_t section_name(uint32_t section)
{
	return heddle__api && section < SECTIONS ? atomic_load(&sections[section]) : 0;
}

HEDDLE_EXPORT void kokkosp_start_profile_section(uint32_t section);
HEDDLE_EXPORT void kokkosp_start_profile_section(uint32_t section)
{
	struct heddle_call from = heddle__call_here();
	uint32_t name = section_name(section);
	if (name)
		heddle__api->begin(&from, name, NULL);
}

HEDDLE_EXPORT void kokkosp_stop_profile_section(uint32_t section);
HEDDLE_EXPORT void kokkosp_stop_profile_section(uint32_t section)
{
	uint32_t name = section_name(section);
	if (name)
		heddle__api_end(name, API);
}

HEDDLE_EXPORT void kokkosp_destroy_profile_section(uint32_t section);
HEDDLE_EXPORT void kokkosp_destroy_profile_section(uint32_t section)
{
	if (section < SECTIONS)
		atomic_store(&sections[section], 0);
}

/* ---- annotations without duration ---- */

HEDDLE_EXPORT void kokkosp_profile_event(const char *label);
HEDDLE_EXPORT void kokkosp_profile_event(const char *label)
{
	struct heddle_call from = heddle__call_here();
	if (heddle__api)
		heddle__api->mark(&from, heddle__api_name(label, "event"), NULL);
}

static void mark_memory(
	const struct heddle_call *from, const char *what, const struct space *in, const char *label, uint64_t bytes)
{
	char text[512];
	snprintf(text, sizeof(text), "%s %.200s in %.64s", what, label ? label : "", in->name);
	struct heddle_annotation_value size = {heddle__api_name("bytes=%g", ""), (double)bytes};
	heddle__api->mark(from, heddle__api_name(text, ""), &size);
}

HEDDLE_EXPORT void kokkosp_allocate_data(struct space in, const char *label, const void *at, uint64_t bytes);
HEDDLE_EXPORT void kokkosp_allocate_data(struct space in, const char *label, const void *at, uint64_t bytes)
{
	struct heddle_call from = heddle__call_here();
	(void)at;
	if (heddle__api)
		mark_memory(&from, "allocate", &in, label, bytes);
}

HEDDLE_EXPORT void kokkosp_deallocate_data(struct space in, const char *label, const void *at, uint64_t bytes);
HEDDLE_EXPORT void kokkosp_deallocate_data(struct space in, const char *label, const void *at, uint64_t bytes)
{
	struct heddle_call from = heddle__call_here();
	(void)at;
	if (heddle__api)
		mark_memory(&from, "deallocate", &in, label, bytes);
}

/* ---- the tool ---- */

HEDDLE_EXPORT void kokkosp_init_library(int order, uint64_t version, uint32_t count, void *devices);
HEDDLE_EXPORT void kokkosp_init_library(int order, uint64_t version, uint32_t count, void *devices)
{
	(void)order, (void)version, (void)count, (void)devices;
}

HEDDLE_EXPORT void kokkosp_finalize_library(void);
HEDDLE_EXPORT void kokkosp_finalize_library(void)
{
}

/* This tool needs no fences: a fence before and after each kernel would change the program. */
struct settings {
	bool requires_global_fencing;
	bool padding[255];
};

HEDDLE_EXPORT void kokkosp_request_tool_settings(uint32_t version, struct settings *settings);
HEDDLE_EXPORT void kokkosp_request_tool_settings(uint32_t version, struct settings *settings)
{
	(void)version;
	settings->requires_global_fencing = false;
}

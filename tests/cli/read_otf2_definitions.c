/* SPDX-License-Identifier: BSD-3-Clause */
/* The definitions of an archive: which references are defined, and their names. */
#include "read_otf2.h"

#include <stdio.h>
#include <string.h>

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *text)
{
	(void)data;
	if (self < MOST * 4)
		all.strings[self] = strdup(text);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
	OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags,
	OTF2_StringRef file, uint32_t begin, uint32_t end)
{
	(void)data;
	(void)canonical;
	(void)description;
	(void)flags;
	(void)end;
	if (self >= MOST)
		return OTF2_CALLBACK_SUCCESS;
	all.regions[self].defined = true;
	all.regions[self].name = all.strings[name];
	if (all.prints)
		printf("region %s role %d paradigm %d at %s:%" PRIu32 "\n", all.strings[name], role, paradigm,
			file == OTF2_UNDEFINED_STRING ? "" : all.strings[file], begin);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
	uint64_t events, OTF2_LocationGroupRef group)
{
	(void)data;
	(void)type;
	if (self >= MOST)
		return OTF2_CALLBACK_SUCCESS;
	all.ids[all.location_count++] = self;
	all.locations[self].expected = events;
	snprintf(all.locations[self].name, sizeof(all.locations[self].name), "%s", all.strings[name]);
	if (all.prints)
		printf("location %s of group %" PRIu32 "\n", all.strings[name], group);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context(void *data, OTF2_CallingContextRef self, OTF2_RegionRef region,
	OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
	(void)data;
	(void)place;
	if (region >= MOST || !all.regions[region].defined)
		fail("context %" PRIu32 " of an undefined region", self);
	if (parent != OTF2_UNDEFINED_CALLING_CONTEXT && !all.contexts[parent])
		fail("context %" PRIu32 " below an undefined one", self);
	all.contexts[self] = true;
	all.context_parents[self] = parent;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
	OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	(void)data;
	(void)flags;
	if (all.prints) {
		printf("group %" PRIu32 " %s type %d paradigm %d:", self, all.strings[name], type, paradigm);
		for (uint32_t i = 0; i < count; i++)
			printf(" %" PRIu64, members[i]);
		putchar('\n');
	}
	all.groups[self].defined = true;
	all.groups[self].size = count;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
	OTF2_CommRef parent, OTF2_CommFlag flags)
{
	(void)data;
	(void)name;
	(void)parent;
	(void)flags;
	all.comms[self].defined = all.groups[group].defined;
	all.comms[self].size = all.groups[group].size;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window(
	void *data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	(void)data;
	(void)flags;
	all.windows[self].defined = all.comms[comm].defined;
	all.windows[self].size = all.comms[comm].size;
	if (all.prints)
		printf("window %" PRIu32 " %s of %" PRIu32 "\n", self, all.strings[name], all.comms[comm].size);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_class(void *data, OTF2_MetricRef self, uint8_t count,
	const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
	(void)data;
	(void)count;
	(void)members;
	(void)occurrence;
	(void)kind;
	all.metrics[self] = true;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_generator(void *data, OTF2_InterruptGeneratorRef self, OTF2_StringRef name,
	OTF2_InterruptGeneratorMode mode, OTF2_Base base, int64_t exponent, uint64_t period)
{
	(void)data;
	(void)mode;
	(void)base;
	all.generators[self] = true;
	if (all.prints)
		printf("generator %s: %" PRIu64 "e%" PRId64 " s\n", all.strings[name], period, exponent);
	return OTF2_CALLBACK_SUCCESS;
}

void read_definitions(OTF2_Reader *reader)
{
	uint64_t count;
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
	OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, on_generator);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, NULL);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) != OTF2_SUCCESS)
		fail("the definitions cannot be read");
}

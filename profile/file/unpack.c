/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks messages by their descriptors, so that fields added to the schema are covered. */
#include "profile/file/unpack.h"

#include "profile/base/printable.h"

#include "heddle_profile.pb-c.h"

#include <stdbool.h>
#include <string.h>

static void clean_message(ProtobufCMessage *message);

/* Tabs separate the parts of an OBJECT's string (docs/format.md). */
static void clean_parts(char *text)
{
	for (char *tab; (tab = strchr(text, '\t')) != NULL; text = tab + 1) {
		size_t length = (size_t)(tab - text);
		*tab = '\0';
		profile_make_printable(text);
		size_t shorter = strlen(text);
		memmove(text + shorter + 1, tab + 1, strlen(tab + 1) + 1);
		tab -= length - shorter;
		*tab = '\t';
	}
	profile_make_printable(text);
}

/* `at` is the address of the field, or of the pointer to its elements. */
static void clean_field(const ProtobufCFieldDescriptor *field, void *at, size_t count, bool has_parts)
{
	if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE)
		return;
	void **items = field->label == PROTOBUF_C_LABEL_REPEATED ? *(void ***)at : at;
	for (size_t i = 0; i < count; i++) {
		if (items[i] && field->type == PROTOBUF_C_TYPE_STRING)
			(has_parts ? clean_parts : profile_make_printable)(items[i]);
		else if (items[i])
			clean_message(items[i]);
	}
}

static void clean_message(ProtobufCMessage *message)
{
	const ProtobufCMessageDescriptor *type = message->descriptor;
	for (unsigned int i = 0; i < type->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &type->fields[i];
		if (type == &heddle__profile__module__descriptor && strcmp(field->name, "path") == 0)
			continue;
		char *start = (char *)message;
		bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
		clean_field(field, start + field->offset,
			repeated ? *(size_t *)(void *)(start + field->quantifier_offset) : 1,
			type == &heddle__profile__process__descriptor && strcmp(field->name, "strings") == 0);
	}
}

void *profile_unpack(const ProtobufCMessageDescriptor *type, size_t size, const uint8_t *data)
{
	ProtobufCMessage *message = protobuf_c_message_unpack(type, NULL, size, data);
	if (message)
		clean_message(message);
	return message;
}

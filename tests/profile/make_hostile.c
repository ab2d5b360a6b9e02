/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_hostile IN OUT TEXT: copies a profile, with TEXT appended to every text field of its messages. The fields are
 * found through the descriptors, so fields added to the schema are covered, too. For script tests.
 */
#include "format/ids.h"
#include "profile/file/profile_file.h"
#include "profile/file/section_writer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ProtobufCMessageDescriptor *const types[] = {
#define Y(name) &heddle__profile__##name##__descriptor
	[HEDDLE_SECTION_PROCESS] = Y(process),
	[HEDDLE_SECTION_MODULES] = Y(module_list),
	[HEDDLE_SECTION_TREE] = Y(tree),
	[HEDDLE_SECTION_THREAD] = Y(thread),
	[HEDDLE_SECTION_MEMBER] = Y(member),
	[HEDDLE_SECTION_STATISTICS] = Y(statistics),
#undef Y
};
#define TYPES (sizeof(types) / sizeof(*types))

static const char *added;

/* The former text is not freed: it may be a constant. */
static void extend(char **text)
{
	if (asprintf(text, "%s%s", *text, added) < 0)
		abort();
}

static void spoil(ProtobufCMessage *message)
{
	for (unsigned int i = 0; i < message->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
		char *start = (char *)message;
		void *at = start + field->offset;
		bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
		size_t count = repeated ? *(size_t *)(void *)(start + field->quantifier_offset) : 1;
		void **items = repeated ? *(void ***)at : at;
		for (size_t k = 0; k < count; k++) {
			if (field->type == PROTOBUF_C_TYPE_STRING)
				extend((char **)&items[k]);
			else if (field->type == PROTOBUF_C_TYPE_MESSAGE && items[k])
				spoil(items[k]);
		}
	}
}

static void copy_section(struct profile_section_writer *writer, const struct profile_file_section *section)
{
	const ProtobufCMessageDescriptor *type = section->type < TYPES ? types[section->type] : NULL;
	ProtobufCMessage *message = type ? protobuf_c_message_unpack(type, NULL, section->size, section->data) : NULL;
	if (!message)
		return;
	spoil(message);
	profile_writer_begin(writer, section->type);
	profile_writer_put(writer, message);
	profile_writer_end(writer);
}

int main(int argc, char **argv)
{
	struct profile_file file;
	struct profile_section_writer writer;
	if (argc != 4 || profile_file_open(&file, argv[1]) != 0) {
		fputs("usage: make_hostile IN OUT TEXT\n", stderr);
		return 1;
	}
	added = argv[3];
	profile_writer_open(&writer, argv[2]);
	for (size_t i = 0; i < file.section_count; i++)
		copy_section(&writer, &file.sections[i]);
	profile_file_close(&file);
	return profile_writer_close(&writer) != 0;
}

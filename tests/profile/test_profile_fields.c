/* SPDX-License-Identifier: BSD-3-Clause */
/* format/profile_fields.h, used for writing in the measured process, lists exactly the fields of the schema. */
#include "format/profile_fields.h"
#include "heddle_profile.pb-c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *message, *field;
	unsigned number;
} fields[] = {
#define X(message, field, number) {#message, #field, number},
	HEDDLE_PROFILE_FIELDS(X)
#undef X
};
#define FIELD_COUNT (sizeof(fields) / sizeof(*fields))

static const ProtobufCMessageDescriptor *const messages[] = {
	&heddle__profile__process__descriptor,
	&heddle__profile__model__descriptor,
	&heddle__profile__code_name__descriptor,
	&heddle__profile__counter__descriptor,
	&heddle__profile__sample_source__descriptor,
	&heddle__profile__event_kind__descriptor,
	&heddle__profile__module_list__descriptor,
	&heddle__profile__module__descriptor,
	&heddle__profile__tree__descriptor,
	&heddle__profile__thread__descriptor,
	&heddle__profile__column__descriptor,
	&heddle__profile__distribution__descriptor,
	&heddle__profile__partners__descriptor,
	&heddle__profile__exchanges__descriptor,
	&heddle__profile__end__descriptor,
};

static void every_listed_field_has_its_number_in_the_schema(void **state)
{
	(void)state;
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		const ProtobufCFieldDescriptor *found = NULL;
		for (size_t m = 0; m < sizeof(messages) / sizeof(*messages); m++)
			if (strcmp(messages[m]->short_name, fields[i].message) == 0)
				found = protobuf_c_message_descriptor_get_field_by_name(messages[m], fields[i].field);
		assert_non_null(found);
		assert_int_equal(found->id, fields[i].number);
	}
}

static void every_field_of_the_schema_is_listed(void **state)
{
	size_t count = 0;
	(void)state;
	for (size_t m = 0; m < sizeof(messages) / sizeof(*messages); m++)
		count += messages[m]->n_fields;
	assert_int_equal(count, FIELD_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_listed_field_has_its_number_in_the_schema),
		cmocka_unit_test(every_field_of_the_schema_is_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

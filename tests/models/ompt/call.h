/* SPDX-License-Identifier: BSD-3-Clause */
/* A played runtime tells of an event, with arguments of those types; `callbacks` are what the tool gave it. */
#ifndef HEDDLE_TESTS_MODELS_OMPT_CALL_H
#define HEDDLE_TESTS_MODELS_OMPT_CALL_H

#define CALL(event, type, ...)                                 \
	do {                                                   \
		assert_non_null(callbacks[event]);             \
		((void(*) type)callbacks[event])(__VA_ARGS__); \
	} while (0)

#endif

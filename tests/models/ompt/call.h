/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the callback of an event with arguments of these types, like a runtime. The tool has set `callbacks`. */
#ifndef HEDDLE_TESTS_MODELS_OMPT_CALL_H
#define HEDDLE_TESTS_MODELS_OMPT_CALL_H

#define CALL(event, type, ...)                                 \
	do {                                                   \
		assert_non_null(callbacks[event]);             \
		((void(*) type)callbacks[event])(__VA_ARGS__); \
	} while (0)

#endif

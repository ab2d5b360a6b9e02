/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated runtime sends an event, with arguments of those types; `callbacks` are those that the tool set. */
#ifndef HEDDLE_TESTS_MODELS_OMPT_CALL_H
#define HEDDLE_TESTS_MODELS_OMPT_CALL_H

#define CALL(event, type, ...)                                 \
	do {                                                   \
		assert_non_null(callbacks[event]);             \
		((void(*) type)callbacks[event])(__VA_ARGS__); \
	} while (0)

#endif

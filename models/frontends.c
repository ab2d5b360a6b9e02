/* SPDX-License-Identifier: BSD-3-Clause */
/* The one list of what feeds core: a front end is a folder and a line here. Models first: the sampler asks them. */
#include <stddef.h>

#include "core/frontend.h"

extern const struct heddle_frontend heddle__c_frontend;
extern const struct heddle_frontend heddle__ompt2015_frontend;
extern const struct heddle_frontend heddle__ompt_frontend;
extern const struct heddle_frontend heddle__upc_frontend;
extern const struct heddle_frontend heddle__sampler_frontend;

const struct heddle_frontend *const heddle__frontends[] = {
	&heddle__c_frontend,
	&heddle__ompt2015_frontend,
	&heddle__ompt_frontend,
	&heddle__upc_frontend,
	&heddle__sampler_frontend,
	NULL,
};

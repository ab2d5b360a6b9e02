/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle cc` and `heddle c++`: what differs between them is in the wrapper. */
#ifndef HEDDLE_CLI_CC_H
#define HEDDLE_CLI_CC_H

#include "cli/compile/wrapper.h"

/* Become the compiler that `wrapper` describes; returns an exit status if that fails. */
int heddle__compile_c(struct heddle_wrapper *wrapper, int argc, char **argv);

#endif

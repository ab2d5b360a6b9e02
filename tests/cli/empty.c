/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that does nothing. ISO C requires a declaration. */
extern int heddle__nothing;

/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared library to load and unload; VARIANT makes files of the same layout that differ in content. */
int variant(void);

int variant(void)
{
	return VARIANT;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared library to load and unload; VARIANT produces files with the same layout and different content. */
int variant(void);

int variant(void)
{
	return VARIANT;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* For driver.sh: C without UPC, compiled by either compiler. */
int plain_c(int x);

int plain_c(int x)
{
	int strictly = x, shared_with = x;
	return strictly * shared_with;
}

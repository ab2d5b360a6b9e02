/* SPDX-License-Identifier: BSD-3-Clause */
/* For packaging/cross-cases, with -finstrument-functions: a constructor calls leaf once, main calls it three times. */
static volatile long sink;

__attribute__((noinline)) static void leaf(void)
{
	sink++;
}

__attribute__((constructor)) static void early(void)
{
	leaf();
	sink++;
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		leaf();
	return 0;
}

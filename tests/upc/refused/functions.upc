/* SPDX-License-Identifier: BSD-3-Clause */
/* A function is private: the C compiler would crash on these declarations, so UPC's message must come first. */
shared int *p;
int function(void);
void f(void)
{
	p = function; /* refuse: 14 is a function converted to a pointer-to-shared */
}

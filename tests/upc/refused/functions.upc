/* SPDX-License-Identifier: BSD-3-Clause */
/* A function is private: the C compiler does not survive what this says, the message does. */
shared int *p;
int function(void);
void f(void)
{
	p = function; /* refuse: 14 is a function converted to a pointer-to-shared */
}

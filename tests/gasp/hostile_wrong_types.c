/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments whose types differ from the description, and invalid pointers to strings: none is
 * dereferenced. */
#include "client.h"

#include <math.h>

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int texts = gasp_create_event(context, "texts", "%s %s %s");
	unsigned int numbers = gasp_create_event(context, "numbers", "%d %f %ld %Lf %s");
	unsigned int reals = gasp_create_event(context, "reals", "%f %e");
	for (int i = 0; i < 10; i++) {
		START(context, texts, "a.upc", 1, 0, 1L, -1L, (char *)16);
		END(context, texts, "a.upc", 1, 0, 1L, -1L, (char *)16);
		START(context, numbers, "a.upc", 2, 0, "a", "b", "c", "d", 2.5);
		END(context, numbers, "a.upc", 2, 0); /* no arguments at all */
		ATOMIC(context, reals, "a.upc", 3, 0, NAN, INFINITY);
		ATOMIC(context, reals, "a.upc", 3, 0, 1., -HUGE_VAL);
	}
	EXPECT("visits", "texts", 10);
	EXPECT("visits", "numbers", 10);
	EXPECT("visits", "reals", 20);
	return 0;
}

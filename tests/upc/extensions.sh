#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Berkeley UPC's extensions are declared if they are used; the user's functions with these names are unchanged. A
# missing extension is reported once, without consequential errors.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cd "$work"
echo '#include <bupc_extensions.h>' >alone.upc
for standard in gnu17 gnu89 c89; do
	"$upcc" -std=$standard -Wall -Werror -c alone.upc || { echo "alone: bupc_extensions.h, $standard"; exit 1; }
done
cat >own.upc <<'END'
#include <upc.h>
static int bupc_ticks_now(void) { return 5; }
#define BUPC_TICK_MAX 7
int main(void) { return bupc_ticks_now() != 5 || BUPC_TICK_MAX != 7; }
END
"$upcc" -Wall -Werror own.upc -o own && ./own || { echo "a function of its own, named as an extension"; exit 1; }
cat >extended.upc <<'END'
#include <upc.h>
int main(void)
{
	bupc_tick_t t = bupc_ticks_now();
	char text[BUPC_DUMP_MIN_LENGTH];
	return t == 0 || bupc_dump_shared(upc_alloc(1), text, sizeof text);
}
END
"$upcc" -Wall -Werror extended.upc -o extended && ./extended || { echo "extensions without their header"; exit 1; }
# Only a function: in C99 and later, clang 16 refuses a call for which older versions printed a warning.
cat >polls.upc <<'END'
#include <upc.h>
int main(void)
{
	upc_poll();
	return 0;
}
END
for standard in gnu17 gnu89; do
	"$upcc" -std=$standard polls.upc -o polls && ./polls || { echo "a function without its header, $standard"; exit 1; }
done
cat >missing.upc <<'END'
#include <upc.h>
int main(void)
{
	bupc_sem_t *s = bupc_sem_alloc(0);
	bupc_sem_post(s);
	bupc_sem_post(s);
	return 0;
}
END
! "$upcc" missing.upc 2>messages && [ "$(grep -c 'error: ' messages)" = 1 ] &&
	grep -q "missing.upc:4:2: error: 'bupc_sem_t' is an extension of Berkeley UPC that is not supported" messages ||
	{ cat messages; echo "an extension that is missing"; exit 1; }
for header in upc_io bupc_collectivev; do
	printf '#include <upc.h>\n#include <%s.h>\nint main(void) { return unknown(); }\n' $header >missing.upc
	! "$upcc" missing.upc 2>messages && [ "$(grep -c 'error: ' messages)" = 1 ] &&
		grep -q "error: $header.h: .* here: " messages || { cat messages; echo "$header.h"; exit 1; }
done

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program linked by `heddle upcc --inst` measures itself: the library and the bridge are in it, the compiler's numbers are
# understood, arguments for Heddle don't reach it. The UPC compilers are stand-ins: scripts around gcc and a small run-time
# library, with the event numbers of Berkeley UPC and GNU UPC.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
need ar
cd "$work" || exit 1

mkdir headers
cat > headers/upc.h << 'END_UPC'
#include <stddef.h>
#define shared
extern int MYTHREAD, THREADS;
size_t upc_threadof(shared void *p);
size_t upc_phaseof(shared void *p);
size_t upc_addrfield(shared void *p);
END_UPC
cat > headers/gasp.h << 'END_GASP'
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;
END_GASP
cat > headers/gasp_upc.h << 'END_GASP'
#if NUMBERS == 1
#define GASP_UPC_COLLECTIVE_EXIT 1210
#define GASP_UPC_GET 1111
#define GASP_UPC_USEREVT_START 100
#define GASP_UPC_USEREVT_END 999
#else
#define GASP_UPC_COLLECTIVE_EXIT 5
#define GASP_UPC_GET 26
#define GASP_UPC_USEREVT_START 1000
#define GASP_UPC_USEREVT_END 1999
#endif
END_GASP

# The run-time library: main is its own; what a tool offers is weakly defined in another member, as GNU UPC's is.
cat > runtime.c << 'END_C'
#include <stdarg.h>
#include <stdio.h>
#include <upc.h>
#include <gasp.h>
#include <gasp_upc.h>
int MYTHREAD = 0, THREADS = 2;
size_t upc_threadof(void *p) { return (size_t)p >> 40; }
size_t upc_phaseof(void *p) { return 0 * (size_t)p; }
size_t upc_addrfield(void *p) { return (size_t)p & 0xffffffffff; }
gasp_context_t gasp_init(int model, int *argc, char ***argv);
void gasp_event_notify(gasp_context_t, unsigned, int, const char *, int, int, ...);
int user_main(int argc, char **argv);
static gasp_context_t context;
void runtime_get(void *to, void *from, size_t n, const char *file, int line)
{
	gasp_event_notify(context, GASP_UPC_GET, 0, file, line, 0, 1, to, &from, n);
	gasp_event_notify(context, GASP_UPC_GET, 1, file, line, 0, 1, to, &from, n);
}
int main(int argc, char **argv)
{
	context = gasp_init(0, &argc, &argv);
	int status = user_main(argc, argv);
	gasp_event_notify(context, GASP_UPC_COLLECTIVE_EXIT, 0, NULL, 0, 0, status);
	gasp_event_notify(context, GASP_UPC_COLLECTIVE_EXIT, 1, NULL, 0, 0, status);
	return status;
}
END_C
cat > weak.c << 'END_C'
#include <gasp.h>
#include <stddef.h>
__attribute__((weak)) gasp_context_t gasp_init(int model, int *argc, char ***argv) { return (void)model, (void)argc, (void)argv, NULL; }
__attribute__((weak)) void gasp_event_notify(gasp_context_t context, unsigned tag, int type, const char *file, int line, int column, ...)
{
	(void)context, (void)tag, (void)type, (void)file, (void)line, (void)column;
}
END_C
cat > program.upc << 'END_C'
#include <stdio.h>
void runtime_get(void *to, void *from, size_t n, const char *file, int line);
int user_main(int argc, char **argv)
{
	char to[64];
	for (int i = 1; i < argc; i++)
		puts(argv[i]);
	for (int i = 0; i < 30; i++)
		runtime_get(to, (void *)(size_t)(i < 10 ? 1ll << 40 : 1ll), 8, "program.upc", 7);
	return argv[argc] != NULL;
}
END_C

# stand_in NAME NUMBERS VERSION-TEXT
stand_in() {
	local name=$1 flags="-Wall -I$work/headers -DNUMBERS=$2"
	mkdir "$name"
	# shellcheck disable=SC2086
	(gcc $flags -c runtime.c -o "$name/runtime.o" && gcc $flags -c weak.c -o "$name/weak.o" &&
		ar rc "$name/libruntime.a" "$name/runtime.o" "$name/weak.o") || { fail "the stand-in for $name"; finish; }
	cat > "$name/$name" << END_SCRIPT
#!/bin/sh
for word; do
	shift
	case \$word in
	--version) echo '$3'; exit ;;
	-fupc-* | --inst* | -inst* | -lines) ;;
	*.upc) set -- "\$@" -x c "\$word" -x none ;;
	*) set -- "\$@" "\$word" ;;
	esac
done
exec gcc $flags -Wno-unknown-pragmas "\$@" -L'$work/$name' -lruntime
END_SCRIPT
	chmod +x "$name/$name"
}
stand_in upcc 1 'This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0'
stand_in gupc 2 'gupc (GNU UPC) 5.2.0 20150818 (GNU UPC 5.2.0.1)'

for compiler in upcc gupc; do
	export HEDDLE_UPCC=$work/$compiler/$compiler
	expect "$compiler: links" "$heddle" upcc --inst-local -O1 -o "$compiler.program" program.upc
	bare "$compiler" env HEDDLE_OUTPUT="$work/$compiler.heddle.d" "./$compiler.program" first --heddle-models=upc second -- --heddle-kept
	expect "$compiler: ends well" ended "$compiler" "exit 0"
	expect "$compiler: arguments for Heddle are taken out" \
		test "$(tr '\n' ' ' < "$compiler.out")" = 'first second -- --heddle-kept '
	expect "$compiler: nothing is said: $(cat "$compiler.err")" test ! -s "$compiler.err"
	folded "$compiler" --metric visits
	expect "$compiler: its number of GET is understood" test "$(path_sum "$compiler" '(^|;)upc get @program.upc:7$')" = 30
	folded "$compiler" --metric remote-accesses
	expect "$compiler: the bridge tells whose memory it is" test "$(path_sum "$compiler" .)" = 10
	measured "$compiler.run" "./$compiler.program" again
	expect "$compiler: heddle run measures it too" ended "$compiler.run" "exit 0"
	folded "$compiler.run" --metric visits
	expect "$compiler: and once" test "$(path_sum "$compiler.run" '(^|;)upc get @program.upc:7$')" = 30
	expect "$compiler: links without events" "$heddle" upcc -O1 -o "$compiler.plain" program.upc
	expect "$compiler: without events the library is not in it" sh -c "! ldd $compiler.plain | grep -q heddle"
	bare "$compiler.plain" "./$compiler.plain" --heddle-models=upc
	expect "$compiler: and arguments are its own" grep -qx -- --heddle-models=upc "$compiler.plain.out"
done
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program on GCC's libgomp, which has no OMPT: samples, one line about it, and full OpenMP context when run with
# LLVM's runtime.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/truth_paths.sh"

# lacks_note NAME: the report has no line about another runtime
lacks_note() {
	! in_time "$heddle" report "$work/$1.heddle.d" | grep -q 'openmp-runtime'
}

simulate
CC=gcc compile truth truth.c -fopenmp
ldd "$work/truth" | grep -q libgomp || skip "gcc does not link libgomp here"
measured libgomp "$work/truth" 2 2000
expect "libgomp: ends well" ended libgomp "exit 0"
expect "libgomp: one line" test "$(heddle_lines libgomp)" = 1
expect "libgomp: the line offers the other runtime" grep -q '^heddle.*--openmp-runtime llvm' "$work/libgomp.err"
expect "libgomp: the report offers the other runtime" grep -q '^note: .*--openmp-runtime llvm' \
	<(in_time "$heddle" report "$work/libgomp.heddle.d")
folded libgomp --metric cpu-time
truth_exact libgomp < <(truth_functions)

compile plain truth.c -fopenmp
llvm=$(ldd "$work/plain" | awk '$1 ~ /^libomp/ { print $3 }')
if [ -n "$llvm" ]; then
	mkdir "$work/disguised"
	ln -s "$llvm" "$work/disguised/libgomp.so.1"
	LD_LIBRARY_PATH=$work/disguised measured disguised "$work/truth" 2 200
	expect "LLVM's runtime under the name of GCC's: nothing to say" test "$(heddle_lines disguised)" = 0
	folded disguised
	expect "LLVM's runtime under the name of GCC's: OpenMP's context" has_path disguised ';omp parallel @'
fi

# A libgomp that has the tool interface, in a program that enters no parallel region: the library's name is not enough.
cat > "$work/asking.c" << 'END'
void GOMP_parallel(void (*body)(void *), void *data, unsigned int threads, unsigned int flags)
{
	(void)threads, (void)flags;
	body(data);
}
int omp_get_max_threads(void) { return 1; }
__attribute__((weak)) void *ompt_start_tool(unsigned int version, const char *runtime)
{
	(void)version, (void)runtime;
	return 0;
}
END
cat > "$work/idle.c" << 'END'
int omp_get_max_threads(void);
int main(void)
{
	for (volatile long i = 0; i < 100000000; i++)
		;
	return omp_get_max_threads() - 1;
}
END
mkdir "$work/asking"
gcc -shared -fPIC -Wl,-soname,libgomp.so.1 -o "$work/asking/libgomp.so.1" "$work/asking.c"
gcc -o "$work/idle" "$work/idle.c" "$work/asking/libgomp.so.1" -Wl,-rpath,"$work/asking"
runner=$heddle measured asking "$work/idle"
expect "a libgomp with tools: ends well" ended asking "exit 0"
expect "a libgomp with tools: nothing to say" test "$(heddle_lines asking)" = 0
expect "a libgomp with tools: no note in the report" lacks_note asking

run_options=(--openmp-runtime llvm)
measured moved "$work/truth" 2 3000
expect "on LLVM's runtime: ends well" ended moved "exit 0"
expect "on LLVM's runtime: nothing to say" test "$(heddle_lines moved)" = 0
truth_whole moved
truth_exact moved < <(truth_paths any)
finish

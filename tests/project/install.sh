#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installed tree works with pkg-config and with CMake, even after it was moved.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$HEDDLE_BUILD" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"

mkdir "$work/user"
cat >"$work/user/user.c" <<'END'
#include <heddle/heddle.h>
int main(void)
{
	return heddle_phase_begin("x") || heddle_phase_end("x");
}
END
cat >"$work/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(Heddle 0.1 REQUIRED)
foreach(file "${Heddle_FORTRAN}" "${Heddle_PYTHON}/heddle.py" "${Heddle_INCLUDE_DIR}/heddle/heddle.hpp")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
add_executable(user user.c)
target_link_libraries(user PRIVATE Heddle::heddle)
END
pc=$(find "$work/moved" -name heddle.pc)
# shellcheck disable=SC2046
gcc $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs heddle) "$work/user/user.c" -o "$work/user/by-pkg-config"
[ -e "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --variable=fortran heddle)" ] || { echo "heddle.pc: fortran"; exit 1; }
"$work/user/by-pkg-config"
cmake -G Ninja -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/moved"
cmake --build "$work/user/build"
"$work/user/build/user"

for page in heddle heddle-run heddle-report heddle-export heddle-info heddle-scale heddle-doctor heddle-tune heddle-cc heddle-c++ heddle-upcc; do
	[ -e "$work/moved/share/man/man1/$page.1" ] || { echo "$page.1 is not installed"; exit 1; }
done
# Links in documents lead to installed files, and no folder is empty.
documents=$work/moved/share/doc/heddle
[ -e "$documents/README.md" ] || { echo "README.md is not installed in share/doc/heddle"; exit 1; }
find "$documents" -name '*.md' | while read -r document; do
	grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -v '://' | while read -r link; do
		[ -e "$(dirname "$document")/$link" ] || echo "$document links to $link, which is not installed"
	done
done >"$work/dead"
find "$work/moved" -type d -empty | sed 's/$/ is empty/' >>"$work/dead"
[ ! -s "$work/dead" ] || { cat "$work/dead"; exit 1; }
[ -e "$work/moved/share/heddle/bridge.upc" ] || { echo "bridge.upc is not installed"; exit 1; }
# The installed command finds the installed library and headers.
if [ ! -x "$HEDDLE_BUILD/bin/heddle" ] || [ ! -e "$HEDDLE_BUILD/lib/libheddle.so" ]; then
	echo "skipped in part: this tree has no heddle command or no libheddle.so yet"
	exit 77
fi
"$work/moved/bin/heddle" doctor >"$work/log" || true
grep -F "$work/moved/" "$work/log" | grep -q '^\[ok\] *libheddle.so' || { cat "$work/log"; exit 1; }
printf '#include <pupc.h>\n#include <heddle/heddle.h>\n' >"$work/user/headers.c"
"$work/moved/bin/heddle" cc -Wall -Werror -M "$work/user/headers.c" | grep -qF "$work/moved/include/heddle/pupc.h"
# Its UPC compiler finds installed headers and the run-time system, too.
if [ ! -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ]; then
	echo "skipped in part: this tree has no UPC compiler: it needs the packages clang-N, llvm-N-dev and libclang-N-dev"
	exit 77
fi
cat >"$work/user/neighbours.upc" <<'END_UPC'
#include <upc.h>
#include <pupc.h>
shared int ranks[THREADS];
int main(void)
{
	ranks[MYTHREAD] = MYTHREAD;
	upc_barrier;
	return ranks[(MYTHREAD + 1) % THREADS] != (MYTHREAD + 1) % THREADS;
}
END_UPC
env -u HEDDLE_UPCC "$work/moved/bin/heddle" upcc --inst "$work/user/neighbours.upc" -o "$work/user/neighbours"
"$work/user/neighbours" -n 3

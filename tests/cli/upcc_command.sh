#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle upcc`: the options that each UPC compiler gets, and what programs are linked with. The compilers are replaced
# by scripts, which print the version text of a real compiler, and their arguments.
set -u
heddle=$HEDDLE_BUILD/bin/heddle
library=$HEDDLE_BUILD/lib
headers=$HEDDLE_BUILD/include
bridge=$HEDDLE_BUILD/share/heddle/bridge.upc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HEDDLE_CC HEDDLE_CXX HEDDLE_UPCC
bad=0
count=0

# stand_in NAME VERSION-TEXT [OPTION...]: compiles nothing (/dev/null) with these options, and knows no other UPC
# options.
stand_in() {
	mkdir -p bin
	cat >"bin/$1" <<END_SCRIPT
#!/bin/sh
case " \$* " in
*" --inst-only "*" --version "*) echo "upcc: unrecognized flag '--inst-only'" >&2; exit 255 ;;
*" --version "*) cat "$work/$1.version"; exit 0 ;;
*" -v "*) cat "$work/$1.version" >&2; exit 0 ;;
*" /dev/null "*) for known in ${*:3}; do [ "\$1" = "\$known" ] && exit 0; done; exit 1 ;;
esac
printf '%s\n' "\$@"
exit 7
END_SCRIPT
	chmod +x "bin/$1"
	printf '%s\n' "$2" >"$1.version"
}
stand_in upcc 'This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0
  UPC Runtime | v. 2020.4.0, built by gcc and clang-upc2c'
stand_in gupc 'gupc (GNU UPC) 5.2.0 20150818 (GNU UPC 5.2.0.1)' -fupc-instrument -fupc-instrument-functions -fupc-debug
stand_in clang-upc 'clang version 9.0.1 (clang-upc 9.0.1-1)
InstalledDir: /opt/berkeley/bin' -fupc-debug
stand_in craycc 'Cray C : Version 8.7.5'
stand_in otherupc 'Another UPC 1.0'
printf 'GASP_UPC_GET\nGASP_UPC_PUT\n' >events.list
printf 'GASP_UPC_GET\nGASP_C_FUNC\n' >functions.list

# given COMPILER "ARGUMENTS OF HEDDLE AND THE COMPILER" EXPECTED...: the compiler gets exactly these, except -I; checks
# the status.
given() {
	local compiler=$1 arguments=$2 got
	shift 2
	count=$((count + 1))
	# shellcheck disable=SC2086
	HEDDLE_UPCC="$work/bin/$compiler" $parent "$heddle" upcc $arguments >all 2>stderr
	got=$?
	grep -vxF -- "-I$headers" all >stdout
	printf '%s\n' "$@" >expected
	if [ $got -ne 7 ] || ! cmp -s expected stdout || [ "$(wc -l <all)" -ne $(($# + 1)) ]; then
		echo "FAILED: $compiler given $arguments: status $got, wanted 7; arguments:"
		diff expected stdout
		cat stderr
		bad=1
	fi
}

# refused STATUS PATTERN COMMAND...
refused() {
	local status=$1 pattern=$2 got
	shift 2
	count=$((count + 1))
	"$@" >stdout 2>stderr </dev/null
	got=$?
	if [ $got -ne "$status" ] || [ "$(wc -l <stderr)" -ne 1 ] || ! grep -Eq -- "$pattern" stderr; then
		echo "FAILED: $*: status $got, wanted $status and a line like '$pattern':"
		cat stderr
		bad=1
	fi
}
parent=
link_options=("-L$library" "-Wl,-rpath,$library" "-Wl,--no-as-needed" -lheddle)
berkeley=(--inst-toolname=heddle -lines --inst)
# Berkeley's removes one -Wl, and names programs after their first file.
berkeley_link=("$bridge" "-L$library" "-Wl,-Wl,-rpath,$library" "-Wl,-Wl,--no-as-needed" -lheddle)

for compiler in upcc craycc otherupc; do
	given $compiler '-T 4 a.upc -o a' -T 4 a.upc -o a
done
for compiler in gupc clang-upc; do
	given $compiler '-T 4 a.upc -o a' -fupc-threads-4 a.upc -o a
done
for compiler in upcc gupc clang-upc craycc otherupc; do
	given $compiler '--inst --noinst a.upc' a.upc
done
given upcc '--inst -c a.upc' "${berkeley[@]}" -c a.upc
given upcc '--inst -trans a.upc' "${berkeley[@]}" -trans a.upc
given upcc '--inst -E a.upc' "${berkeley[@]}" -E a.upc
given upcc '-T 4 a.upc --inst-local -o a' "${berkeley[@]}" --inst-local -T 4 a.upc -o a "${berkeley_link[@]}"
given upcc '--inst-functions -c a.upc' "${berkeley[@]}" -inst-functions -c a.upc
given upcc '--inst-only events.list a.o' "${berkeley[@]}" a.o "${berkeley_link[@]}"
grep -q '^heddle: upcc: --inst-only: .*heddle run --events FILE' stderr || { echo "FAILED: no message about --inst-only"; bad=1; }
given upcc '--inst-only functions.list -c a.upc' "${berkeley[@]}" -inst-functions -c a.upc
given upcc '--profile -c a.upc' "${berkeley[@]}" -inst-functions -c a.upc
given upcc '--profile-local -c a.upc' "${berkeley[@]}" --inst-local -inst-functions -c a.upc
given upcc '--profile --profile-only events.list -c a.upc' "${berkeley[@]}" -c a.upc
given upcc '--inst -V' "${berkeley[@]}" -V
given gupc '--inst -c a.upc' -fupc-instrument -fupc-debug -c a.upc
given gupc '--inst-functions a.upc' -fupc-instrument -fupc-instrument-functions -fupc-debug "$bridge" a.upc \
	"${link_options[@]}"
given gupc '--inst-functions --inst-only events.list -S a.upc' -fupc-instrument -fupc-debug -S a.upc
if env --ignore-signal=CHLD true 2>/dev/null; then
	parent="env --ignore-signal=CHLD"
	given gupc '--inst -c a.upc' -fupc-instrument -fupc-debug -c a.upc
	parent=
fi
clang=(-D__UPC_PUPC__=1 -D__UPC_PUPC_INST__=1)
hooks=(-finstrument-functions -fno-omit-frame-pointer)
given clang-upc '--inst -c a.upc' "${clang[@]}" -fupc-debug -c a.upc
given clang-upc '--inst-functions a.upc' "${clang[@]}" "${hooks[@]}" -fupc-debug "$bridge" a.upc "${link_options[@]}"
given clang-upc '--inst-functions --inst-only events.list -S a.upc' "${clang[@]}" -fupc-debug -S a.upc

# Options of C compilers are translated for Berkeley's; its own options are passed unchanged.
given upcc '-O2 -Wall -std=c11 -fPIC -fopenmp -c a.upc' -O -Wc,-Wall -Wc,-std=c11 -Wc,-fPIC -Wc,-fopenmp -Wl,-fopenmp -c a.upc
given upcc '-O0 -g a.c' -g a.c
given upcc '-g -O3 a.c' -Wc,-g -O a.c
given upcc '-O -O0 -gdwarf-4 a.c' -Wc,-gdwarf-4 a.c
given upcc '-march=native -pthread -w a.c' -Wc,-march=native -Wl,-march=native -Wc,-pthread -Wl,-pthread -Wc,-w a.c
given upcc '-Wl,-rpath,/x -Wl,--as-needed -Xlinker -z -z now a.o' -Wl,-Wl,-rpath,/x -Wl,-Wl,--as-needed -Wl,-Xlinker -Wl,-z \
	-Wl,-Wl,-z,now a.o
# Options of the linker with one dash are whole names, even if they begin like a C compiler's -g, -m, -f, -l and -v.
given upcc '-Wl,-gc-sections -Wl,-melf_x86_64 -Wl,-fini=end -Wl,-library=m -Wl,-version-script=v a.o' -Wl,-Wl,-gc-sections \
	-Wl,-Wl,-melf_x86_64 -Wl,-Wl,-fini=end -Wl,-Wl,-library=m -Wl,-Wl,-version-script=v a.o
given upcc '-Wl,-g -Wl,-m64 -Wl,-flto -Wl,-lm -Wl,-v -Wl,-O2 a.o' -Wl,-g -Wl,-m64 -Wl,-flto -Wl,-lm -Wl,-v -Wl,-O2 a.o
given upcc '-Wl,-Wl,-rpath,/x -Wl,-fopenmp -Wl,other.o a.o' -Wl,-Wl,-rpath,/x -Wl,-fopenmp -Wl,other.o a.o
given upcc '-Wc,-O3 -Wu,-x -Wp,-DA -pthreads=2 -network=smp -fast-symptr -fupc-threads-4 -gupc -nolines a.upc' \
	-Wc,-O3 -Wu,-x -Wp,-DA -pthreads=2 -network=smp -fast-symptr -fupc-threads-4 -gupc -nolines a.upc
given upcc '-isystem /i -include /dev/null -D -fA -I -fB -lm -L/l -x upc a.upc -n 4' -I/i -Wp,-include -Wp,/dev/null -D -fA -I -fB \
	-lm -L/l a.upc -T=4
given upcc '-MMD -MF a.d -MP --param x=1 -c a.upc' -Wc,--param -Wc,x=1 -c a.upc
grep -q '^heddle: upcc: Berkeley UPC writes no dependency files' stderr || { echo "FAILED: no message about -MMD"; bad=1; }
given upcc '-S a.upc' -S a.upc
for compiler in gupc clang-upc; do
	given $compiler '-O2 -n 2 -T=3 --threads 4 -fupc-threads=5 -T6 -T script -nostdlib a.upc' -O2 -fupc-threads-2 \
		-fupc-threads-3 -fupc-threads-4 -fupc-threads-5 -fupc-threads-6 -T script -nostdlib a.upc
done
given craycc '--inst -h upc a.c' -h upc a.c
grep -q "^heddle: upcc: Cray's compiler has no GASP events" stderr || { echo "FAILED: no message about Cray's compiler"; bad=1; }
given otherupc '--inst-local --inst-functions -c a.upc' --inst --inst-local --inst-functions -c a.upc
given otherupc '--profile a.upc' --inst --inst-functions "$bridge" a.upc "${link_options[@]}"

# A C compiler is refused, whatever it would complain about itself.
for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" >/dev/null || continue
	count=$((count + 1))
	HEDDLE_UPCC=$compiler "$heddle" upcc --inst a.upc >all 2>stderr
	[ $? -eq 2 ] && [ "$(cat all stderr)" = "heddle: upcc: '$compiler' is not a UPC compiler; name one with --with-upcc=PATH or HEDDLE_UPCC" ] ||
		{ echo "FAILED: HEDDLE_UPCC=$compiler: $(cat all stderr)"; bad=1; }
done

# A compiler is recognized by the options that it accepts, not by its name or version text.
stand_in gupc-1.0 'GNU UPC' -fupc-debug
given gupc-1.0 '--inst -c a.upc' "${clang[@]}" -fupc-debug -c a.upc
stand_in mycc '5.2.0' -fupc-instrument -fupc-debug
given mycc '--inst-functions -c a.upc' -fupc-instrument "${hooks[@]}" -fupc-debug -c a.upc
stand_in clang-upc-9 'clang version 9.0.1 (clang-upc)' -fupc-instrument
given clang-upc-9 '--inst -c a.upc' -fupc-instrument -c a.upc

# Berkeley UPC that was configured only for instrumentation refuses every call without a tool's name, and to link
# without one.
cat >bin/single-upcc <<'END_SCRIPT'
#!/bin/sh
case " $* " in
*" --inst-toolname=heddle"*" --inst-only "*) echo "upcc: unrecognized flag '--inst-only'" >&2; exit 255 ;;
*" --inst-toolname=heddle"*" --version "*) echo 'This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0'; exit ;;
*" --inst-toolname=heddle "*) printf '%s\n' "$@"; exit 7 ;;
esac
echo 'upcc: Error: -inst: upcc should not be invoked directly for instrumenting compilations' >&2
exit 255
END_SCRIPT
chmod +x bin/single-upcc
given single-upcc '--inst -O2 a.upc' "${berkeley[@]}" -O a.upc "${berkeley_link[@]}"
given single-upcc '-O2 -c a.upc' --inst-toolname=heddle -O -c a.upc
given single-upcc '--noinst a.upc' --inst-toolname=heddle a.upc "${berkeley_link[@]}"
given single-upcc '--inst-only functions.list -c a.upc' "${berkeley[@]}" -inst-functions -c a.upc
sed -i 's/upcc should not be invoked directly/name a tool/' bin/single-upcc
given single-upcc '--inst -c a.upc' "${berkeley[@]}" -c a.upc

# A Heddle built without its UPC compiler.
mkdir -p without/bin
cp "$heddle" without/bin/
ln -s "$HEDDLE_BUILD/lib" "$HEDDLE_BUILD/share" "$HEDDLE_BUILD/include" without/
without=$work/without/bin/heddle

# The search: the variable, the option that overrides it, then names on PATH.
count=$((count + 1))
PATH=$work/bin:$PATH "$without" upcc --inst -c a.upc | grep -qxF -- -lines || { echo "FAILED: upcc is not found on PATH"; bad=1; }
count=$((count + 1))
HEDDLE_UPCC=false "$heddle" upcc --with-upcc="$work/bin/gupc" --inst -c a.upc | grep -qxF -- -fupc-instrument ||
	{ echo "FAILED: --with-upcc does not override HEDDLE_UPCC"; bad=1; }
refused 127 '^heddle: upcc: no compiler found \(upcc, gupc, clang-upc\): install one, or name one with --with-upcc=PATH' \
	env PATH=/nowhere "$without" upcc a.upc
refused 127 "^heddle: upcc: the compiler 'no-upcc' was not found" env HEDDLE_UPCC=no-upcc "$heddle" upcc a.upc
refused 2 '^heddle: upcc: .*link without -static' env HEDDLE_UPCC="$work/bin/upcc" "$heddle" upcc --inst -static a.upc
refused 2 "^heddle: upcc: --inst-only: cannot read 'nowhere'" env HEDDLE_UPCC="$work/bin/upcc" "$heddle" upcc --inst-only nowhere a.upc
echo "$count checks"
exit $bad

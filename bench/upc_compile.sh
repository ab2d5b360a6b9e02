#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The time of the bundled UPC compiler on a file of about 6,700 lines, as a ratio to clang on the same text as plain C.
# A third of its functions is plain C; the others access shared memory in the common forms. At -O2: without options,
# with --inst, with --inst and -g; at -O0. Prints processor time of all processes of the compiler.
# Usage: bench/upc_compile.sh [SOURCE-FILE]   (only writes the program)
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1

# Prints one of 84 parts, with its number in the names.
part() {
	cat <<-END
		struct cell$1 {
			double value, rate;
			int kind, count;
		};

		SHARED double a$1[64 * THREADS], b$1[64 * THREADS];
		SHARED BLOCK(8) int c$1[64 * THREADS];
		SHARED BLOCK(16) struct cell$1 cells$1[64 * THREADS];
		static SHARED POINTER double *row$1;
		static double table$1[256];

		double dot$1(int n)
		{
			double sum = 0;
			FORALL(int i = 0, i < n, i++, &a$1[i])
			{
				if (a$1[i] > b$1[i])
					sum += a$1[i] * b$1[i];
				else
					sum -= b$1[i];
			}
			return sum;
		}

		void shift$1(int n, int by)
		{
			for (int i = 0; i < n - by; i++)
				c$1[i] = c$1[i + by] + 1;
			BARRIER;
		}

		static int parse$1(const char *text, int *values, int most)
		{
			int count = 0;
			while (*text != '\0' && count < most) {
				while (*text == ' ' || *text == ',')
					text++;
				int sign = *text == '-' ? -1 : 1, value = 0;
				if (*text == '-')
					text++;
				while (*text >= '0' && *text <= '9')
					value = 10 * value + *text++ - '0';
				values[count++] = sign * value;
			}
			return count;
		}

		void step$1(int n, double by)
		{
			FORALL(int i = 0, i < n, i++, &cells$1[i])
			{
				cells$1[i].value += by * cells$1[i].rate;
				if (cells$1[i].kind == 2 && cells$1[i].value > 1)
					cells$1[i].count++;
			}
			BARRIER;
		}

		static void sort$1(double *values, int n)
		{
			for (int i = 1; i < n; i++) {
				double value = values[i];
				int at = i;
				for (; at > 0 && values[at - 1] > value; at--)
					values[at] = values[at - 1];
				values[at] = value;
			}
		}

		double sum$1(int n, const char *text)
		{
			int list[16], count = parse$1(text, list, 16);
			double sum = 0;
			for (int i = 0; i < n; i++)
				table$1[i & 255] = row$1[i] + a$1[i];
			sort$1(table$1, n < 256 ? n : 256);
			for (int i = 0; i < count; i++)
				sum += table$1[list[i] & 255];
			return sum;
		}
	END
}

# program [UPC]: prints the file, as UPC, or as C with the same text
program() {
	if [ "$1" = upc ]; then
		printf '#include <upc.h>\n#define SHARED shared\n#define BLOCK(n) [n]\n#define POINTER []\n'
		printf '#define BARRIER upc_barrier\n#define FORALL(a, b, c, d) upc_forall (a; b; c; d)\n'
	else
		printf '#define SHARED\n#define BLOCK(n)\n#define POINTER\n#define THREADS 2\nvoid barrier(void);\n'
		printf '#define BARRIER barrier()\n#define FORALL(a, b, c, d) for (a; b; c)\n'
	fi
	for i in $(seq 84); do part "$i"; done
}

if [ $# -gt 0 ]; then
	program upc > "$1"
	exit
fi
have "$upcc" "the UPC compiler" "clang-N, llvm-N-dev, libclang-N-dev" || exit 77
program upc > "$work/program.upc"
program c > "$work/program.c"

# took COMMAND...: prints its processor time
took() {
	local TIMEFORMAT='%U %S'
	{ time "$@" > "$work/stdout" 2> "$work/stderr" || cat "$work/stderr" >&3; } 2>&1 3>&2 |
		awk '{ print "seconds", $1 + $2 }'
}

machine
: > "$work/results"
for _ in $(seq "$repeats"); do
	took "$CC" -O2 -c "$work/program.c" -o "$work/program.o" | record clang
	took "$CC" -O2 -g -c "$work/program.c" -o "$work/program.o" | record clang_g
	took "$upcc" -O2 -c "$work/program.upc" -o "$work/program.o" | record upcc
	took "$upcc" -O2 -c --inst "$work/program.upc" -o "$work/program.o" | record upcc_inst
	took "$upcc" -O2 -c -g --inst "$work/program.upc" -o "$work/program.o" | record upcc_g_inst
	took "$CC" -O0 -c "$work/program.c" -o "$work/program.o" | record clang_O0
	took "$upcc" -O0 -c "$work/program.upc" -o "$work/program.o" | record upcc_O0
	took "$upcc" -O0 -c --inst "$work/program.upc" -o "$work/program.o" | record upcc_O0_inst
done
echo "compiling $(wc -l < "$work/program.upc") lines, processor time"
table seconds s clang upcc upcc_inst
table seconds s clang_g upcc_g_inst
table seconds s clang_O0 upcc_O0 upcc_O0_inst

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Constructs that end in a tail call: the called procedure is on the path, below the construct, and is not taken for an
# outlined function. In stripped programs the two cannot be distinguished: a task's outermost frame is taken for one.
. "${BASH_SOURCE%/*}/lib.sh"
simulate

export OMP_MAX_ACTIVE_LEVELS=2
run_options=(--openmp-runtime llvm)
share='(omp (single|master|masked)[^;]*;)*' # Clang reports master constructs, GCC does not
where='@[^;]*'

# tail_call FILE FUNCTION: the compiler ended an outlined function by a jump to FUNCTION.
tail_call() {
	objdump -d --no-show-raw-insn "$work/$1" | grep -qE "jmp +[0-9a-f]+ <[^>]*$2[^>]*>"
}

# compile_tail NAME SOURCE COMPILER [FLAGS...]
compile_tail() {
	local name=$1 source=$2 compiler=$3
	shift 3
	CC=$compiler CXX=$compiler FC=$compiler compile "$name" "$source" -fopenmp -foptimize-sibling-calls "$@"
}

paths_c() {
	cat <<-EOT
		burn_flat ^main;flat;omp parallel $where;burn_flat(;|$)
		burn_middle ^main;middle;omp parallel $where;kernel;burn_middle(;|$)
		burn_nested ^main;outer;omp parallel $where;inner;omp parallel $where;burn_nested(;|$)
		burn_if0 ^main;serialized;omp parallel $where;burn_if0(;|$)
		burn_task ^main;tasking;omp parallel $where;omp single $where;omp task $where;burn_task(;|$)
		burn_single ^main;alone;omp parallel $where;omp single $where;burn_single(;|$)
		burn_master ^main;leading;omp parallel $where;${share}burn_master(;|$)
		burn_orphan ^main;adopting;omp parallel $where;orphan;omp single $where;burn_orphan(;|$)
		burn_after ^main;adopting;omp parallel $where;burn_after(;|$)
		burn_loop ^main;looping;omp parallel $where;(omp for $where;)?burn_loop(;|$)
	EOT
}

paths_cxx() {
	cat <<-EOT
		burn_member ^main;Solver::solve;omp parallel $where;Solver::burn_member(;|$)
		burn_lambda ^main;apply<[^;]*;omp parallel $where;[^;]*operator\(\);burn_ms(;|$)
		burn_template ^main;templates;omp parallel $where;burn_template<double>(;|$)
		burn_virtual ^main;dispatch;omp parallel $where;Solver::burn_virtual(;|$)
		burn_task ^main;Solver::tasks;omp parallel $where;omp single $where;omp task $where;Solver::burn_task(;|$)
		burn_single ^main;Solver::alone;omp parallel $where;omp single $where;Solver::burn_single(;|$)
	EOT
}

paths_fortran() {
	cat <<-EOT
		burn_region ^main;tail_fortran;omp parallel $where;work::burn_region(;|$)
		burn_task ^main;tail_fortran;tasking;omp parallel $where;omp single $where;omp task $where;work::burn_task(;|$)
		burn_single ^main;tail_fortran;alone;omp parallel $where;omp single $where;work::burn_single(;|$)
		burn_master ^main;tail_fortran;leading;omp parallel $where;${share}work::burn_master(;|$)
	EOT
}

# judge NAME PATHS ARGUMENTS...
judge() {
	local name=$1 paths=$2
	shift 2
	measured "$name" "$work/$name" "$@"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
	expect "$name: no foreign frame in a path" no_path "$name" "$foreign_frames"
	expect "$name: no compiler-made name in a path" no_path "$name" "$compiler_names"
	truth_exact "$name" < <($paths)
}

for compiler in gcc "$HEDDLE_CLANG"; do
	compile_tail "tail_$compiler" tail.c "$compiler"
	for function in burn_flat kernel inner; do
		expect "$compiler: tail call of $function" tail_call "tail_$compiler" "$function"
	done
	judge "tail_$compiler" paths_c 1200
	# With lines: the frame is at a line of its own function, and no line above it is shown as the call's.
	folded "tail_$compiler" --metric cpu-time --lines
	expect "$compiler: kernel at its own line" \
		has_path "tail_$compiler" ";omp parallel [^;]*;kernel [^;]*tail\.c:$(line_of tail.c kernel);burn_middle "
	expect "$compiler: burn_single right below its construct" \
		has_path "tail_$compiler" ";omp single [^;]*;([^;]*alone [^;]*;)?burn_single [^;]*shares\.h:"
done
expect "gcc: tail call in a single construct" tail_call tail_gcc burn_single
expect "gcc: tail call in an orphaned single construct" tail_call tail_gcc burn_orphan

for compiler in g++ "$HEDDLE_CLANGXX"; do
	compile_tail "tail_$compiler" tail_cxx.cpp "$compiler" -fno-exceptions
	expect "$compiler: tail call of a member" tail_call "tail_$compiler" burn_member
	judge "tail_$compiler" paths_cxx 1000
done

compile_tail tail_gfortran tail_fortran.f90 gfortran -fno-inline "$programs/burn_fortran.c"
expect "gfortran: tail call of a procedure" tail_call tail_gfortran burn_region
judge tail_gfortran paths_fortran

# Stripped: regions and functions below the outermost frames are present.
for compiler in gcc "$HEDDLE_CLANG"; do
	name=stripped_$compiler
	strip -o "$work/$name" "$work/tail_$compiler"
	measured "$name" "$work/$name" 500
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
	code="$name\\+0x[0-9a-f]+"
	expect "$name: burn_middle's frame" has_path "$name" "^$code;$code;omp parallel @$code;$code"
	expect "$name: nested regions" has_path "$name" "^$code;$code;omp parallel @$code;omp parallel @$code"
	expect "$name: no frame above the single construct" \
		no_path "$name" ";omp parallel @$code;[^;]*;omp single @$code\$"
	expect "$name: single construct" has_path "$name" "^$code;$code;omp parallel @$code;omp single @$code"
done
finish

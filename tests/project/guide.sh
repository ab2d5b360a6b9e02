#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/guide.md run in their order, and print what it shows: each function, region and phrase of a line
# that it quotes is in the output of the command above. Numbers depend on the machine, and are not compared.
set -u
for program in make "$HEDDLE_CLANG" mpicc mpirun; do
	command -v "$program" >/dev/null || { echo "skipped: no $program"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export PATH="$HEDDLE_BUILD/bin:$PATH" LC_ALL=C.UTF-8 OMP_NUM_THREADS=2
make -s -C "$HEDDLE_SOURCE/examples" OUT="$work" HEDDLE=heddle "$work/front" "$work/lock_blame" "$work/cg" || exit 1
make -s -C "$HEDDLE_SOURCE/examples" OUT="$work" MPICC=mpicc mpi || { echo "skipped: no MPI for mpicc"; exit 77; }
cd "$work" || exit 1

# Prints names and phrases without numbers, one in a line: text after the tree's lines, between ` and `, or elsewhere.
phrases() {
	sed -E 's/^.*[├└]─ *//; s/^ *[-0-9.,]+ .*  (MPI_)/\1/; s/^ *for [0-9.]+ +//; s/(^|[ ~])[0-9][0-9.,]*( %)?/\1/g; s/\([^()]*\)//g; s/^.* for +(main|openmp)/\1/; s/(^| )([mun]?s|[KMG]?i?B)( |$)/ /g' |
		tr -s ' ' | sed -E 's/^ //; s/ $//'
}
: >output
shown=0
while IFS= read -r line; do
	case $line in
	*"    $ make "* | *"    $ cd "* | *"    $ export OMP_NUM_THREADS=2" | *"    $ PATH="*) ;; # executed above
	*"    $ "*)
		sh -c "${line#*    $ }" >output 2>errors || { echo "FAILED: ${line#*    $ }: $(cat errors)"; bad=1; }
		phrases <output >found
		;;
	"    "*)
		shown=$((shown + 1))
		phrase=$(printf '%s\n' "${line#    }" | phrases)
		[ -n "$phrase" ] && grep -qF -- "$phrase" found || { echo "FAILED: not printed: '$phrase'"; cat output; bad=1; }
		;;
	esac
done <"$HEDDLE_SOURCE/docs/guide.md"
[ "$shown" -ge 20 ] || { echo "only $shown lines are shown"; bad=1; }
exit $bad

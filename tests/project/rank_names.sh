#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reader, reports, exports and pages name ranks as the ranks' model does: no text uses UPC's name for ranks. Strings
# that are about UPC itself may use it. First the check is tried.
set -eu
cd "$HEDDLE_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fixed PATH...: prints lines with such a string, outside comments: one model's name before "thread", "rank", an
# inserted number, or after "all". Tables of models and their libraries name the model itself.
fixed() {
	find "$@" -type f \( -name '*.[ch]' -o -name '*.ts' -o -name '*.tsx' \) ! -name old_models.c -exec \
		sed -E 's,/\*.*\*/,,; s,^ \*.*,,; s,//.*,,' {} + |
		grep -E "[\"'\`][^\"'\`]*\b(UPC|MPI|SHMEM|OpenSHMEM)( (thread|rank|PE)s?\b| %| [$][{]|\")" |
		grep -vE 'MPI_|OTF2_PARADIGM|define_paradigm|\bX\([A-Z]+, "lib'
}

cat >"$work/a.c" <<-'END'
	/* "UPC 3" */
	puts("UPC threads");
	printf("from MPI %u", rank);
	puts("compile UPC with `heddle upcc`");
END
cat >"$work/b.tsx" <<-'END'
	`UPC ${name}`;
	// `UPC ${name}`
END
[ "$(fixed "$work" | wc -l)" -eq 3 ] || {
	echo "the check itself is broken:"
	fixed "$work"
	exit 1
}
if fixed profile analysis export html/src cli/report cli/browse cli/base cli/info*.c cli/diff.c cli/export.c >"$work/found"; then
	echo "texts that name a model's ranks, instead of what the model calls them (Model.rank, Model.ranks):"
	cat "$work/found"
	exit 1
fi

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ./dev: its tasks, its package table, and its errors for unknown arguments.
set -eu
cd "$HEDDLE_SOURCE"

for task in build demo test bench cross elsewhere package format lint help; do
	./dev help | grep -Eq "^  $task( |\$)" || { echo "./dev help does not name $task"; exit 1; }
done
if ./dev no-such-task >/dev/null 2>&1; then
	echo "./dev accepts an unknown task"
	exit 1
fi
for task in 'lint' 'test --all'; do
	grep -Eq "^(exec )?\./dev $task\$" .ci/run || { echo ".ci/run does not run ./dev $task"; exit 1; }
done
awk '!/^#/ && NF && (NF < 3 || $2 !~ /^(build|demo|test|bench|lint|cross|elsewhere|package)$/) { print "bad line: " $0; bad = 1 } END { exit bad }' \
	cmake/debian-packages.txt
# Each line names a package once.
twice=$(awk '!/^#/ && NF { print $1 }' cmake/debian-packages.txt | sort | uniq -d)
[ -z "$twice" ] || { echo "listed twice: $twice"; exit 1; }
if command -v shellcheck >/dev/null; then
	shellcheck dev .ci/run
fi

# If nothing can be installed, one line says what to install, for all tasks at once.
fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
cp -r dev cmake "$fake"
mkdir "$fake/bin" "$fake/build"
for tool in bash dirname readlink mkdir tail id rm env; do
	ln -s "$(command -v $tool)" "$fake/bin/$tool"
done
printf '#!/bin/sh\nexit 1\n' >"$fake/bin/dpkg-query" # nothing is installed
cp "$fake/bin/dpkg-query" "$fake/bin/apt-cache"
printf '#!/bin/sh\necho "E: Unable to locate package $1"\nexit 100\n' >"$fake/bin/apt-get"
chmod +x "$fake"/bin/*
if said=$(PATH="$fake/bin" "$fake/dev" build 2>&1); then
	echo "./dev build goes on without the packages it needs"
	exit 1
fi
line=$(printf '%s\n' "$said" | grep -o 'apt-get install --no-install-recommends .*') ||
	{ echo "no line to paste: $said"; exit 1; }
for package in cmake clang-14 libcmocka-dev shellcheck; do
	case " $line " in
	*" $package "*) ;;
	*) echo "$package is missing in: $line"; exit 1 ;;
	esac
done

# Readers see only the end of a long run of tests: it repeats the last lines of each test that failed.
mkdir "$fake/tests"
cat >"$fake/tests/CTestTestfile.cmake" <<'TESTS'
add_test(good sh -c "echo well")
add_test(bad sh -c "seq 50; exit 1")
TESTS
ctest --test-dir "$fake/tests" >"$fake/ctest.out" 2>&1 && { echo "the bad test passed"; exit 1; }
shown=$(eval "$(sed -n '/^show_failures()/,/^}$/p' dev)" && show_failures "$fake/tests/Testing/Temporary/LastTest.log")
expected=$(printf '\nfailed: bad\n' && seq 11 50 | sed 's/^/  /')
[ "$shown" = "$expected" ] || { echo "not the last lines of what failed: $shown"; exit 1; }

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# README.md refers only to things that exist: ./dev tasks, heddle commands with a man page each, linked files. No line
# of a document is longer than 120 characters.
# shellcheck disable=SC2013
set -eu
cd "$HEDDLE_SOURCE"
bad=0

complain() {
	echo "$*"
	bad=1
}

for task in $(grep -oE '\./dev [a-z]+' README.md CONTRIBUTING.md | awk '{ print $2 }' | sort -u); do
	grep -Eq "^$task( \||\))" dev || complain "./dev $task is named in a document, and does not exist"
done
commands=$(grep -ohE '(^|[ /`])heddle (run|report|merge|export|info|doctor|diff|cc|upcc)\b' README.md | awk '{ print $NF }' | sort -u)
[ -n "$commands" ] || complain "README.md names no command"
for command in $commands; do
	[ -e "docs/man/heddle-$command.1" ] || complain "heddle $command has no man page"
	[ -e "cli/$command.c" ] || complain "heddle $command is named in README.md, and cli/$command.c does not exist"
done
for document in *.md docs/*.md examples/*.md; do
	for link in $(grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -v '://'); do
		[ -e "$(dirname "$document")/$link" ] || complain "$document links to $link, which does not exist"
	done
done
long=$(LC_ALL=C.UTF-8 grep -nE '^.{121,}' ./*.md docs/*.md) &&
	complain "lines of more than 120 characters: $long"
version=$(sed -n 's/^project(heddle VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -Eq "^## \[($version|Unreleased)\]" CHANGELOG.md || complain "CHANGELOG.md has neither $version nor Unreleased"
exit $bad

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Completions know each command and each option that its help names; bash accepts and uses them.
set -u
heddle=$HEDDLE_BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAILED: $*"; bad=1; }
for shell in bash zsh fish; do
	"$heddle" --completions $shell >"$work/$shell" || complain "no completions for $shell"
done
"$heddle" --completions csh >/dev/null 2>&1 && complain "completions for an unknown shell"
options=0
for command in $("$heddle" help | sed -n 's/^  \([a-z+]*\) .*/\1/p' | grep -v '^help$'); do
	for option in $("$heddle" help "$command" | sed -n 's/^  \(-[-a-z]*\).*/\1/p' | grep -v '^-h$'); do
		options=$((options + 1))
		grep -E "^		${command//+/\\+}\) " "$work/bash" | grep -qE -- "[ ']${option}[ ']" || complain "bash: $command $option"
		grep -q -- "'$option:" "$work/zsh" || complain "zsh: $option"
		name=${option#-}
		grep -qE -- "from ${command//+/\\+}' -[lso] ${name#-} " "$work/fish" ||
			complain "fish: $command $option"
	done
done
[ "$options" -gt 50 ] || complain "only $options options were looked for"
# shellcheck disable=SC1091
. "$work/bash"
# shellcheck disable=SC2034
COMP_WORDS=(heddle run --sample-h) COMP_CWORD=2
_heddle
[ "${COMPREPLY[*]}" = --sample-hz ] || complain "bash completes --sample-h to ${COMPREPLY[*]}"
COMP_WORDS=(heddle adv) COMP_CWORD=1
_heddle
[ "${COMPREPLY[*]}" = advise ] || complain "bash completes adv to ${COMPREPLY[*]}"
! command -v zsh >/dev/null || zsh -n "$work/zsh" || complain "zsh refuses its file"
! command -v fish >/dev/null || fish -n "$work/fish" || complain "fish refuses its file"
exit $bad

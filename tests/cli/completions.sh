#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Completions know each command and each option that its help names; bash accepts and applies them.
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
[ "$options" -gt 50 ] || complain "only $options options were checked"
# shellcheck disable=SC1091
. "$work/bash"
# shellcheck disable=SC2034
COMP_WORDS=(heddle run --sample-h) COMP_CWORD=2
_heddle
[ "${COMPREPLY[*]}" = --sample-hz ] || complain "bash completes --sample-h to ${COMPREPLY[*]}"
COMP_WORDS=(heddle adv) COMP_CWORD=1
_heddle
[ "${COMPREPLY[*]}" = advise ] || complain "bash completes adv to ${COMPREPLY[*]}"
COMP_WORDS=(heddle run --sample-clock w) COMP_CWORD=3
_heddle
[ "${COMPREPLY[*]}" = wall ] || complain "bash completes --sample-clock w to ${COMPREPLY[*]}"
COMP_WORDS=(heddle export --format specto) COMP_CWORD=3
_heddle
[ "${COMPREPLY[*]}" = "" ] || complain "bash completes an unknown format to ${COMPREPLY[*]}"
COMP_WORDS=(heddle export --format speed) COMP_CWORD=3
_heddle
[ "${COMPREPLY[*]}" = speedscope ] || complain "bash completes --format speed to ${COMPREPLY[*]}"
# bash treats an equals sign as a word.
for typed in '=' '= al'; do
	read -ra COMP_WORDS <<<"heddle report --color $typed"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_heddle
	[[ " ${COMPREPLY[*]} " == *" always "* ]] || complain "bash completes --color${typed/ /} to ${COMPREPLY[*]}"
done
COMP_WORDS=(heddle help expo) COMP_CWORD=2
_heddle
[ "${COMPREPLY[*]}" = export ] || complain "bash completes help expo to ${COMPREPLY[*]}"
# Each completed value is valid: the commands refuse all other values.
# shellcheck disable=SC2013
for pair in $(grep -oE "'(report|diff|scale) --format'\) words='[^']*" "$work/bash" | sed "s/'\([a-z]*\) --format') words='/\1:/; s/ /,/g"); do
	IFS=, read -ra values <<<"${pair#*:}"
	for value in "${values[@]}"; do
		! "$heddle" "${pair%%:*}" --format "$value" "$work/nothing" "$work/nowhere" 2>&1 | grep -q "'$value' is" ||
			complain "${pair%%:*} --format $value is offered, and refused"
	done
done
# fish can print what it would complete.
if command -v fish >/dev/null; then
	of_fish() { HOME=$work fish --no-config -c "source $work/fish; complete -C '$1'" | cut -f 1 | tr '\n' ' '; }
	[ "$(of_fish 'heddle run --sample-h')" = "--sample-hz " ] || complain "fish: $(of_fish 'heddle run --sample-h')"
	[ "$(of_fish 'heddle run --sample-clock ')" = "cpu wall " ] || complain "fish: $(of_fish 'heddle run --sample-clock ')"
	[ "$(of_fish 'heddle report --color=al')" = "--color=always " ] || complain "fish: $(of_fish 'heddle report --color=al')"
	of_fish 'heddle help expo' | grep -q '^export ' || complain "fish: $(of_fish 'heddle help expo')"
	of_fish 'heddle adv' | grep -q '^advise ' || complain "fish: $(of_fish 'heddle adv')"
fi
# zsh completes on a terminal.
if command -v zsh >/dev/null && command -v script >/dev/null; then
	mkdir "$work/functions"
	cp "$work/zsh" "$work/functions/_heddle"
	of_zsh() {
		cat >"$work/keys.zsh" <<-END
			zmodload zsh/zpty
			zpty shell zsh -f -i
			zpty -w shell "PS1=; fpath=($work/functions \$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word; echo re''ady"
			zpty -r shell text '*ready*'
			zpty -w -n shell "$1"$'\t'
			zpty -r -m shell text "*$2*" && echo found
		END
		HOME=$work timeout "${HEDDLE_TEST_SECONDS:-240}" zsh -f "$work/keys.zsh" | grep -q found
	}
	of_zsh 'heddle report --color=al' '--color=always' || complain "zsh does not complete --color=al"
	of_zsh 'heddle help expo' 'help export' || complain "zsh does not complete help expo"
	of_zsh 'heddle run --sample-clock w' 'clock wall' || complain "zsh does not complete --sample-clock w"
fi
! command -v zsh >/dev/null || zsh -n "$work/zsh" || complain "zsh refuses its file"
! command -v fish >/dev/null || fish -n "$work/fish" || complain "fish refuses its file"
exit $bad

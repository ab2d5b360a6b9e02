#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On a terminal, reports go through the user's pager, and end as without one. --color and -w change what lines contain.
# In a pipe, none of this happens.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
command -v script >/dev/null || { echo "skipped: no script command (bsdutils), which makes terminals"; exit 77; }
bad=0
escape=$(printf '\033')
complain() { echo "FAILED: $*"; bad=1; }
unset NO_COLOR LESS PAGER HEDDLE_PAGER
export TERM=xterm

# Prints what a terminal with 60 columns shows, and the exit status.
on_terminal() { # COMMAND...
	script -qec "stty cols 60; $* 2>errors; echo status \$?" /dev/null </dev/null | tr -d '\r' >screen
}
plain() { sed 's/\x1b\[[0-9;]*m//g' "$@"; }

for words in "report m" "report m --flat" "diff m m/a.heddle" "info m"; do
	HEDDLE_PAGER="sed s/^/paged:/" on_terminal "$heddle $words"
	grep -q '^paged:' screen && ! grep -vq -e '^paged:' -e '^status 0' screen || complain "$words: $(cat screen errors)"
	for pager in '' cat no-such-pager; do
		HEDDLE_PAGER="$pager" on_terminal "$heddle $words"
		grep -q 'status 0' screen && [ "$(wc -l <screen)" -gt 5 ] && ! grep -q paged screen || complain "$words, '$pager': $(cat screen errors)"
	done
done
PAGER="sed s/^/other:/" on_terminal "$heddle report m"
grep -q ^other: screen || complain "PAGER has no effect"
TERM=dumb PAGER="sed s/^/other:/" on_terminal "$heddle report m"
grep -q ^other: screen && complain "a dumb terminal has a pager"
HEDDLE_PAGER='printenv LESS' on_terminal "$heddle report m"
grep -qx FRX screen || complain "options of less: $(cat screen)"
HEDDLE_PAGER='printenv LESS' on_terminal "$heddle report -w m"
grep -qx FRXS screen || complain "options of less with -w: $(cat screen)"

# A pager that quits early; a command that fails.
HEDDLE_PAGER="head -n 1" on_terminal "$heddle report m"
grep -qx 'status 0' screen && [ ! -s errors ] || complain "a pager that is left: $(cat screen errors)"
HEDDLE_PAGER="sed s/^/paged:/" on_terminal "$heddle report nothing"
grep -qx 'status [1-7]' screen && [ "$(wc -l <errors)" = 1 ] || complain "no measurement: $(cat screen errors)"

# Colours and widths.
HEDDLE_PAGER="cat -v" on_terminal "$heddle report m"
grep -qF '^[[1m' screen || complain "no colours in the pager"
HEDDLE_PAGER="cat -v" on_terminal "$heddle report m --color never"
grep -qF '^[[' screen && complain "--color never"
"$heddle" report m >piped
grep -qF "$escape" piped && complain "colours in a pipe"
"$heddle" report m --color=always >coloured
grep -qF "${escape}[1m" coloured && plain coloured | cmp -s - piped || complain "--color=always"
NO_COLOR=1 "$heddle" report m --color=always | cmp -s - coloured || complain "--color=always with NO_COLOR"
"$heddle" report m --color always --no-color | cmp -s - piped || complain "--no-color"
for words in "report m" "diff m m/a.heddle" "scale m m" "advise m"; do
	# shellcheck disable=SC2086 # words
	"$heddle" $words --color=sometimes >out 2>errors
	[ $? -eq 2 ] && grep -qx "heddle: ${words%% *}: --color: 'sometimes' is unknown: choose one of always, never, auto" errors || complain "$words --color=sometimes: $(cat errors)"
done
HEDDLE_PAGER='' on_terminal "$heddle report m"
[ "$(plain screen | wc -L)" -le 60 ] || complain "too wide"
HEDDLE_PAGER='' on_terminal "$heddle report -w m"
plain screen | grep -v ^status | cmp -s - piped || complain "-w cuts: $(plain screen | diff - piped)"
exit $bad

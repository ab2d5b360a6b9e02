#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# All commands are consistent: one form of help, requested in the same ways; one form of error for a wrong option, with
# exit status 2 and a line that refers to the help; each exit status in cli/base/exit_status.h is documented in
# heddle(1).
set -u
heddle=$HEDDLE_BUILD/bin/heddle
page=$HEDDLE_SOURCE/docs/man/heddle.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
complain() { echo "FAILED: $*"; bad=1; }

mapfile -t commands < <("$heddle" help | sed -n '/^Commands:/,/^$/s/^  \([a-z+][a-z+]*\) .*/\1/p' | grep -vx help)
[ "${#commands[@]}" = "$(grep -c '^	X(' "$HEDDLE_SOURCE/cli/base/commands.h")" ] || complain "heddle help lists: ${commands[*]}"

for command in "${commands[@]}"; do
	"$heddle" "$command" --help >help 2>err </dev/null || complain "$command --help: exit status $?"
	[ ! -s err ] || complain "$command --help prints on standard error: $(cat err)"
	"$heddle" "$command" -h >other || complain "$command -h: exit status $?"
	cmp -s help other || complain "$command -h and --help differ"
	"$heddle" help "$command" >other || complain "help $command: exit status $?"
	cmp -s help other || complain "help $command and $command --help differ"
	head -n 1 help | grep -Eq "^Usage: heddle ${command//+/\\+} \[OPTION\]\.\.\.( |$)" || complain "$command --help begins: $(head -n 1 help)"
	head -n 1 help | grep -q 'OPTION.*\[OPTION\]' && complain "$command --help names options twice: $(head -n 1 help)"
	for line in 'Options:' '  -h, --help  *print this text' 'Exit status: .*' "Man page: heddle-${command//+/\\+}\(1\)\."; do
		grep -Exq -- "$line" help || complain "$command --help has no line like '$line'"
	done
	[ "$(wc -l <help)" -le 60 ] || complain "$command --help has $(wc -l <help) lines"
	grep -q 'see --metric help' help || continue
	[ "$command" = run ] && continue # its metrics are this system's counters
	"$heddle" "$command" --metric help >out 2>err || complain "$command --metric help: exit status $?"
	grep -q '^  cpu-time  *CPU time' out && [ ! -s err ] || complain "$command --metric help: $(cat out err)"
	"$heddle" "$command" --metric=help >other && cmp -s out other || complain "$command --metric=help differs"
done

# The compiler wrappers pass on options that they do not know; all other commands refuse them.
for command in "${commands[@]}"; do
	case $command in
	cc | c++ | upcc) continue ;;
	esac
	"$heddle" "$command" --no-such-option >out 2>err
	[ $? -eq 2 ] || complain "$command --no-such-option: not exit status 2"
	[ ! -s out ] || complain "$command --no-such-option prints"
	[ "$(cat err)" = "heddle: $command: unknown option '--no-such-option'; see: heddle $command --help" ] || complain "$command: $(cat err)"
done

# A missing argument of an option, and one that an option does not take: the same error in all commands and wrappers.
wrong() { # PATTERN COMMAND...
	local pattern=$1
	shift
	"$heddle" "$@" >out 2>err </dev/null
	[ $? -eq 2 ] || complain "$*: not exit status 2"
	[ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -Exq "heddle: ${1//+/\\+}: $pattern; see: heddle ${1//+/\\+} --help" err || complain "$*: $(cat err)"
}
wrong "option '--sample-hz' needs an argument: N" run --sample-hz
wrong "option '--min' needs an argument: PCT" report --min
wrong "option '-o' needs an argument: FILE" export -o
wrong "option '-o' needs an argument: FILE" merge -o
wrong "option '--metric' needs an argument: NAME" diff a --metric
for command in cc c++ upcc; do
	wrong "option '--inst-only' needs an argument: FILE" $command --inst-only
	wrong "option '--inst' takes no argument" $command --inst=yes
done
wrong "option '--memory' takes no argument" run --memory=yes
wrong "option '--flat' takes no argument" report --flat=yes
wrong "unexpected argument 'more'" doctor more
wrong "no program given" run

# Without a command, or with an unknown one.
"$heddle" >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -q '^Usage: heddle COMMAND' err || complain "without arguments"
"$heddle" --help >out 2>err && [ ! -s err ] && grep -q '^Usage: heddle COMMAND' out || complain "--help"
for word in help --help -h; do
	"$heddle" help "$word" >other 2>err && [ ! -s err ] && cmp -s out other || complain "help $word: $(cat err)"
done
for word in reprot:report inof:info exprot:export rnu:run doctr:doctor --hlep:--help; do
	"$heddle" "${word%:*}" >out 2>err
	[ $? -eq 2 ] && grep -q "unknown .* '${word%:*}', did you mean '${word#*:}'? see: heddle help" err || complain "${word%:*}: $(cat err)"
done
"$heddle" frobnicate 2>err
[ $? -eq 2 ] && [ "$(cat err)" = "heddle: unknown command 'frobnicate'; see: heddle help" ] || complain "frobnicate: $(cat err)"

# All commands use the exit statuses of cli/base/exit_status.h, and all of these are documented.
grep -rnE 'enum \{ *EXIT_' "$HEDDLE_SOURCE/cli" --include='*.c' && complain "exit statuses outside of cli/base/exit_status.h"
numbers=$(sed -n 's/^	HEDDLE_EXIT_[A-Z_]* = \([0-9]*\),.*/\1/p' "$HEDDLE_SOURCE/cli/base/exit_status.h")
[ "$(wc -w <<<"$numbers")" -ge 10 ] || complain "cli/base/exit_status.h is not understood"
for number in $numbers; do
	sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$page" | grep -Eq "^\.It $number$" || complain "heddle(1) does not list exit status $number"
done
exit $bad

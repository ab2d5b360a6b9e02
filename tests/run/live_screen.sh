#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle run --live: stop and continue, a resized terminal, and a program that uses the whole screen.
. "${BASH_SOURCE%/*}/live_lib.sh"

type_line "run stopped until:a print:3 until:b exit:7; ended stopped"
eventually "the line" line_is_last
press C-z
eventually "the shell says that it stopped" screen_has '^\[1\].*Stopped'
eventually "stopped: the line is taken away" no_line
expect "stopped: the whole screen scrolls" whole_screen
type_line "fg"
eventually "continued: the line is back" line_is_last
press C-z
type_line "clear; bg; echo 'in the background'"
eventually "the shell goes on" screen_has '^in the background'
touch "$work/a"
eventually "the program goes on" screen_has '^line 3 of 3'
expect "nothing is drawn in the background" no_line
type_line "fg"
eventually "in the foreground again: the line is back" line_is_last
touch "$work/b"
eventually "the end" screen_has '^\$ *$'
eventually "the end: the line is taken away" no_line

type_line "clear; run resized until:c print:20 until:d exit:8; ended resized"
eventually "before resizing: the line" line_is_last
in_terminal resize-window -x 100 -y 30
eventually "larger: the line is in the last row, and nowhere else" line_is_last
in_terminal resize-window -x 40 -y 12
eventually "smaller: the same" line_is_last
touch "$work/c"
eventually "smaller: the program's lines" screen_has '^line 20 of 20$'
eventually "smaller: the line stays" line_is_last
in_terminal resize-window -x 90 -y 20
eventually "larger again" line_is_last
touch "$work/d"
eventually "resized: the end" at_prompt resized 8
eventually "resized: the line is taken away" no_line
expect "resized: the whole screen scrolls" whole_screen

type_line "clear; run keys until:e keys until:f lines until:g exit:9; ended keys"
eventually "before single keys: the line" line_is_last
touch "$work/e"
eventually "single keys: the whole screen is the program's" whole_screen
sleep 2
expect "the whole screen stays the program's" whole_screen
touch "$work/f"
eventually "lines again: the line is back" line_is_last
touch "$work/g"
eventually "keys: the end" at_prompt keys 9

# When the terminal's flow control stops output, only the live line stops.
type_line "clear; run flow until:j print:5 exit:3; ended flow"
eventually "before flow control: the line" line_is_last
press C-s
sleep 2
touch "$work/j"
press C-q
eventually "flow control: the end" at_prompt flow 3
expect "flow control: the program's lines" screen_has '^line 5 of 5$'
expect "flow control: no line" no_line

# A full-screen page follows immediately: the line and its scroll region have been removed before.
type_line "clear; run page until:h keys page:20 until:i lines exit:2; ended page"
eventually "before a page: the line" line_is_last
touch "$work/h"
eventually "the page" screen_has '^the last row$'
row() { screen | sed -n "$1p"; }
page_is_whole() { [ "$(row 1), $(row 19), $(row 20)" = 'row 1, row 19, the last row' ]; }
eventually "it is on the rows where it belongs" page_is_whole
sleep 2
expect "the page stays whole" page_is_whole
touch "$work/i"
eventually "page: the end" screen_has 'page ended with 2'
finish

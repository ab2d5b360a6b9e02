#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --trace-window: the trace has only events of that time; --trace-last, at a flush by the program: only the last ones.
# Heddle's own thread opens and closes the window, and flushes, never early, but up to half a second late, if it has to
# wait for a processor.
. "${BASH_SOURCE%/*}/../run/trace_lib.sh"
compile trace_paced trace_paced.c -I"$HEDDLE_SOURCE/include" -ldl

# number NAME KEY
number() { trace_sum "$1" "$2"; }

# Two threads have an event every 2 ms each, for two seconds; times are on the process's clock.
run_options=(--trace-window 500ms:1s)
traced window "$work/trace_paced" 2000
sound window
expect "window: both threads" test "$(number window threads)" = 2
expect "window: begins when requested" between 495 "$(number window from_ms)" 1000
expect "window: is as long as requested" between 1 "$(number window span_ms)" 1000
expect "window: it has an end" test "$(number window ended)" = 1
expect "window: info says so" eval "'$heddle' info '$work/window.heddle.d' | grep -Eq '^  partial +only from 500 ms to 1.00 s '"

# The thread that writes traces starts within the window.
compile late_writer.so late_writer.c -shared -fPIC -ldl
run_options=(--trace-window 500ms:2500ms)
traced late_writer env LD_PRELOAD="$library:$work/late_writer.so" "$work/trace_paced" 3000
sound late_writer
expect "late writer: both threads" test "$(number late_writer threads)" = 2
expect "late writer: the rest of the window" between 1 "$(number late_writer span_ms)" 2400

run_options=(--trace-window 1500ms:)
traced open_window "$work/trace_paced" 2000
sound open_window
expect "open window: begins when requested" between 1495 "$(number open_window from_ms)" 2000
expect "open window: info says so" eval "'$heddle' info '$work/open_window.heddle.d' | grep -q ' only from 1.50 s to its end '"
expect "open window: up to the end" between 450 "$(($(number open_window span_ms) + $(number open_window from_ms) - 1500))" 1000

# Buffers of 4 KiB hold some seconds of events at this pace.
run_options=(--trace-last 500ms --trace-buffer 4K)
# The program flushes after 1 s; then it is killed.
traced last_flush "$work/trace_paced" 1000 flush 16
expect "last flush: no error" test "$(number last_flush errors)$(number last_flush tail)" = 00
expect "last flush: as long as requested" between 450 "$(number last_flush span_ms)" 1100
expect "last flush: both threads" test "$(number last_flush threads)" = 2
finish

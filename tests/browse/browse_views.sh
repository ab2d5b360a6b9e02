#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Each view of `heddle browse` at 80 x 24 and at 200 x 60, compared with screens that were checked by eye.
. "${HEDDLE_SOURCE:?the source directory}/tests/browse/lib.sh" || exit 1

measurement m
for size in 80x24 200x60; do
	browse "$size" m
	same "tree-$size"
	keys 2
	same "functions-$size"
	keys 3
	same "source-$size"
	keys 4
	same "threads-$size"
	keys 5
	same "blame-$size"
	keys f
	same "findings-$size"
	keys Escape e
	same "efficiency-$size"
	keys Escape 2 Down c
	same "callers-$size"
	keys Escape m
	same "metrics-$size"
	keys Escape h
	same "help-$size"
	keys Escape q
	ended 0
done
# The descriptions of keys are wrapped where they do not fit.
browse 60x24 m
keys h
same help-60x24
keys Escape q
ended 0
finish

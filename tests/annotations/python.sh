#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle.py: a context manager and a decorator; phases stand above the interpreter's frames.
. "${BASH_SOURCE%/*}/lib.sh"
python=/usr/bin/python3
[ -x $python ] || skip "no $python on this machine"
export PYTHONPATH=$HEDDLE_SOURCE/include/heddle PYTHONDONTWRITEBYTECODE=1
traced python $python "$here/languages.py"
visits python '^phase outer$' 1
visits python '^phase outer;phase assemble$' 3
visits python '^phase failing$' 1
visits python 'phase a name;phase assemble$' 1
value python step 'value  min 0 · mean 1 · max 2 · sum 3 (3 values)'
finish

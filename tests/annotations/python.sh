#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle.py: a context manager and a decorator; phases are above the interpreter's frames.
. "${BASH_SOURCE%/*}/lib.sh"
python=/usr/bin/python3
[ -x $python ] || skip "no $python on this machine"
export PYTHONPATH=$HEDDLE_SOURCE/include/heddle PYTHONDONTWRITEBYTECODE=1
traced python $python "$here/languages.py"
visits python '^phase outer$' 1
visits python '^phase outer;phase assemble$' 3
visits python '^phase failing$' 1
visits python 'phase a name;phase assemble$' 1
visits python '^phase outer;phase step$' 3
value python step 'value  min 0 · mean 1 · max 2 · sum 3 (3 values)'

# forked processes continue in the phases that were open, other processes begin without phases
traced pool $python "$here/pool.py"
visits pool '^phase pool;phase task$' 12
visits pool '^phase pool;phase task;phase number$' 12
visits pool '^phase task$' 6
finish

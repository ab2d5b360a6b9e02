#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the table of OpenSHMEM's functions (lines NAME|RESULT|TYPE|PARAMETERS) with a preprocessed header."""
import re
import sys

# Not measured, as these functions do not communicate. shmem_pcontrol is not in the table; Open MPI 5's shmem_team_sync
# returns nothing, that of the specification an int.
LEFT_OUT = re.compile(r'shmem_(info_|query_thread|udcflush|set_cache|clear_cache)|shmemx_alltoall_global_nb$|'
                      r'shmem_(pcontrol|team_sync)$')


def kind(declaration):
    """Returns a parameter or result without its name; all pointers and handles are equal."""
    words = declaration.replace('*', ' * ').split()
    if '*' in words or 'shmem_ctx_t' in words or 'shmem_team_t' in words:
        return 'pointer'
    words = [word for word in words if word not in ('const', 'volatile', 'extern')]
    known = {'void', 'char', 'short', 'int', 'long', 'float', 'double', 'signed', 'unsigned', 'size_t', 'ptrdiff_t',
             'int8_t', 'int16_t', 'int32_t', 'int64_t', 'uint8_t', 'uint16_t', 'uint32_t', 'uint64_t'}
    return ' '.join(word for word in words if word in known)


def kinds(parameters):
    return [kind(one) for one in parameters.split(',')]


table = {}
for line in open(sys.argv[1]):
    name, result, type_name, parameters = line.rstrip('\n').split('|')
    result = {'NONE': 'void', 'TYPE': kind(type_name), 'INT': 'int', 'SIZE': 'size_t', 'POINTER': 'pointer'}[result]
    table[name] = [result, *kinds(parameters)]

text = re.sub(r'^#.*$', '', open(sys.argv[2]).read(), flags=re.M)
text = re.sub(r'__attribute__\s*\(\(.*?\)\)+', '', text)
compared = wrong = 0
for found in re.finditer(r'([\w\s*]+?)\b(shmemx?_\w+|start_pes)\s*\(([^()]*)\)\s*;', text):
    result, name, parameters = found[1], found[2], found[3]
    if LEFT_OUT.match(name):
        continue
    compared += 1
    wanted = [kind(result), *kinds(parameters)]
    if table.get(name) != wanted:
        print(f'{name}: the header has {wanted}, the table {table.get(name)}')
        wrong += 1
print(f'{compared} compared, {wrong} wrong')
sys.exit(wrong != 0 or compared < 800)

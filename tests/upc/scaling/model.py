#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""model.py PROGRAM LAUNCHER-COMMAND...: counts the messages of each operation over the network on 2 to 8 ranks, each a
node of its own, and compares them with the model of docs/upc.md: functions of the number of ranks n."""
import os
import re
import subprocess
import sys

PATIENCE = float(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds until a program counts as hung
RANKS = (2, 3, 8)
FEW, MANY = 3, 8  # repetitions; in their difference, start and end cancel out
KINDS = ("gets", "puts", "messages", "questions", "answers")


def log2(n):
    return (n - 1).bit_length()


def meet(n):
    return n * log2(n)


# For one operation of each thread, summed over all threads: gets, puts, messages, questions, answers.
MODEL = {
    "barrier": lambda n: (0, 0, meet(n), 0, 0),
    "lock": lambda n: (0, 0, n, n, n),
    "atomic": lambda n: (0, 0, 0, n - 1, n - 1),
    "alloc": lambda n: (0, 0, 2 * meet(n), 0, 0),
    "broadcast": lambda n: (n - 1, 0, 2 * meet(n) + n - 1, 0, 0),
    "scatter": lambda n: (n - 1, 0, 2 * meet(n), 0, 0),
    "gather": lambda n: (0, n - 1, 2 * meet(n), 0, 0),
    "gather_all": lambda n: (n * (n - 1), 0, 2 * meet(n) + meet(n), 0, 0),
    "exchange": lambda n: (n * (n - 1), 0, 2 * meet(n), 0, 0),
    "reduce": lambda n: (0, 0, 2 * meet(n) + n - 1, 0, 0),
}
# Connections of the thread that has the most: barriers have log2(n) partners, trees as many in each direction.
MOST_CONNECTIONS = {"barrier": log2, "reduce": lambda n: 2 * log2(n), "broadcast": lambda n: 3 * log2(n)}


def run_counted(launch, program, ranks, arguments, node_size=1):
    environment = dict(os.environ, UPC_NODE_SIZE=str(node_size), UPC_NETWORK_COUNTS="1", UCX_TLS="tcp,self")
    command = [word.replace("RANKS", str(ranks)) for word in launch]
    run = subprocess.run(command + [program] + arguments, env=environment, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
    lines = re.findall(r"(\d+) gets, (\d+) puts, (\d+) messages, (\d+) questions, (\d+) answers, \d+ fences, "
                       r"(\d+) connections, \d+ polls by its thread, (\d+) values of the launcher", run.stdout)
    if run.returncode != 0 or len(lines) != ranks:
        sys.exit(f"{' '.join(arguments)} on {ranks} ranks: status {run.returncode}\n{run.stdout}")
    return [tuple(map(int, line)) for line in lines]


def counts(launch, program, ranks, operation, repetitions):
    lines = run_counted(launch, program, ranks, [operation, str(repetitions)])
    return [sum(line[i] for line in lines) for i in range(5)], max(line[5] for line in lines)


def check_start(launch, program):
    """Rank 0 reads the place of each rank; all others read the nodes, and, unless first in its node, the first one's
    place."""
    good = True
    for n in RANKS:
        for node_size in (1, 2, 3):
            if n <= node_size:
                continue  # one node: no network, whose counts could be printed
            lines = run_counted(launch, program, n, ["barrier", "1"], node_size)
            read, nodes = sum(line[6] for line in lines), -(-n // node_size)
            expected = 2 * (n - 1) + n - nodes
            if read != expected:
                print(f"FAILED: the start of {n} ranks on {nodes} nodes: {read} values read, not {expected}")
                good = False
    return good


def main():
    program, launch = sys.argv[1], sys.argv[2:]
    failed = not check_start(launch, program)
    for operation, model in MODEL.items():
        for n in RANKS:
            few, _ = counts(launch, program, n, operation, FEW)
            many, connections = counts(launch, program, n, operation, MANY)
            counted = tuple((b - a) / (MANY - FEW) for a, b in zip(few, many))
            if counted != tuple(map(float, model(n))):
                print(f"FAILED: {operation} on {n} ranks: {counted}, not {model(n)}: {', '.join(KINDS)}")
                failed = True
            most = MOST_CONNECTIONS.get(operation, lambda n: n)(n)
            if connections > most:
                print(f"FAILED: {operation} on {n} ranks: {connections} connections, more than {most}")
                failed = True
    sys.exit(failed)


main()

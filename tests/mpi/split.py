# SPDX-License-Identifier: BSD-3-Clause
"""split.py JSON OUTPUT CONDITION: transfer and serialization of an exported measurement, of a program that printed "own US",
what its ranks spent outside of exchanges, and "main US", the longest time in main. In the condition, in seconds: E elapsed, I
on an ideal network, M of the rank with most outside of exchanges, own, main, and outside, what is before and after main."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    of = json.load(file)["efficiency"]
with open(sys.argv[2], encoding="utf-8") as file:
    said = dict(line.split() for line in file if len(line.split()) == 2)
network = of["network"]
product = network["transfer"] * network["serialization"]
assert abs(product - of["factors"]["communication"]) < 1e-5, (product, of["factors"])
E, I = of["elapsed_ns"] / 1e9, network["ideal_ns"] / 1e9
M = I * network["serialization"]
assert abs(I / E - network["transfer"]) < 1e-4, (I, E, network)
own, main = int(said["own"]) / 1e6, int(said["main"]) / 1e6
outside = E - main
print("E", E, "I", I, "M", M, "own", own, "main", main)
assert eval(sys.argv[3]), sys.argv[3]

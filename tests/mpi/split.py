# SPDX-License-Identifier: BSD-3-Clause
"""split.py JSON CONDITION: transfer and serialization of an exported measurement. In the condition, in seconds: E elapsed,
I on an ideal network, M of the rank with most outside of exchanges."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    of = json.load(file)["efficiency"]
network = of["network"]
product = network["transfer"] * network["serialization"]
assert abs(product - of["factors"]["communication"]) < 1e-5, (product, of["factors"])
E, I = of["elapsed_ns"] / 1e9, network["ideal_ns"] / 1e9
M = I * network["serialization"]
assert abs(I / E - network["transfer"]) < 1e-4, (I, E, network)
print("E", E, "I", I, "M", M)
assert eval(sys.argv[2]), sys.argv[2]

# SPDX-License-Identifier: BSD-3-Clause
"""pairs.py JSON RANK: prints lines KIND PARTNER MESSAGES BYTES of an exported measurement, as known.h does."""
import collections
import json
import sys

messages, size = collections.Counter(), collections.Counter()
with open(sys.argv[1], encoding="utf-8") as file:
	for row in json.load(file)["exchanges"]:
		if row["rank"] == int(sys.argv[2]) and row["kind"] in ("sent", "received", "put", "got"):
			messages[row["kind"], row["partner"]] += row["messages"]
			size[row["kind"], row["partner"]] += row["bytes"]
for pair, count in messages.items():
	print(*pair, count, size[pair])

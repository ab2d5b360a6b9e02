# SPDX-License-Identifier: BSD-3-Clause
# offsets.py check SKEWS FILE...  compares the offsets in trace files (hostN in their names) with the truth: SKEWS has
#                                 "SECONDS:PPM" for each host from 0 on; of those that are ahead, one file has two at least
# offsets.py strip FILE...        removes the offsets
import pathlib
import re
import struct
import sys

HEADER = struct.Struct("<IHHIIQQQQQII")
OFFSET = 5


def chunks(data):
    at = 0
    while at < len(data):
        header = HEADER.unpack_from(data, at)
        length = HEADER.size + header[4]
        yield header[2], data[at : at + length]
        at += length


def offsets(data):
    for kind, chunk in chunks(data):
        if kind == OFFSET:
            yield from struct.iter_unpack("<QqQ", chunk[HEADER.size :])


def host(path):
    return int(re.search(r"\.host(\d+)\.", path.name)[1])


def check(skews, paths):
    """The first host has no skew: its clock is the truth."""
    wrong = 0
    most = dict.fromkeys(map(host, paths), 0)
    for path in paths:
        seconds, ppm = skews[host(path)]
        found = list(offsets(path.read_bytes()))
        for at, offset, error in found:
            shown = at - seconds * 10**9
            truth = shown * 10**6 // (10**6 + ppm) - at
            good = abs(offset - truth) <= error + 2  # rounding
            wrong += not good
            print(f"  host {host(path)}: offset {offset}, true {truth}, bound {error} ns{'' if good else ': WRONG'}")
        most[host(path)] = max(most[host(path)], len(found))
    for number, count in most.items():
        if skews[number][0] and count < 2:
            print(f"  host {number}: {count} offsets, not 2")
            wrong += 1
    return wrong


def strip(paths):
    for path in paths:
        data = path.read_bytes()
        path.write_bytes(b"".join(chunk for kind, chunk in chunks(data) if kind != OFFSET))
    return 0


if sys.argv[1] == "check":
    skews = [tuple(int(part) for part in skew.split(":")) for skew in sys.argv[2].split()]
    sys.exit(check(skews, [pathlib.Path(name) for name in sys.argv[3:]]) != 0)
sys.exit(strip([pathlib.Path(name) for name in sys.argv[2:]]))

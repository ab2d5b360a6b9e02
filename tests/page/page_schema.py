#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_schema.py TYPES ROOT PAGE...: checks that the data of each page has the type ROOT of a file of TypeScript types
(html/src/stored.ts): all members, no others, and each with its type. It understands interfaces, aliases, objects,
arrays, tuples, index signatures, `| null`, number, string and boolean."""
import base64
import gzip
import json
import re
import sys



class Types:
    def __init__(self, text):
        text = re.sub(r"//[^\n]*", "", text)
        self.tokens = re.findall(r"[A-Za-z_]\w*|'[^']*'|\[\]|[{}\[\]:;,|=?]", text)
        self.named = {}
        rest = re.sub(r"[A-Za-z_]\w*|'[^']*'|\[\]|[{}\[\]:;,|=?]|\s", "", text)
        if rest:
            sys.exit("%s: not understood: %s" % (sys.argv[1], rest[:20]))
        while self.tokens:
            self.take("export")
            kind, name = self.tokens.pop(0), self.tokens.pop(0)
            if kind == "type":
                self.take("=")
            self.named[name] = self.read_type()
            if kind == "type":
                self.take(";")

    def take(self, token):
        got = self.tokens.pop(0)
        if got != token:
            sys.exit("%s: '%s' instead of '%s' before: %s" % (sys.argv[1], got, token, " ".join(self.tokens[:8])))

    def read_type(self):
        found = self.read_one()
        while self.tokens and self.tokens[0] in ("[]", "|"):
            if self.tokens.pop(0) == "[]":
                found = ("array", found)
            else:
                found = ("either", found, self.read_one())
        return found

    def read_one(self):
        token = self.tokens.pop(0)
        if token == "[":
            parts = []
            while self.tokens[0] != "]":
                parts.append(self.read_type())
                if self.tokens[0] == ",":
                    self.tokens.pop(0)
            self.take("]")
            return ("tuple", parts)
        if token != "{":
            return ("name", token)
        if self.tokens[0] == "[":
            self.take("[")
            self.tokens.pop(0)
            self.take(":")
            self.take("string")
            self.take("]")
            self.take(":")
            values = self.read_type()
            if self.tokens[0] == ";":
                self.tokens.pop(0)
            self.take("}")
            return ("map", values)
        members = {}
        while self.tokens[0] != "}":
            name = self.tokens.pop(0).strip("'")
            optional = self.tokens[0] == "?"
            if optional:
                self.tokens.pop(0)
            self.take(":")
            members[name] = (self.read_type(), optional)
            if self.tokens[0] == ";":
                self.tokens.pop(0)
        self.take("}")
        return ("object", members)

    def faults(self, is_of, value, path):
        kind = is_of[0]
        if kind == "name" and is_of[1] in self.named:
            return self.faults(self.named[is_of[1]], value, path)
        if kind == "name":
            fits = {"number": isinstance(value, (int, float)) and not isinstance(value, bool),
                    "string": isinstance(value, str), "boolean": isinstance(value, bool), "null": value is None}
            if is_of[1] not in fits:
                return ["type %s is not described" % is_of[1]]
            return [] if fits[is_of[1]] else ["%s is no %s: %.40s" % (path, is_of[1], json.dumps(value))]
        if kind == "either":
            first = self.faults(is_of[1], value, path)
            return first and (self.faults(is_of[2], value, path) and first)
        if kind in ("array", "tuple"):
            if not isinstance(value, list):
                return ["%s is no array" % path]
            if kind == "tuple" and len(value) != len(is_of[1]):
                return ["%s has %d parts instead of %d" % (path, len(value), len(is_of[1]))]
            types = is_of[1] if kind == "tuple" else [is_of[1]] * len(value)
            return [fault for i, (one, part) in enumerate(zip(types, value))
                    for fault in self.faults(one, part, "%s[%d]" % (path, i))]
        if not isinstance(value, dict):
            return ["%s is no object" % path]
        if kind == "map":
            return [fault for name, part in value.items() for fault in self.faults(is_of[1], part, path + "." + name)]
        found = ["%s.%s is not described" % (path, name) for name in value if name not in is_of[1]]
        for name, (one, optional) in is_of[1].items():
            if name in value:
                found += self.faults(one, value[name], path + "." + name)
            elif not optional:
                found.append("%s.%s is missing" % (path, name))
        return found


types = Types(open(sys.argv[1], encoding="utf-8").read())
root = ("name", sys.argv[2])
bad = False
for page in sys.argv[3:]:
    data = re.search(r'<script id="data" type="text/plain">([^<]*)</script>', open(page, encoding="utf-8").read())
    document = json.loads(gzip.decompress(base64.b64decode(data[1])))
    faults = types.faults(root, document, sys.argv[2])
    for fault in faults[:10]:
        print("%s: %s" % (page, fault))
    # The check itself finds a member that is not described, and one that is missing.
    more = dict(document, more_than_that=1)
    less = {name: value for name, value in document.items() if name != "writer"}
    if len(types.faults(root, more, "")) != len(faults) + 1 or len(types.faults(root, less, "")) != len(faults) + 1:
        sys.exit("the check itself is broken")
    bad = bad or faults
sys.exit(bool(bad))

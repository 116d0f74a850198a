# SPDX-License-Identifier: BSD-2-Clause
"""callgrind.py FILE            reads a callgrind.out, and prints its total, which is that of all self costs
callgrind.py FILE OTHER PART  compares two files: for the functions whose source file ends in PART, prints each
                              difference of self costs, calls and edges, and then how many were equal"""
import collections
import re
import sys


class Profile:
    def __init__(self, path):
        self.names = {}
        self.own, self.calls, self.edges = (collections.Counter() for _ in range(3))
        self.files = {}
        self.total = None
        self.function = self.callee = self.file = None
        self.is_call = False
        with open(path, encoding="utf-8") as f:
            for line in f:
                self.read(line.rstrip("\n"))

    def name(self, kind, text):
        number, name = re.fullmatch(r"(?:\((\d+)\))? ?(.*)", text).groups()
        if number and name:
            self.names[kind, number] = name
        return name or self.names[kind, number]

    def read(self, line):
        key = re.match(r"(\w+)=(.*)", line)
        if key:
            self.read_key(*key.groups())
        elif line.startswith("totals:"):
            self.total = int(line.split()[1])
        elif re.match(r"[+*-]?\d* .*\d$", line) and self.function:
            self.read_cost(int(line.split()[1]))

    def read_key(self, key, value):
        if key in ("fl", "fi", "fe", "cfi", "cfl"):
            value = self.name("file", value)
            self.file = value if key == "fl" else self.file
        elif key in ("ob", "cob"):
            self.name("object", value)
        elif key == "fn":
            self.function = self.name("function", value)
            self.files[self.function] = self.file
        elif key == "cfn":
            self.callee = self.name("function", value)
        elif key == "calls":
            self.calls[self.callee] += int(value.split()[0])
            self.is_call = True

    def read_cost(self, cost):
        if self.is_call:
            self.edges[self.function, self.callee] += cost
        else:
            self.own[self.function] += cost
        self.is_call = False


def main():
    one = Profile(sys.argv[1])
    assert sum(one.own.values()) == one.total, (sum(one.own.values()), one.total)
    if len(sys.argv) == 2:
        print(one.total)
        return
    other = Profile(sys.argv[2])
    mine = {f for f, path in one.files.items() if path.endswith(sys.argv[3])}
    equal = 0
    for table in "own", "calls", "edges":
        a, b = getattr(one, table), getattr(other, table)
        for key in sorted(a.keys() | b.keys(), key=str):
            if not (set(key) if table == "edges" else {key}) <= mine:
                continue
            equal += a[key] == b[key]
            if a[key] != b[key]:
                print(table, key, a[key], b[key])
    print(equal, "equal")


main()

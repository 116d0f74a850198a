# SPDX-License-Identifier: BSD-2-Clause
# checks.py - how checks of a test in Python are told, in the form of those of a test's script (_lib.sh).
import sys


class Checks:
    def __init__(self, name, lines=slice(-12, None)):
        self.name = name
        self.lines = lines  # that are shown of each text that tells why a check failed
        self.failures = 0

    def ok(self, what):
        print("ok - %s: %s" % (self.name, what), flush=True)

    def not_ok(self, what, *said):
        self.failures += 1
        print("not ok - %s: %s" % (self.name, what))
        for text in said:
            for line in str(text).splitlines()[self.lines]:
                print("    " + line[:200])
        sys.stdout.flush()

    def skip(self, what, why):
        print("skip - %s: %s: %s" % (self.name, what, why), flush=True)

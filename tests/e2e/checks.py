# SPDX-License-Identifier: BSD-2-Clause
# checks.py - reports the checks of tests in Python in the form that _lib.sh gives those of shell scripts.
import sys


class Checks:
    def __init__(self, name, lines=slice(-12, None)):
        self.name = name
        self.lines = lines  # lines shown of each text that explains a failed check
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

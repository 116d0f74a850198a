# SPDX-License-Identifier: BSD-2-Clause
"""Is this a file by speedscope's file-format schema? What the schema asks of profiles of type
"sampled", checked by hand: required keys and no others, types, units, and what it can not say
(indices inside of the list of frames, as many weights as samples, ends that fit). Prints each
profile's name and ok; anything wrong ends it with an exception."""
import json
import sys

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}


def keys(thing, required, optional=()):
    assert required <= thing.keys() <= required | set(optional), sorted(thing.keys())


def frame(f):
    keys(f, {"name"}, {"file", "line", "col"})
    assert isinstance(f["name"], str) and f["name"]
    assert isinstance(f.get("file", ""), str) and isinstance(f.get("line", 1), int)


def profile(p, nframes):
    keys(p, {"type", "name", "unit", "startValue", "endValue", "samples", "weights"})
    assert p["type"] == "sampled" and p["unit"] in UNITS
    assert len(p["samples"]) == len(p["weights"]) > 0
    for stack in p["samples"]:
        assert stack and all(isinstance(i, int) and 0 <= i < nframes for i in stack)
    assert all(isinstance(w, int) and w > 0 for w in p["weights"])
    assert p["endValue"] - p["startValue"] == sum(p["weights"])
    return p["name"] + ": ok"


with open(sys.argv[1], encoding="utf-8") as f:
    root = json.load(f)
keys(root, {"$schema", "shared", "profiles"}, {"name", "exporter", "activeProfileIndex"})
assert root["$schema"] == SCHEMA
keys(root["shared"], {"frames"})
for f in root["shared"]["frames"]:
    frame(f)
assert 0 <= root["activeProfileIndex"] < len(root["profiles"])
print(", ".join(sorted(profile(p, len(root["shared"]["frames"])) for p in root["profiles"])))

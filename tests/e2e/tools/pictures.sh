# SPDX-License-Identifier: BSD-2-Clause
# `make pictures`: the recording and the picture of the terminal are what the commands print today, but for figures
# that depend on the host's libraries.
. "$(dirname "$0")/../_lib.sh"

if ! command -v git >/dev/null || ! command -v gcc >/dev/null; then
	skip "the recording" "no git or no gcc here"
	exit 0
fi
scripts/pictures "$dir" >"$dir/log" 2>&1
is "a recording: status" "$? $(cat "$dir/log")" "0 "
scripts/pictures "$dir" >"$dir/log" 2>&1
# Figures, hashes and the blanks of columns may differ, and so a row's width.
shape() { sed -E 's/\b[0-9a-f]{12}\b/N/g; s/[+-]?[0-9][0-9,.]*/N/g; s/ +/ /g' "$1"; }
for file in perf0.cast terminal.svg gate.svg stick.svg; do
	shape "$dir/$file" >"$dir/now"
	shape "docs/pictures/$file" >"$dir/committed"
	is "$file is what the commands print" "$(diff "$dir/committed" "$dir/now" | head -n 6)" ""
done
python3 - "$dir/perf0.cast" >"$dir/checks" <<'CHECK' || failures=1
import json, re, sys
head, *events = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
def told(well, what, *seen):
    print("ok" if well else "not ok", "- pictures:", what, *seen)
    return well
text = "".join(event[2] for event in events)
lines = re.sub(r"\x1b\[[0-9;]*m", "", text).split("\r\n")
good = [
    told(head["version"] == 2 and head["width"] > 0 and head["height"] > 0, "the head of an asciicast 2", head),
    told(all(len(e) == 3 and e[1] == "o" for e in events), "events are outputs"),
    told(all(a[0] <= b[0] for a, b in zip(events, events[1:])), "time goes on"),
    told(max(map(len, lines)) <= head["width"], "lines fit", max(map(len, lines))),
    told("\n" not in text.replace("\r\n", ""), "each line begins at the left"),
    told(text.count("$\x1b[0m ") == 6, "six commands", text.count("$\x1b[0m ")),
    told(any(re.match(r"sort 1000 .* worse$", line) for line in lines), "the gate fails"),
    told(any(re.match(r"sort 1000 .*  [0-9a-f]{12}: \+", line) for line in lines), "the report names a commit"),
]
sys.exit(not all(good))
CHECK
cat "$dir/checks"
finish

# SPDX-License-Identifier: BSD-2-Clause
"""history.py PAGE COMMIT2 COMMIT4 FIRST LAST - looks at a page of `perf0 report`, for history.sh."""
import re
import sys
import xml.etree.ElementTree as tree

HTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
path, commit2, commit4, first, last = sys.argv[1:]
failed = 0


def told(well, what, *seen):
    global failed
    print(("ok" if well else "not ok") + " - history: " + what)
    if not well:
        failed = 1
        print("\n".join(f"    {line}" for line in seen))


with open(path, encoding="utf-8") as file:
    text = file.read()
page = tree.fromstring(text)
tables = page.findall(f".//{HTML}table")
rows = [[["".join(cell.itertext()) for cell in row] for row in table.findall(f"{HTML}tbody/{HTML}tr")] for table in tables]
title = page.findtext(f"{HTML}head/{HTML}title")
told(title == "History: 2 benchmarks over 4 versions, 1 moved", "title", title)
told(not re.search(r"<script|https?://(?!example\.org|www\.w3\.org)|url\((?!#)", text), "no script, no network")
moved, versions, same, every = rows
told([row[0] for row in moved] == ["grows"] and [row[0] for row in same] == ["same"], "what moved, and what did not", moved, same)
told(len(every) == 4, "all events of all benchmarks", every)
told([[row[3].replace(",", ""), row[4].replace(",", "")] for row in every if row[:2] == ["grows", "instructions:u"]] == [[first, last]],
     "the counts are those of the files", every)
told([(row[0][:12], row[1], row[2]) for row in versions] == [(commit4[:12], "1", "0"), (commit2[:12], "1", "0")],
     "versions that moved benchmarks, newest first", versions)
links = {a.get("href") for a in page.iter(f"{HTML}a")}
told(links == {"https://example.org/c/" + c for c in (commit2, commit4)}, "links to commits", *links)
lines = page.findall(f".//{SVG}svg")
told(all(line.get("role") == "img" and line.get("aria-label") for line in lines), "each line has a text", len(lines))
dots = [dot for dot in lines[0].iter(f"{SVG}circle")]
told(len(dots) == 4 and [dot.get("r") for dot in dots].count("4") == 1, "a dot for each version, a large one for the step")
heights = [float(dot.get("cy")) for dot in sorted(dots, key=lambda dot: float(dot.get("cx")))]
told(heights == sorted(heights, reverse=True) and heights[2] == heights[3] < heights[1] < heights[0], "the line rises", *heights)
sys.exit(failed)

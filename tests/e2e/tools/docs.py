# SPDX-License-Identifier: BSD-2-Clause
"""docs.py DIR SECONDS [DOCUMENT...] - checks what README.md, CONTRIBUTING.md, docs/*.md and the README.md of
each room say, from the root of the tree, with DIR for scratch files and SECONDS for each machine that is
booted. With DOCUMENTs only their commands are run; commands of rooms are not.

Fenced blocks: in `console` each line after "$ " is a command, and the other lines are what it prints: they
must come in that order, other lines may stand between them. Figures may differ, but counts that
are exact (EXACT) may not, unless they were scaled. In `sh` each line is a command. No other block may have one.
A comment on the line before a block changes that:
    <!-- status N -->               its commands end with that exit status, not with 0
    <!-- ...; pictured in FILE -->  behind any other note, or alone: the texts of FILE, which is SVG, are
                                    in what the last command prints
    <!-- not run: WHY -->           they cannot be run here
    <!-- needs TOOL -->             they are run where TOOL is, a program or one of Debian's packages
    <!-- run as COMMAND: WHY -->    COMMAND is run in the place of the block's one command
"""
import functools
import glob
import html
import os
import re
import shutil
import subprocess
import sys

FOLDERS = "apps arch bench boot ci docs include lib linux pmu rb rt scripts tests tools vpmu".split()
MACHINE = "run stat record caps top".split()
COMMAND = re.compile(r"\s*(\$ |build/perf0 |perf0 [a-z]|make [a-z]|gcc |scripts/\w+( |$)|perf (report|script|stat))")
ADDRESS = re.compile(r"\b(0x)?[0-9a-f]{9,}\b")
NUMBER = re.compile(r"0x[0-9a-f]+|[0-9][0-9,.]*")
EXACT = [re.compile(row) for row in (
    r"\s*([0-9,]+)\s+(instructions:u|branches:u|page-faults|context-switches)\b(?!.*%\))",  # stat, results
    r"\s*([0-9]+),[^,]*,(instructions:u|branches:u|page-faults|context-switches),",  # stat -x
    r"((?:\s*[0-9.]+\s){4,})\s*(instructions|branches)$",  # bench
    r'".*",([0-9]+),(instructions|branches|mem_inst_retired\.[a-z_]+),([0-9.,]+)$',  # bench --trace -x
)]

scratch, patience = os.path.abspath(sys.argv[1]), sys.argv[2]
documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"] + sorted(glob.glob("docs/*.md"))
files = [os.path.join(at, name) for folder in FOLDERS for at, _, names in os.walk(folder) for name in names]
failed = 0


def is_installed(tool):
    """A program, or one of Debian's packages."""
    if shutil.which(tool):
        return True
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", tool], capture_output=True, text=True,
                           check=False) if shutil.which("dpkg-query") else None
    return bool(asked) and asked.stdout == "installed"


def told(well, what, *seen):
    global failed
    print(("ok" if well else "not ok") + " - docs: " + what, flush=True)
    if not well:
        failed += 1
        for line in seen[:20]:
            print("    " + line)


class Block:
    def __init__(self, where, kind, note):
        self.where, self.kind, self.note, self.lines = where, kind, note, []

    def commands(self):
        """Pairs of a command and the lines that it prints."""
        found, going_on = [], False
        for line in self.lines:
            if going_on:
                found[-1][0] += " " + line.strip()
            elif self.kind == "sh" and line.strip() and not line.startswith("#"):
                found.append([line, []])
            elif self.kind == "console" and line.startswith("$ "):
                found.append([line[2:], []])
            elif self.kind == "console" and found:
                found[-1][1].append(line)
            going_on = going_on and line.endswith("\\") or bool(
                found and not found[-1][1] and found[-1][0].endswith("\\"))
            if going_on:
                found[-1][0] = found[-1][0].rstrip("\\").rstrip()
        return found


def blocks(document):
    found, inside, before = [], None, ""
    with open(document, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            line = line.rstrip("\n")
            if not line.lstrip().startswith("```"):
                if inside:
                    inside.lines.append(line)
                before = line
            elif inside:
                inside = None
            else:
                note = re.fullmatch(r"<!-- (.*) -->", before)
                inside = Block(f"{document}:{number}", line.strip()[3:], note.group(1) if note else "")
                found.append(inside)
    return found


def place(document):
    """A folder in which the tree's own paths hold, and machines get the time that they need."""
    at = os.path.join(scratch, os.path.basename(document))
    os.makedirs(at + "/build")
    for name in FOLDERS + ["Makefile"]:
        os.symlink(os.path.abspath(name), f"{at}/{name}")
    for name in os.listdir("build"):
        if name not in ("perf0", "demo", "test"):
            os.symlink(os.path.abspath("build/" + name), f"{at}/build/{name}")
    with open(at + "/build/perf0", "w") as tool:
        tool.write(f"""#!/bin/sh
case $1 in
{"|".join(MACHINE)}) c=$1; shift; exec '{os.path.abspath("build/perf0")}' $c --machine-timeout {patience} "$@" ;;
esac
exec '{os.path.abspath("build/perf0")}' "$@"
""")
    os.chmod(at + "/build/perf0", 0o755)
    return at


def shape(line):
    """Without figures, addresses, widths of columns, the folder that the example ran in, and the part of
    another's program that has most of a difference, as its version decides."""
    line = ADDRESS.sub("N", re.sub(r"/[\w./-]*/", "/", line))
    line = re.sub(r"(most of it in) \[\S+\]", r"\1 N", line)
    return " ".join(NUMBER.sub("N", line).split())


def figures(row, line):
    """Of a line that has exact ones, they and what they are of."""
    found = row.match(line)
    return found and [" ".join(group.split()) for group in found.groups()]


def is_shown(shown, line):
    if any(figures(row, shown) not in (None, figures(row, line)) for row in EXACT):
        return False
    return shape(shown) == shape(line)


def missing(shown, output):
    """The first line of `shown` that does not come in its turn."""
    rest = iter(output)
    for line in shown:
        if line.strip() not in ("", "...") and not any(is_shown(line, got) for got in rest):
            return line
    return None


def pictured(picture):
    """What a picture shows, but its title (scripts/text-picture), a line each."""
    with open(picture, encoding="utf-8") as text:
        texts = re.findall(r"<text (?![^>]*class=\"title\")[^>]*>([^<]*)</text>", text.read())
    return [shape(html.unescape(text)) for text in texts if text.strip()]


def check_picture(block, picture, output):
    """A line of a diff has its number in the picture, and an error its name."""
    printed = shape(" ".join(output).replace("%25", "%"))
    absent = [line for line in pictured(picture) if re.sub(r"^(N |Error: )", "", line) not in printed]
    told(not absent, f"{block.where}: prints what {picture} shows", *absent)


def run(block, at, command, shown, status):
    # Examples of `perf0 cache` get a cache of their own, so that they do not clean the cache of other tests.
    own = {"XDG_CACHE_HOME": f"{at}/cache"} if "perf0 cache" in command else {}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=at, env={**os.environ, **own},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode("utf-8", "replace").split("\n")
    what = f"{block.where}: {command}"
    told(done.returncode == status, what, f"status {done.returncode}, not {status}", *output[-10:])
    if any(line.strip() not in ("", "...") for line in shown):
        line = missing(shown, output)
        told(line is None, f"{what}: prints what is shown", f"no line: {line}", *output)
    return output


def run_block(block, at):
    commands = block.commands()
    if block.kind not in ("sh", "console"):
        stray = [line for line in block.lines if COMMAND.match(line)]
        told(not stray, f"{block.where}: no command line that is not run", *stray)
        return
    told(bool(commands), f"{block.where}: there are command lines")
    picture = re.search(r"(?:^|; )pictured in (\S+)$", block.note)
    note = block.note[:picture.start()] if picture else block.note
    reason = re.fullmatch(r"not run: (.+)", note)
    instead = re.fullmatch(r"run as (.+?): .+", note)
    status = re.fullmatch(r"status (\d+)", note)
    needs = re.fullmatch(r"needs (\S+)", note)
    told(not note or bool(reason or instead or status or needs), f"{block.where}: its note is understood", block.note)
    if needs and not is_installed(needs.group(1)):
        print(f"skip - docs: {block.where}: no {needs.group(1)} here", flush=True)
        return
    for command, shown in commands:
        if reason:
            print(f"# not run: {block.where}: {command}: {reason.group(1)}")
        else:
            output = run(block, at, instead.group(1) if instead else command, shown, int(status.group(1)) if status else 0)
    if picture and not reason:
        check_picture(block, picture.group(1), output)


def is_there(path, document):
    path = re.sub("NAME|ROOM", "*", path.rstrip("/."))  # what the reader is to fill in
    return any(glob.glob(p) for p in (path, path + ".c", path + ".h", os.path.join(os.path.dirname(document), path)))


@functools.lru_cache()
def words():
    """All that occur in the sources."""
    found = set()
    for path in files:
        if path.endswith((".c", ".h", ".S")):
            with open(path, encoding="utf-8") as text:
                found.update(re.findall(r"\w+", text.read()))
    return found


def named(document):
    """Paths, names of files and functions, and links: what is named and is not there."""
    with open(document, encoding="utf-8") as text:
        text = re.sub(r"<!--.*?-->", "", text.read(), flags=re.S)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))
    absent = []
    paths = re.findall(r"(?<![\w./<-])((?:%s)/[\w.*/-]+)" % "|".join(FOLDERS), text)
    paths += [s for s in spans if re.fullmatch(r"[\w-]+/[\w.*/-]+", s) and s.split("/")[0] in FOLDERS]
    absent += [p for p in paths if not is_there(p, document)]
    names = {os.path.basename(f) for f in files}
    absent += [s for s in spans
               if re.fullmatch(r"[\w-]+\.[chS]", s) and s not in names and "NAME" not in s and not glob.glob("/usr/include/*/" + s)]
    absent += [link for link in re.findall(r"\]\(([^)#:]+)\)", text)
               if not os.path.exists(os.path.join(os.path.dirname(document), link))]
    for name in {m.group(1) for s in spans for m in [re.match(r"(\w+)\(\)?", s)] if m and len(m.group(1)) > 3}:
        if name not in words():
            absent.append(name + "()")
    return sorted(set(absent))


def check_names():
    of_rooms = [f for f in sorted(files) if os.path.basename(f) == "README.md"]
    for document in documents + of_rooms:
        absent = named(document)
        told(not absent, f"{document}: what it names is there", *absent)
    rooms = subprocess.run(["scripts/rooms"], capture_output=True, text=True)
    told(rooms.returncode == 0, "rooms, their table and their picture", *rooms.stdout.splitlines())
    with open("README.md", encoding="utf-8") as text:
        text = text.read()
    absent = [d for d in documents[1:] if f"({d})" not in text]
    told(not absent, "README.md: leads to every document", *absent)


check_names()
for document in sys.argv[3:] or documents:
    at = place(document)
    for block in blocks(document):
        run_block(block, at)
sys.exit(failed != 0)

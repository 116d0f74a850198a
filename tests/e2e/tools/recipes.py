# SPDX-License-Identifier: BSD-2-Clause
"""recipes.py DIR DOCUMENT - runs the workflows of DOCUMENT: what their lines `run:` and `script:` say, in a copy of
tests/linux/own in DIR, by DIR/bin/perf0 and Debian's programs.

    <!-- recipe in FOLDER[; before: COMMAND] -->    before a block `yaml`: where its lines run, and what runs before
    <!-- file NAME -->                              before any other block: a file of the project
    <!-- tried by TEST -->                          before a block `yaml` that is no workflow by itself

The block `text` behind a workflow is what it prints: these lines come in that order, other lines may stand between
them, and figures and paths may differ. A line whose tool is not there is not run, and that is told.
"""
import functools
import os
import re
import shutil
import subprocess
import sys

import yaml

LINES_MOST = 15
CACHE_VARIABLES = {"XDG_CACHE_HOME", "PERF0_CACHE_KEY"} # a test has the machines of all tests
MERGE_REQUEST = {"GITHUB_BASE_REF": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD^", "GIT_AUTHOR_NAME": "a",
                 "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a"}
SET_UP = re.compile(r"apt-get -q update && apt-get -qy install ([\w+. -]+)"
                    r"|git clone -q (\S+|\$\{\{ vars\.PERF0 \}\}) (/perf0) && make -C /perf0 install")
USES = {"actions/checkout@v4", "actions/cache@v4"}

scratch, document = os.path.abspath(sys.argv[1]), sys.argv[2]
soaking = bool(os.environ.get("PERF0_SOAK"))
failed = 0


def told(well, what, *seen):
    global failed
    print(("ok" if well else "not ok") + " - recipes: " + what, flush=True)
    if not well:
        failed += 1
        for line in seen[:30]:
            print("    " + line)


def blocks():
    """Its fenced blocks: (heading, kind, note, text)."""
    heading, note, begun, inside = "", "", "", None
    with open(document, encoding="utf-8") as text:
        for line in text:
            if inside is None and line.startswith("```"):
                inside = (heading, line[3:].strip(), note, [])
            elif line.startswith("```"):
                yield inside[:3] + ("".join(inside[3]),)
                inside, note = None, ""
            elif inside is not None:
                inside[3].append(line)
            else:
                heading = line[3:].strip() if line.startswith("## ") else heading
                begun = f"{begun} {line.strip()}".strip() if begun or line.startswith("<!--") else ""
                comment = re.fullmatch(r"<!-- (.*) -->", begun)
                note = comment.group(1) if comment else ""
                begun = "" if comment else begun


class Recipe:
    def __init__(self, heading, note, text):
        place = re.fullmatch(r"recipe in (\S+?)(?:; before: (.+))?", note)
        self.heading, self.text, self.shown = heading, text, ""
        self.folder, self.before = place.groups() if place else (None, None)


def all_recipes(project):
    found = []
    for heading, kind, note, text in blocks():
        if note.startswith("tried by "):
            told(os.path.exists("tests/e2e/tools/" + note[9:]), f"{heading}: there is a test {note[9:]}")
        elif kind == "yaml":
            found.append(Recipe(heading, note, text))
        elif kind == "text" and found:
            found[-1].shown = text
        elif note.startswith("file "):
            os.makedirs(os.path.dirname(f"{project}/{note[5:]}"), exist_ok=True)
            with open(f"{project}/{note[5:]}", "w", encoding="utf-8") as file:
                file.write(text)
    return found


def steps_of(recipe, tree):
    """Its command lines, and their environment. GitHub's form has jobs, GitLab's has none."""
    if "jobs" not in tree:
        (job,) = tree.values()
        return job["before_script"] + job["script"], job.get("variables", {}), job["image"]
    (job,) = tree["jobs"].values()
    uses = {step["uses"] for step in job["steps"] if "uses" in step}
    told(uses <= USES and "actions/checkout@v4" in uses, f"{recipe.heading}: the actions it uses", *uses)
    return [step["run"] for step in job["steps"] if "run" in step], job.get("env", {}), job["container"]


@functools.lru_cache()
def is_package(name):
    """Of Debian's: one that is installed, or that could be."""
    return any(not subprocess.run([*ask, name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
               for ask in (("dpkg", "-s"), ("apt-cache", "show")))


def set_up(recipe, command, env):
    """In `make soak` what is cloned and installed is this tree, into DIR."""
    packages = SET_UP.fullmatch(command).group(1)
    if packages:
        for name in packages.split():
            told(is_package(name), f"{recipe.heading}: {name} is a package of Debian's")
    elif soaking and not os.path.exists(f"{scratch}/perf0"):
        command = re.sub(r"\$\{\{ vars\.PERF0 \}\}|\$PERF0", os.getcwd(), command).replace("/perf0", scratch + "/perf0", 1)
        run(recipe, command.replace(" /perf0", f" {scratch}/perf0"), scratch,
            {**env, "MAKEFLAGS": f"-- DESTDIR={scratch} PREFIX="})


def tool_of(command):
    return re.match(r"[\w.-]+", command).group(0)


def run(recipe, command, at, env):
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=at, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode("utf-8", "replace").split("\n")
    told(done.returncode == 0, f"{recipe.heading}: {command}", f"status {done.returncode}", *output[-20:])
    return output


def shape(line):
    """Without figures, hashes, and the folders that paths go through."""
    line = re.sub(r"-[0-9a-f]{16}\b", "-N", re.sub(r"/[\w./-]*/", "/", line))
    return " ".join(re.sub(r"[+-]?[0-9][0-9,.]*", "N", line).split())


def check_shown(recipe, output):
    rest = iter(output)
    for line in recipe.shown.splitlines():
        if not any(shape(line) == shape(got) for got in rest):
            told(False, f"{recipe.heading}: prints what is shown", f"no line: {line}", *output)
            return
    told(bool(recipe.shown), f"{recipe.heading}: prints what is shown")


def run_recipe(recipe, project):
    lines = recipe.text.splitlines()
    told(len(lines) <= LINES_MOST and recipe.folder, f"{recipe.heading}: {len(lines)} lines, of {LINES_MOST} at most")
    commands, wanted, machine = steps_of(recipe, yaml.safe_load(recipe.text))
    told(machine == "debian:12", f"{recipe.heading}: on Debian 12")
    at = f"{project}/{recipe.folder}"
    env = {**os.environ, **MERGE_REQUEST, "GITHUB_OUTPUT": f"{scratch}/outputs", "CI_PROJECT_DIR": at,
           "PATH": f"{scratch}/bin:/usr/bin:/bin:{os.environ['PATH']}"}
    env.update({name: os.path.expandvars(value) for name, value in wanted.items() if name not in CACHE_VARIABLES})
    told(all(SET_UP.fullmatch(c) for c in commands[:2]), f"{recipe.heading}: the machine is set up", *commands[:2])
    for command in commands[:2]:
        set_up(recipe, command, env)
    absent = {tool_of(c) for c in commands[2:] if not shutil.which(tool_of(c), path=env["PATH"])}
    if absent:
        for command in commands[2:]:
            print(f"skip - recipes: # not run: {command}: no {', '.join(absent)} here", flush=True)
        return
    output = []
    for command in ([recipe.before] if recipe.before else []) + commands[2:]:
        output += run(recipe, command, at, env)
    check_shown(recipe, output)


source = f"{scratch}/src"
shutil.copytree("tests/linux/own", source)
recipes = all_recipes(source)
told(len(recipes) >= 7, f"{document}: has recipes")
for number, each in enumerate(recipes):
    own = f"{scratch}/{number}/src"
    shutil.copytree(source, own)
    run_recipe(each, own)
sys.exit(failed != 0)

# SPDX-License-Identifier: BSD-2-Clause
"""scale.py recipe HEADING | shown HEADING | github DIR FILE | gitlab DIR FILE - for scale.sh.

    recipe HEADING     prints the first block of docs/SCALE.md below the heading
    shown HEADING      prints what it prints there
    github DIR FILE    runs a workflow as GitHub does: each job and each number of its matrix in a fresh copy of
                       DIR/project, below DIR/jobs, with artifacts in DIR/artifacts
    gitlab DIR FILE    the same for GitLab: jobs by their stages, `parallel` by CI_NODE_INDEX and CI_NODE_TOTAL

The lines that install perf0 and packages are not run (recipes.py does that). $LOSE_SHARD: this shard is lost: its
artifact does not arrive. The files of the last job stay in DIR/jobs/gate.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

SET_UP = re.compile(r"apt-get -q update && apt-get -qy install [\w+. -]+|git clone -q \S.* /perf0 && make -C /perf0 install")


def blocks(heading):
    with open(os.path.dirname(os.path.abspath(__file__)) + "/../../../docs/SCALE.md", encoding="utf-8") as text:
        section = text.read().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```\w+\n(.*?)^```$", section, flags=re.S | re.M)


def read_yaml(file):
    import yaml # the other two forms do without it
    with open(file, encoding="utf-8") as text:
        return yaml.safe_load(text)


def run(command, at, env):
    if SET_UP.fullmatch(command):
        return
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=at, env={**os.environ, **env},
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(done.returncode)


class Jobs:
    def __init__(self, at):
        self.at, self.artifacts = at, f"{at}/artifacts"
        shutil.rmtree(f"{at}/jobs", ignore_errors=True)
        shutil.rmtree(self.artifacts, ignore_errors=True)
        os.makedirs(self.artifacts)

    def begin(self, name):
        job = f"{self.at}/jobs/{name}"
        shutil.copytree(f"{self.at}/project", job)
        return job

    def upload(self, job, pattern, number):
        if str(number) != os.environ.get("LOSE_SHARD"):
            for path in glob.glob(f"{job}/{pattern}"):
                shutil.copy(path, self.artifacts)

    def download(self, job, pattern="*"):
        for path in glob.glob(f"{self.artifacts}/{pattern}"):
            shutil.copy(path, job)


def github(at, file):
    tree = read_yaml(file)
    jobs = Jobs(at)
    for name, job in tree["jobs"].items():
        numbers = job.get("strategy", {}).get("matrix", {}).get("shard", [""])
        assert set(job.get("needs", "").split()) <= set(tree["jobs"])
        for number in numbers:
            folder = jobs.begin(f"{name}{number}")
            known = {"matrix.shard": str(number), "strategy.job-total": str(len(numbers)), "vars.PERF0": "PERF0"}
            fill = lambda text, known=known: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: known[m.group(1)], text)
            for step in job["steps"]:
                inputs = {key: fill(value) for key, value in step.get("with", {}).items() if isinstance(value, str)}
                if "run" in step:
                    run(fill(step["run"]), folder, {})
                elif step["uses"] == "actions/upload-artifact@v4":
                    jobs.upload(folder, inputs["path"], number)
                elif step["uses"] == "actions/download-artifact@v4":
                    jobs.download(folder, inputs["pattern"])
                else:
                    assert step["uses"] == "actions/checkout@v4", step


def gitlab(at, file):
    tree = read_yaml(file)
    default = tree.pop("default")
    jobs = Jobs(at)
    for name, job in sorted(tree.items(), key=lambda item: ["build", "test", "deploy"].index(item[1]["stage"])):
        total = job.get("parallel", 0)
        for number in range(1, total + 1) if total else [""]:
            folder = jobs.begin(f"{name}{number}")
            jobs.download(folder)
            env = {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(total)} if total else {"CI_NODE_TOTAL": "1"}
            for command in default["before_script"] + job["script"]:
                run(command, folder, env)
            for pattern in job.get("artifacts", {}).get("paths", []):
                jobs.upload(folder, pattern, number)


what, *words = sys.argv[1:]
if what == "recipe":
    print(blocks(words[0])[0], end="")
elif what == "shown":
    print(blocks(words[0])[1], end="")
else:
    {"github": github, "gitlab": gitlab}[what](*words)

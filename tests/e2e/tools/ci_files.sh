# SPDX-License-Identifier: BSD-2-Clause
# Files for the CI of projects, as far as they run without its host: the steps of action.yml on a runner that is made
# of variables and files, the module of CMake, the template of GitLab, the hook, the Containerfile, the forms.
. "$(dirname "$0")/../_lib.sh"

root=$PWD
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
cat >"$dir/work.c" <<'C'
#include <stdlib.h>
__attribute__((noinline)) static long work(long n) { long sum = 0; while (n--) { sum += n ^ sum; __asm__(""); } return sum; }
int main(int argc, char **argv) { return work(argc > 1 ? atol(argv[1]) : 50) == 1; }
C
sed 's/argv\[1\]) : 50)/argv[1]) + 7 : 50)/' "$dir/work.c" >"$dir/more.c"
gcc -O1 -g -o "$dir/more" "$dir/more.c"

# YAML, and what each file says.
if /usr/bin/python3 -c 'import yaml' 2>"$dir/yaml.err"; then
	/usr/bin/python3 tests/e2e/tools/ci_files.py || failures=1
else
	skip "the files of YAML" "$(tail -n 1 "$dir/yaml.err")"
fi
if command -v shellcheck >/dev/null; then
	is "shellcheck: scripts" "$(git ls-files scripts .ci | xargs grep -lE '^#!/bin/(ba)?sh' | xargs shellcheck -S warning)" ""
	# Tests take variables from _lib.sh, and split many words on purpose.
	is "shellcheck: tests" "$(git ls-files 'tests/*' | xargs grep -lE '^#!/bin/(ba)?sh|^\. .*_lib\.sh' |
		xargs shellcheck -s sh -S warning -e SC2010,SC2034,SC2046,SC2065,SC2100,SC2140,SC2154,SC2266,SC3045)" ""
else
	skip "shellcheck" "no shellcheck here"
fi

if command -v actionlint >/dev/null; then
	is "actionlint" "$(actionlint .github/workflows/*.yml 2>&1)" ""
else
	skip "actionlint" "no actionlint here"
fi

# The action. A runner gives each step files, in which it tells something to the following ones.
mkdir -p "$dir/runner/temp" "$dir/bin" "$dir/project"
export GITHUB_OUTPUT="$root/$dir/runner/output" GITHUB_PATH="$root/$dir/runner/path" RUNNER_TEMP="$root/$dir/runner/temp"
gcc -O1 -g -o "$dir/project/work" "$dir/work.c"
printf '%s\n' '[[benchmark]]' 'name = "work"' 'program = "./work"' 'args = ["50"]' >"$dir/project/perf0.toml"
# apt-get and sudo are scripts that note their words.
for program in apt-get sudo; do
	printf '#!/bin/sh\necho "%s $*" >>%s\n' $program "$root/$dir/asked" >"$dir/bin/$program"
	chmod +x "$dir/bin/$program"
done
# step NAME VARIABLES...: runs a step; its status goes to $status.
step() {
	step_name=$1
	shift
	: >"$GITHUB_OUTPUT"
	(cd "$dir/project" && env "$@" "$root/scripts/action" "$step_name") >"$dir/log" 2>&1
	status=$?
}
archive=$(scripts/dist)
step install PERF0_PACKAGE="$root/$archive" PATH="$root/$dir/bin:$PATH"
is "the action installs an archive: status" "$status" 0
installed=$(cat "$GITHUB_PATH")
is "its program is in the path of the next steps" "$("$installed/perf0" version)" "$($perf0 version)"
has "the key of the saved machine" "$GITHUB_OUTPUT" 'key=[0-9a-f]{16}'
has "the folder of saved machines" "$GITHUB_OUTPUT" "cache=${XDG_CACHE_HOME:-$HOME/.cache}/perf0"
is "no package was missing" "$(cat "$dir/asked" 2>/dev/null)" ""
cp "$archive" "$dir/bad.tar.xz"
sed "s/ .*/  bad.tar.xz/; s/^...../00000/" "$archive.sha256" >"$dir/bad.tar.xz.sha256"
step install PERF0_PACKAGE="$root/$dir/bad.tar.xz"
is "an archive with another checksum" "$([ "$status" = 0 ] || echo refused)" refused
mkdir "$dir/packages"
: >"$dir/packages/perf0_0.1_amd64.deb"
: >"$dir/packages/perf0-images_0.1_amd64.deb"
ln -s "$root/$perf0" "$dir/bin/perf0"
step install PERF0_PACKAGE="$root/$dir/packages" PATH="$root/$dir/bin:$PATH"
is "the action installs packages: status" "$status" 0
is "by apt-get" "$(sed 's/.*apt-get//' "$dir/asked" | tail -n 1)" \
	" -q -y install --no-install-recommends $root/$dir/packages/perf0_0.1_amd64.deb $root/$dir/packages/perf0-images_0.1_amd64.deb"
step install PERF0_PACKAGE=nothing
is "neither a folder nor an archive" "$status $(tail -n 1 "$dir/log")" "2 action: PERF0_PACKAGE is neither a folder nor an archive .tar.xz: nothing"

path=$installed:$PATH
step gate PATH="$path" PERF0_ARGS="--update"
is "the action makes a baseline" "$status" 0
step gate PATH="$path" GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$root/$dir/summary"
is "the action's gate: status, output" "$status $(cat "$GITHUB_OUTPUT")" "0 status=0"
has "the summary of the job" "$dir/summary" '.*1 unchanged.*'
cp "$dir/more" "$dir/project/work"
step gate PATH="$path" GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$root/$dir/summary" PERF0_ARGS="--junit $root/$dir/gate.xml"
is "a benchmark that is worse: status, output" "$status $(cat "$GITHUB_OUTPUT")" "1 status=1"
has "the summary names it" "$dir/summary" '.*work.*worse.*'
is "words of PERF0_ARGS are taken" "$(grep -c '<failure' "$dir/gate.xml")" 1

# The hook runs its line of `entry`.
entry=$(sed -n 's/^  entry: //p' .pre-commit-hooks.yaml)
gcc -O1 -g -o "$dir/project/work" "$dir/work.c"
(cd "$dir/project" && PATH=$path $entry) >"$dir/log" 2>&1
is "the hook: nothing is worse" $? 0
cp "$dir/more" "$dir/project/work"
(cd "$dir/project" && PATH=$path $entry) >"$dir/log" 2>&1
is "the hook: one is worse" $? 1

# CMake: a test fails without a baseline, passes with it, and fails when the program executes more.
cmake_project() {
	mkdir "$dir/cmake"
	cp "$dir/work.c" "$dir/cmake/"
	cat >"$dir/cmake/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(own C)
enable_testing()
find_package(perf0 REQUIRED)
add_executable(work work.c)
perf0_add_benchmark(work-50 TARGET work ARGS 50)
perf0_add_benchmark(work-90 TARGET work ARGS 90 BASELINE counts/ninety EVENTS instructions:u TOLERANCE 50%)
CMAKE
}
# tested WANTED: ctest, and how many of the two tests fail.
tested() { ctest --test-dir "$dir/cmake/build" >"$dir/log" 2>&1; sed -n 's/.*, \([0-9]*\) tests failed out of 2/\1/p' "$dir/log"; }
try_cmake() {
	cmake_project
	PATH=$path cmake -S "$dir/cmake" -B "$dir/cmake/build" >"$dir/log" 2>&1
	is "cmake finds the module beside the program: status" $? 0
	cmake --build "$dir/cmake/build" >"$dir/log" 2>&1
	is "CMake: without baselines both tests fail" "$(tested)" 2
	cmake --build "$dir/cmake/build" --target perf0-update >"$dir/log" 2>&1
	is "CMake: baselines: status" $? 0
	is "CMake: their places" "$(cd "$dir/cmake" && ls perf0 counts | tr '\n' ' ')" "counts: ninety  perf0: work-50.baseline "
	is "CMake: events of one" "$(grep -c '	event	' "$dir/cmake/counts/ninety")" 1
	is "CMake: both tests pass" "$(tested)" 0
	cp "$dir/more.c" "$dir/cmake/work.c"
	cmake --build "$dir/cmake/build" >"$dir/log" 2>&1
	is "CMake: with more work one fails, the other has a tolerance" "$(tested)" 1
	sed -i 's/ TARGET work ARGS 50//' "$dir/cmake/CMakeLists.txt"
	PATH=$path cmake -S "$dir/cmake" -B "$dir/cmake/other" >"$dir/log" 2>&1
	is "CMake: a benchmark without a target is refused" "$(grep -c 'perf0_add_benchmark(NAME TARGET target' "$dir/log")" 1
}
if command -v cmake >/dev/null; then try_cmake; else skip "the module of CMake" "no cmake here"; fi

# The Containerfile: one layer of packages, a user, and files that `make deb` makes.
is "the base" "$(sed -n 's/^FROM //p' Containerfile)" debian:bookworm-slim
is "layers" "$(grep -cE '^(RUN|COPY|ADD) ' Containerfile)" 1
is "the user" "$(sed -n 's/^USER //p' Containerfile)" perf0
is "its packages are those of debian/" "$(grep -oE '/deb/[a-z0-9-]+_' Containerfile | tr -d _ | sed 's,/deb/,,' | while read -r p; do grep -c "^Package: $p\$" debian/control; done | tr '\n' ' ')" "1 1 "
engine=$(command -v podman || command -v docker || true)
if ! soaking; then
	:
elif [ -z "$engine" ] || ! timeout 60 "$engine" info >/dev/null 2>&1; then
	skip "an image of the Containerfile" "no podman or docker that runs here"
else
	scripts/deb >/dev/null 2>&1 && timeout 900 "$engine" build -q -t perf0-test -f Containerfile . >"$dir/log" 2>&1
	is "the image is built" "$? $(tail -n 3 "$dir/log" | grep -i error)" "0 "
	"$engine" run --rm perf0-test stat -e instructions:u -- loop 1000 >"$dir/log" 2>&1
	has "the image counts" "$dir/log" ' +2,005 +instructions:u .*'
	"$engine" rmi perf0-test >/dev/null 2>&1
fi
finish

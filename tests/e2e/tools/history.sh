# SPDX-License-Identifier: BSD-2-Clause
# `perf0 report`: a folder of results of a repository's commits, as lines and as a page. history.py looks at the page.
. "$(dirname "$0")/../_lib.sh"
here=$PWD
dir=$PWD/$dir
perf0=$here/$perf0
GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_SERVER_URL GITHUB_REPOSITORY CI_PROJECT_URL
mkdir "$dir/project"
cd "$dir/project" || exit 1
report() {
	"$perf0" report "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

# Five commits: the second and the fourth make the work more, the third was not measured. `same` never changes.
printf '.perf0\nwork\n*.json\nresults\n' >.gitignore
printf '[[benchmark]]\nname = "%s"\nprogram = "./work"\nargs = ["%s"]\n' grows 1000 same 0 >perf0.toml
git init -q .
at=0
for turns in 10 11 11 20 20; do
	at=$((at + 1))
	date="2026-01-0${at}T00:00:00"
	cat >work.c <<-END
		#include <stdlib.h>
		int main(int argc, char **argv)
		{
			volatile long sum = 0;
			for (long i = 0; argc > 1 && i < $turns * atol(argv[1]); i++)
				sum += i;
			return 0;
		}
		// $at
	END
	git add . && GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git commit -qm "$at"
	gcc -O2 -o work work.c
	eval "commit$at=$(git rev-parse HEAD)"
	[ $at = 3 ] || "$perf0" gate --save -e instructions:u,branches:u >"$dir/log" 2>&1 || not_ok "commit $at is measured" "$(cat "$dir/log")"
done
short() { echo "$1" | cut -c 1-12; }

report .perf0/results
is "status" "$status $(cat "$dir/err")" "0 "
is "a line for each benchmark" "$(wc -l <"$dir/out")" 3
has "what never changes" "$dir/out" 'same +instructions:u +([0-9,]+) +\1 +unchanged'
has "what grew: by which commit, the third was not measured" "$dir/out" \
	"grows +instructions:u +[0-9,]+ +[0-9,]+ +\+[0-9.]+% +$(short "$commit4") or 1 not measured before it: \+[0-9,]+, the most of 2 changes"

# The figures are those of the files.
first=$(sed -n 's/^grows\tevent\tinstructions:u\t\([0-9]*\).*/\1/p' ".perf0/results/$commit1.baseline")
last=$(sed -n 's/^grows\tevent\tinstructions:u\t\([0-9]*\).*/\1/p' ".perf0/results/$commit5.baseline")
report .perf0/results --html "$dir/page.html" --commit-url https://example.org/c/
is "--html: status" "$status $(cat "$dir/err")" "0 "
python3 "$here/tests/e2e/tools/history.py" "$dir/page.html" "$commit2" "$commit4" "$first" "$last" || failures=1

if command -v chromium >/dev/null; then
	for width in 400 1200 2400; do
		chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --enable-logging=stderr --window-size=$width,1400 \
			--screenshot="$dir/page$width.png" "file://$dir/page.html" >"$dir/browser" 2>&1
		is "the page in a browser, $width wide" "$(grep -c CONSOLE "$dir/browser") $(head -c 4 "$dir/page$width.png" | tail -c 3)" "0 PNG"
	done
else
	skip "the page in a browser" "no chromium here"
fi

# JSON of each command, by commit and by other names.
mkdir -p results "results/$commit4"
"$perf0" stat -j -e instructions:u -o "results/$(short "$commit1")-loop.json" -- loop 1000 >"$dir/log" 2>&1
"$perf0" stat -j -e instructions:u -o "results/$commit4/loop.json" -- loop 2000 >>"$dir/log" 2>&1
"$perf0" bench -j -e instructions --asm nop >"results/$commit1.json" 2>>"$dir/log"
"$perf0" bench -j -e instructions --asm 'nop' >"results/$commit4.json" 2>>"$dir/log"
"$perf0" latency -j 'IMUL (R64, R64)' >results/2026-01-01.json 2>>"$dir/log"
"$perf0" gate --against HEAD^ -e instructions:u,branches:u --json "results/$commit5.json" >>"$dir/log" 2>&1
report results
is "JSON: status" "$status $(cat "$dir/err" "$dir/log" | grep perf0 | grep -v '^perf0: running ')" "0 "
has "JSON of stat" "$dir/out" "loop +instructions:u +2,005 +4,005 +\+99.8% +$(short "$commit4") or 2 not measured before it: \+2,000"
has "JSON of bench" "$dir/out" 'nop +instructions +1 +1 +unchanged'
has "JSON of latency" "$dir/out" 'IMUL \(R64, R64\) +throughput +1 +1 +one version alone'
has "JSON of gate" "$dir/out" "grows +instructions:u +[0-9,]+ +[0-9,]+ +one version alone"

# A broken file, a foreign one and an unreadable name are told; nothing is read twice.
echo '{"counter-value" : "x", "event" : "y"}' >results/bad.json
printf '# perf0 gate 2\n' >results/cut.baseline
report results
is "files that are no results: status" "$status $(wc -l <"$dir/err")" "0 2"
has "one is told" "$dir/err" 'perf0 report: left out: results/bad.json: this is no result of gate, and no JSON of gate, stat, bench or latency'
has "a cut one is told" "$dir/err" 'perf0 report: left out: results/cut.baseline: .*'

# Without a repository the names say the order.
mkdir "$dir/alone"
for n in 1 2 3; do printf '{"event" : "e", "counter-value" : "%s"}\n' $((n * n)) >"$dir/alone/v$n.json"; done
(cd / && GIT_DIR=/nowhere "$perf0" report "$dir/alone") >"$dir/out" 2>"$dir/err"
is "without git: status" "$? $(cat "$dir/err")" "0 "
has "without git: by name" "$dir/out" '\(all\) +e +1 +9 +\+800% +v2: \+3, the most of 2 changes'

mkdir "$dir/empty"
report "$dir/empty"
is "an empty folder" "$status $(cat "$dir/err")" "1 perf0 report: $dir/empty: there are no results in it"
report "$dir/nowhere"
is "no folder" "$status $(cat "$dir/err")" "1 perf0 report: $dir/nowhere: No such file or directory"
report "$dir/empty" "$dir/empty"
is "two folders" "$status" 2

# perf's own command of that name.
printf 'PERFILE2' >"$dir/perf.data"
for words in "" "-i perf.data" "--stdio" "$dir/perf.data"; do
	# shellcheck disable=SC2086 # words
	report $words
	is "report $words: is perf's" "$status $(cut -c 1-87 "$dir/err")" \
		'2 perf0: report is a command of perf: `perf report` reads the perf.data of `perf0 record`'
done
finish

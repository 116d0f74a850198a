# SPDX-License-Identifier: BSD-2-Clause
# perf0 gate --save keeps the results of a commit, and --against compares with those of a commit, a folder or a file.
. "$(dirname "$0")/../_lib.sh"

if ! command -v git >/dev/null; then
	skip "results of commits" "# not run: perf0 gate --against: no git here"
	exit 0
fi
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_SERVER_URL GITHUB_REPOSITORY CI_PROJECT_URL GITHUB_SHA CI_COMMIT_SHA
top=$PWD dir=$PWD/$dir
mkdir "$dir/project"
cd "$dir/project" || exit 1
export GIT_CEILING_DIRECTORIES="$dir" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
cat >work.c <<'SOURCE'
#ifndef MORE
#define MORE
#endif
__attribute__((noinline)) static unsigned inner(unsigned x) { MORE for (int i = 0; i < 500; i++) x = x * 5 + 1; return x; }
__attribute__((noinline)) static unsigned work(unsigned x) { for (int i = 0; i < 3; i++) x += inner(x); return x; }
int main(int argc, char **argv)
{
	volatile unsigned x = argc;

	(void)argv;
	for (int i = 0; i < 10; i++)
		x = work(x);
	return 0;
}
SOURCE
printf '[[benchmark]]\nname = "whole"\nprogram = "./work"\n[[benchmark]]\nname = "part"\nprogram = "./work"\nmeasure = "function:work"\n' >perf0.toml
printf '.perf0\n/work\n' >.gitignore
build() { gcc -O2 -g "$@" -o work work.c || not_ok "the program is built" ""; }
gate() {
	"$top/$perf0" gate "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}
refused() {
	what=$1 wanted=$2
	shift 2
	gate "$@" --qemu /nowhere
	is "$what" "$status $(cat "$dir/err")" "2 perf0 gate: $wanted"
}
build
gate --against HEAD
is "no repository" "$status $(cut -c 1-49 "$dir/err")" "2 perf0 gate: --against: git: fatal: not a git repo"
git init -q -b main . && git add . && git commit -q -m one
one=$(git rev-parse HEAD)
refused "nothing is kept yet" \
	"--against: .perf0/results has no results of 'HEAD' or any other commit; --save keeps those of HEAD" --against HEAD
refused "a commit that is not known" "--against: there is no commit 'nope'" --against nope
refused "a misspelt commit is an error for --save, too" "--against: there is no commit 'nope'" --against nope --save
refused "a name that git would take for an option" "--against: '--all' is no name of a commit" --against=--all
is "no git" "$(PATH=/nowhere "$top/$perf0" gate --against HEAD 2>&1)" \
	"perf0 gate: --against: git: not found: install the package git"
refused "--update beside it" "--against and --update exclude each other: one or the other is compared with" --against HEAD --update
refused "a folder for nothing" "--results needs --against or --save: they use it" --results there
refused "a shard of a commit" \
	"--shard and --save exclude each other: results of a commit are of all benchmarks: \`gate merge --save\`" --shard 1/2 --save

gate --save
is "--save: status" "$status $(cat "$dir/err")" "0 "
is "--save: the files" "$(find .perf0 -type f | sort | paste -sd' ')" ".perf0/results/$one.baseline .perf0/results/$one.stacks"
value() { awk -F'\t' -v b="$2" -v kind="$3" '$1 == b && $2 == kind && $3 == "instructions:u" { print $4 }' "$1"; }
stacks() { awk -v b="$2" 'index($0, b ";") == 1 { sum += $NF } END { print sum }' "$1"; }
is "stacks add up to the process" "$(stacks ".perf0/results/$one.stacks" whole)" "$(value ".perf0/results/$one.baseline" whole event)"
is "stacks add up to the measured functions" "$(stacks ".perf0/results/$one.stacks" part)" "$(value ".perf0/results/$one.baseline" part inside)"
has "a stack" ".perf0/results/$one.stacks" 'part;work;inner [0-9]+'
is "stacks are sorted" "$(LC_ALL=C sort -c ".perf0/results/$one.stacks" 2>&1)" ""
gate --against HEAD
is "--against HEAD: status" "$status $(cat "$dir/out" "$dir/err")" "0 2 benchmarks: 2 unchanged"
git commit -q --allow-empty -m two
git commit -q --allow-empty -m three
build '-DMORE=__asm__ volatile("nop");'
for against in HEAD HEAD^ $(git rev-parse --short HEAD) .perf0/results; do
	gate --against "$against"
	is "--against $against: status, the commit" "$status $(cat "$dir/err")" \
		"1 perf0 gate: compared with $(echo "$one" | cut -c 1-12), the nearest commit before $(echo "$against" | sed 's/\.perf0.*/HEAD/') that has results"
	is "--against $against: what is worse" "$(grep -c '^\(whole\|part\) .* +30 .* worse' "$dir/out")" 2
done
for against in "$one" main~2 ".perf0/results/$one.baseline"; do
	gate --against "$against"
	is "--against $against: status, without a message" "$status $(cat "$dir/err") $(grep -c '%  worse$' "$dir/out")" "1  2"
done
# The page draws the stacks that differ, and has them as a table, whose sum is the difference.
tables() {
	/usr/bin/python3 - page.html <<'PYTHON'
import sys, xml.etree.ElementTree as e
page = e.parse(sys.argv[1]).getroot()
for part in page.iter():
    part.tag = part.tag.split("}")[-1]
body = list(page.find("body/main"))
for i, part in enumerate(body):
    if part.tag == "h2" and part.text.startswith("Stacks of"):
        svg, details = body[i + 2][0], body[i + 3]
        rows = [["".join(cell.itertext()) for cell in row] for row in details.iter("tr")][1:]
        by = [int(row[3]) for row in rows]
        fills = {r.get("fill") for r in svg.iter("rect")}
        print(part.text, len(rows), rows[0][0].split(" > ")[-1], by[0], sum(by[:-1]), by[-1], len(fills - {"#e6e6e2"}))
PYTHON
}
gate --against "$one" --html page.html
is "the page: stacks, rows, the first row, sums, colours" "$(tables)" "Stacks of part 3 inner 30 30 30 1
Stacks of whole 3 inner 30 30 30 1"
links() { grep -o 'href="[^"]*/[0-9a-f]*"' page.html | paste -sd' '; }
now=$(git rev-parse HEAD)
is "the page: no link where no URL is known" "$(links) $(grep -c "<dd>$now" page.html)" " 1"
gate --against "$one" --html page.html --commit-url https://example.org/c/
is "the page: links by --commit-url" "$(links)" "href=\"https://example.org/c/$one\" href=\"https://example.org/c/$now\""
GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=a/b gate --against "$one" --html page.html
is "the page: links on GitHub" "$(links)" "href=\"https://github.com/a/b/commit/$one\" href=\"https://github.com/a/b/commit/$now\""
CI_PROJECT_URL=https://gitlab.com/a/b gate --against "$one" --html page.html
is "the page: links on GitLab" "$(links)" "href=\"https://gitlab.com/a/b/-/commit/$one\" href=\"https://gitlab.com/a/b/-/commit/$now\""
refused "a URL that is none" "--commit-url: 'javascript:x' is not https://..., or http://..." --html page.html --commit-url javascript:x
cp -r .perf0/results edited
sed -i 's/^\(part;work;inner .*\)/\11/' edited/*.stacks
gate --against "edited/$one.baseline" --html page.html
is "stacks of another run are not drawn" "$(grep -c '^<svg' page.html) $(grep -c 'The stacks do not add up' page.html)" "1 1"
echo "no stack" >>"edited/$one.stacks"
gate --against "edited/$one.baseline" --html page.html
is "a file of no stacks" "$status $(cut -d: -f1-4 "$dir/err") $(grep -c 'Stacks of part' page.html)" \
	"1 perf0 gate: edited/$one.stacks: line $(wc -l <"edited/$one.stacks"): this is no stack with a count 1"

gate --save --results kept
is "--results: status, the file" "$status $(cat "$dir/err") $(ls kept | paste -sd' ')" "0  $now.baseline $now.stacks"
cmp -s "kept/$(git rev-parse HEAD).baseline" ".perf0/results/$one.baseline" && not_ok "they are the new results" "those of the first commit"
gate --against HEAD --results kept
is "--against with --results" "$status $(cat "$dir/err" "$dir/out")" "0 2 benchmarks: 2 unchanged"

# Shards, changed files, another branch, a shallow clone.
gate --shard 1/2 -o part1
gate --shard 2/2 -o part2
gate merge --save --results merged part1 part2
is "merge --save" "$status $(cmp merged/*.baseline kept/*.baseline 2>&1)" "0 "
gate merge --against "$one" part1 part2
is "merge --against" "$status $(grep -c '%  worse$' "$dir/out")" "1 2"
echo "/* changed */" >>work.c
gate --save --results changed
is "files that are no commit's" "$status $(cat "$dir/err")" "0 perf0 gate: files differ from HEAD, whose results these become"
git checkout -q -f --orphan other && git commit -q -m other
without="has no results of 'other' or a commit before it; the newest commit with results is"
refused "another branch" "--against: .perf0/results $without $(echo "$one" | cut -c 1-12)" --against other
gate --save --against other
is "--save begins with nothing" "$status $(cat "$dir/err")" \
	"0 perf0 gate: .perf0/results $without $(echo "$one" | cut -c 1-12): nothing is compared"
git checkout -q main
git clone -q --depth 1 "file://$dir/project" "$dir/shallow"
cd "$dir/shallow" || exit 1
cp -r "$dir/project/work" .
refused "a shallow clone lacks the commit" \
	"--against: there is no commit 'HEAD^'; this clone is shallow (git fetch --unshallow)" --against HEAD^
mkdir -p .perf0/results
cp "$dir/project/.perf0/results/$one.baseline" .perf0/results
refused "a shallow clone lacks those before it" \
	"--against: .perf0/results has no results of 'HEAD' or any other commit; --save keeps those of HEAD; this clone is shallow (git fetch --unshallow)" --against HEAD
cd "$dir/project" || exit 1

# A benchmark that fails leaves no results.
printf '[[benchmark]]\nname = "fails"\nprogram = "/bin/false"\n' >fails.toml
gate --config fails.toml --save --results failed
is "what fails is not kept" "$status $(ls failed 2>&1) $(tail -n 1 "$dir/err")" \
	"2 ls: cannot access 'failed': No such file or directory perf0 gate: no results are kept"
cd "$top" || exit 1
finish

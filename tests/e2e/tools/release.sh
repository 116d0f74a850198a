# SPDX-License-Identifier: BSD-2-Clause
# `make release` lets a commit go only if all is right: a clone is made right step by step. Each format has its version
# in one header.
. "$(dirname "$0")/../_lib.sh"

# The version stands in CHANGELOG.md, and nothing there is of a version that is not known.
version=$(sed -n 's/^#define PERF0_VERSION "\(.*\)"$/\1/p' include/perf0/version.h)
is "the newest section of CHANGELOG.md" "$(sed -n 's/^## \([0-9.]*\) - .*/\1/p' CHANGELOG.md | head -n 1)" "$version"

# Versions of formats are defined in include/perf0/formats.h alone.
is "versions of formats that stand elsewhere" \
	"$(git grep -nE '#define (WIRE|BASELINE|GATE_JSON|MACHINE|SHARED|EVENTS_PAGE|PROFILE|BENCH)_VERSION\b' -- '*.c' '*.h' | grep -v '^include/perf0/formats\.h:')" ""
for name in $(sed -n 's/^#define \([A-Z_]*_VERSION\) .*/\1/p' include/perf0/formats.h); do
	git grep -qw "$name" -- '*.c' '*.h' ':!include/perf0/formats.h' || not_ok "nothing uses $name"
done

if ! git rev-parse --git-dir >/dev/null 2>&1; then
	skip "a release" "no repository here"
	finish
	exit
fi
tree=$PWD/$dir/tree
git clone -q . "$tree"
# The clone has the present files, and a build of them.
git diff HEAD --binary | (cd "$tree" && { git apply --allow-empty 2>/dev/null || true; })
mkdir "$tree/build"
for file in perf0 perf0.elf; do cp "build/$file" "$tree/build/"; done
commit() { (cd "$tree" && git add -A && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m "$1"); }
commit "The present files"
release() {
	(cd "$tree" && scripts/release) >"$dir/log" 2>&1
	status=$?
}
# open WHAT WHY: the last release was refused for that.
open() { has "$1" "$dir/log" "NOT YET  $2"; }
tested() { (cd "$tree" && echo "${1:-10 0 0}" >build/test-summary && echo "$(git rev-parse HEAD) ${2:-all}" >build/tested); }

release
is "nothing is right yet: status" "$status" 1
if grep -q "^## $version - not released" CHANGELOG.md; then
	open "the section has no day" "CHANGELOG.md has the version, with its day: .*"
fi
open "nothing was tested" "all tests of this commit passed: make test ALL=1"
sed -i "s/^## $version - .*/## $version - 2026-12-01/" "$tree/CHANGELOG.md"
release
open "a tree with changes" "the tree is clean: .*CHANGELOG.md"
commit "A release"
tested "10 0 0" some
release
open "a part of the tests" "all tests of this commit passed: make test ALL=1: the last one was a part"
tested "9 1 0"
release
open "a test that failed" "all tests of this commit passed: 1 of 10 checks failed"
tested
echo "more" >>"$tree/docs/REFERENCE.md"
commit "A reference of other options"
release
open "another reference" "the reference is up to date: make reference"
open "tests of another commit" "all tests of this commit passed: make test ALL=1: the last one was of another commit"
(cd "$tree" && git reset -q --hard HEAD~1)
sed -i "1s/(.*)/(0.0.1)/" "$tree/debian/changelog"
commit "Another version for Debian"
tested
release
open "debian/changelog" "debian/changelog has the version"
(cd "$tree" && git reset -q --hard HEAD~1 && git tag "v$version")
tested
release
open "a tag that is there" "the tag is new: there is a tag v$version"
(cd "$tree" && git tag -d "v$version") >"$dir/tag" 2>&1
# The archive is built twice.
if soaking; then
	release
	is "all is right: status" "$status $(grep '^NOT YET' "$dir/log")" "0 "
	has "the command is told" "$dir/log" "git tag -a v$version -m 'perf0 $version' $(git -C "$tree" rev-parse HEAD)"
	is "and not done" "$(git -C "$tree" tag)" ""
fi
finish

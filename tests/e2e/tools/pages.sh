# SPDX-License-Identifier: BSD-2-Clause
# Every page that perf0 writes: one style, no network, and accessible. pages.py checks contrast, names of pictures,
# labels, headings and the keyboard by itself. Where there are chromium and axe-core (PERF0_AXE has the path of
# axe.min.js, or a folder of NODE_PATH has the module), that looks, too, at 400, 1200 and 2400 pixels.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/work.c" <<'SOURCE'
#ifndef ROUNDS
#define ROUNDS 200
#endif
static volatile int sum;
__attribute__((noinline)) static void add(int n) { for (int i = 0; i < n; i++) sum += i; }
void _start(void)
{
	for (int i = 0; i < ROUNDS; i++)
		add(100);
	__asm__ volatile("syscall" : : "a"(231), "D"(0));
}
SOURCE
build() { gcc -O1 -g -static -nostdlib "$@" -o "$dir/work" "$dir/work.c" || not_ok "the program is built"; }

# page STATUS NAME COMMAND ARGS...: has a command write the page NAME.
page() {
	want=$1 name_of=$2 command=$3
	shift 3
	"$perf0" "$command" --html "$dir/$name_of.html" "$@" >"$dir/$name_of.out" 2>&1
	is "$name_of: the page is written" "$? $(tail -n 1 "$dir/$name_of.html" 2>/dev/null)" "$want </body></html>"
}
build
page 0 stat stat -r 3 -e instructions:u,cycles:u,cache-misses:u,branch-misses:u -- "$dir/work"
page 0 interval stat -I 10 -e instructions:u,cycles:u -- loop 20000000
page 0 profile profile -- "$dir/work"
page 0 plan plan --uarch hsw -e cycles,instructions,r0208,r0249,r0285,r0e08,r0e49
page 0 bench bench --asm 'imul rax, rbx' -e instructions,cycles
page 0 trace bench --trace=17-40 -u 4 --asm 'div rcx' --asm-init 'mov rcx, 7; xor edx, edx; mov rax, 100'
page 0 explained bench --explain --uarch skx --asm 'imul rax, rbx; add rcx, rax'
page 0 hot explain -- "$dir/work"
mkdir "$dir/results"
$perf0 gate --update --baseline "$dir/baseline" -- "$dir/work" >"$dir/out" 2>&1
$perf0 gate --baseline "$dir/baseline" --json "$dir/results/aaaaaaaaaaaa.json" -- "$dir/work" >"$dir/out" 2>&1
build -DROUNDS=300
page 1 gate gate --baseline "$dir/baseline" --json "$dir/results/bbbbbbbbbbbb.json" -- "$dir/work"
page 0 report report "$dir/results"

set -- "$dir"/*.html
is "ten pages" $# 10
is "pages are accessible by our own checks" "$(python3 tests/e2e/tools/pages.py check "$@" 2>&1)" "right"
is "pages have one style" "$(for p; do sed -n '/<style>/,/<\/style>/p' "$p" | cksum; done | sort -u | wc -l)" 1

# A check that cannot fail is none: each fault is found.
fault() {
	sed "$2" "$dir/bench.html" >"$dir/fault"
	python3 tests/e2e/tools/pages.py check "$dir/fault" >"$dir/found" 2>&1
	has "$1 is found" "$dir/found" "fault: $3.*"
}
fault "a text that is too faint" 's/--faint:#666/--faint:#999/' 'contrast of --faint in light'
fault "a page without a landmark" 's/<main>//; s/<\/main>//' 'no main'
fault "a heading without a text" 's/<th>event<\/th>/<th><\/th>/' 'a heading of a table is empty'
fault "a table that the keyboard cannot scroll" 's/class="table" tabindex="0"/class="table"/' 'a table cannot be scrolled'
fault "a picture without a name" '/<svg [^>]*role="img"[^>]*>$/{n;d}' 'a picture without a name'
fault "a page without a language" 's/ lang="en"//' 'no language'

axe=${PERF0_AXE:-}
for folder in $(echo "${NODE_PATH:-}" | tr : ' ') /usr/share/nodejs /usr/lib/node_modules /usr/local/lib/node_modules; do
	[ -n "$axe" ] || [ ! -f "$folder/axe-core/axe.min.js" ] || axe=$folder/axe-core/axe.min.js
done
if ! command -v chromium >/dev/null; then
	skip "axe-core" "no chromium here"
elif [ -z "$axe" ]; then
	skip "axe-core" "no axe-core here (npm install axe-core; PERF0_AXE=.../axe.min.js)"
else
	for p; do
		is "axe-core finds nothing: $(basename "$p")" "$(python3 tests/e2e/tools/pages.py axe "$axe" "$p" 2>&1)" "right"
	done
fi
finish

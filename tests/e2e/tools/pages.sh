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
/* A leaf has no frame, so its caller is not in the stack, but the one above is. */
__attribute__((noinline)) static void all(void)
{
	for (int i = 0; i < ROUNDS; i++)
		add(100);
}
void _start(void)
{
	all();
	__asm__ volatile("syscall" : : "a"(231), "D"(0));
}
SOURCE
build() { gcc -O1 -g -fno-omit-frame-pointer -static -nostdlib "$@" -o "$dir/work" "$dir/work.c" || not_ok "the program is built"; }

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
page 0 record record -g -e cycles:u,branches:u -c 1000 -o "$dir/recorded.data" -- "$dir/work"
$perf0 run -o "$dir/stored" -- record -e cycles:u -c 1000 -- loop 100000 >"$dir/out" 2>&1
is "a stored recording's page is written" \
	"$($perf0 decode -o "$dir/decoded.data" --html "$dir/decoded.html" "$dir/stored/stream.perf0" 2>"$dir/out"; echo $?)" 0
page 0 latency latency 'imul r64, r64' 'add r64, m64' 'lock add m64, r64'
page 0 memory latency --set memory -- load/4096 stream_copy
page 0 doctor doctor
page 0 host doctor --host
page 1 kvm doctor --kvm --root "$dir/no-such-host"
mkdir "$dir/results"
$perf0 gate --update --baseline "$dir/baseline" -- "$dir/work" >"$dir/out" 2>&1
$perf0 gate --baseline "$dir/baseline" --json "$dir/results/aaaaaaaaaaaa.json" -- "$dir/work" >"$dir/out" 2>&1
build -DROUNDS=300
page 1 gate gate --baseline "$dir/baseline" --json "$dir/results/bbbbbbbbbbbb.json" -- "$dir/work"
cp "$dir/record.html" "$dir/results/a recording.html"
cp "$dir/latency.html" "$dir/results/"
echo '<html>' >"$dir/results/other.html"
page 0 report report "$dir/results"

set -- "$dir"/*.html
is "all pages" $# 17
is "pages are accessible by our own checks" "$(python3 tests/e2e/tools/pages.py check "$@" 2>&1)" "right"
is "pages have one style" "$(for p; do sed -n '/<style>/,/<\/style>/p' "$p" | cksum; done | sort -u | wc -l)" 1

# The figures of a page are those of the text.
python3 tests/e2e/tools/pages.py words "$dir/record.html" >"$dir/words"
has "the page of a recording: its events" "$dir/words" "cycles:u each 1000 [0-9]+ [0-9]+"
has "its hottest function" "$dir/words" "[0-9.]+% [0-9]+ [0-9]+ add work 3"
has "a hot line with its source" "$dir/words" "[0-9.]+% [0-9]+ [0-9]+ work.c:[0-9]+ .*sum [+]= i.*"
samples=$(sed -n 's/.*record: \([0-9]*\) samples.*/\1/p' "$dir/record.out")
has "its losses" "$dir/words" "overflows $samples samples written $samples lost: no room 0 .*"
has "a flame graph" "$dir/record.html" '.*<title>add: [0-9,]+ \([0-9.]+%\), self [0-9,]+</title>.*'
python3 tests/e2e/tools/pages.py words "$dir/latency.html" >"$dir/words"
has "the page of latencies" "$dir/words" "$(awk '/^IMUL/ { print "IMUL .R64, R64. " $4 " " $5 " " $6 ".*" }' "$dir/latency.out")"
has "a latency that is bounded alone" "$dir/words" "LOCK ADD .*<=.*"
python3 tests/e2e/tools/pages.py words "$dir/memory.html" >"$dir/words"
has "the page of memory" "$dir/words" "stream_copy [0-9.]+ [0-9.]+ $(sed -n 's/^stream_copy .*bytes a cycle: //p' "$dir/memory.out") .*"
python3 tests/e2e/tools/pages.py words "$dir/doctor.html" >"$dir/words"
has "the page of the doctor" "$dir/words" "$(sed -n 's/^doctor: \(.*skipped\)$/Doctor: \1.*/p' "$dir/doctor.out")"
python3 tests/e2e/tools/pages.py words "$dir/host.html" >"$dir/words"
has "the page of a host" "$dir/words" "(QEMU|firmware) (ok|note) .*"
has "the index has the other pages" "$dir/report.html" '.*<a href="results/a%20recording.html">Recording of .*'
is "the index has no page of others" "$(grep -c 'other.html"' "$dir/report.html")" 0
has "a page of others is told" "$dir/report.out" "perf0 report: left out: .*other.html: this is no page of perf0"
mkdir "$dir/pages"
mv "$dir/results/latency.html" "$dir/pages/"
$perf0 report --html "$dir/pages/index.html" "$dir/pages" >"$dir/out" 2>&1
has "pages alone have an index" "$dir/pages/index.html" '.*<a href="latency.html">Latency and .*'
$perf0 report --html "$dir/pages/index.html" "$dir/pages" >"$dir/out" 2>&1
is "an index does not name itself" "$(grep -c 'href="index.html"' "$dir/pages/index.html")" 0
is "a page that cannot be written is told before the run" \
	"$($perf0 record --html /no/such/x.html -e cycles -c 1000 -- loop 2>&1; echo $?)" \
	"perf0: --html: /no/such/x.html: No such file or directory
1"

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

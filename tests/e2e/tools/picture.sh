# SPDX-License-Identifier: BSD-2-Clause
# Pictures: plan --svg and --html, --html and --plot of stat and bench. They show the printed figures, are well-formed,
# fetch nothing, and are written whole or not at all.
. "$(dirname "$0")/../_lib.sh"

look() { python3 tests/e2e/tools/picture.py "$@" 2>&1; }

# refused WHAT STATUS LINE FILE ARGS...: checks that ARGS print LINE alone and leave no FILE.
refused() {
	what=$1 wanted=$2 line=$3 file=$4
	shift 4
	"$@" >"$dir/out" 2>"$dir/err"
	is "$what: status" $? "$wanted"
	is "$what: one line" "$(grep -c . "$dir/err")" 1
	has "$what: which" "$dir/err" "$line"
	[ -z "$file" ] || is "$what: no file" "$(ls "$file"* 2>/dev/null)" ""
}

# --- The schedule ---
nine=cycles,instructions,ref-cycles,r0208,r0249,r0285,r0e08,r0e49,l1d_pend_miss.pending
$perf0 plan --uarch hsw -e $nine >"$dir/plain"
$perf0 plan --uarch hsw -e $nine --svg "$dir/nine.svg" --html "$dir/nine.html" >"$dir/with"
is "plan: both files, status 0" $? 0
is "plan: prints the same" "$(cmp "$dir/plain" "$dir/with")" ""
is "plan: the SVG" "$(look svg "$dir/nine.svg")" right
is "plan: the page" "$(look page "$dir/nine.html")" right
$perf0 plan --uarch hsw -e $nine --json --svg "$dir/again.svg" >"$dir/json"
is "plan: each run draws the same" "$(cmp "$dir/nine.svg" "$dir/again.svg")" ""
is "plan: what is drawn is what is planned" "$(look schedule "$dir/nine.svg" "$dir/json")" right
$perf0 plan --uarch hsw -e l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending --svg "$dir/two.svg" >"$dir/out"
is "plan: tells why an event waits" "$(grep -c 'cycle_activity.stalls_l1d_pending waits, slice 1: cycle_activity.stalls_l1d_pending needs PMC2; held by l1d_pend_miss.pending on PMC2<' "$dir/two.svg")" 1
is "the picture in README.md is what its command draws" "$(cmp "$dir/nine.svg" docs/schedule.svg)" ""

events=$(i=0; while [ $i -lt 64 ]; do printf 'r%02x%02x,' $((i % 200 + 1)) 32; i=$((i + 1)); done)
$perf0 plan --uarch hsw -e "${events%,}" --ticks 1000000 --json --svg "$dir/many.svg" >"$dir/json"
is "plan: 64 events, a million slices" "$(look schedule "$dir/many.svg" "$dir/json")" right
is "plan: below 2 MB" "$(($(wc -c <"$dir/many.svg") < 2000000))" 1
for u in zen4 icl k8; do
	$perf0 plan --uarch $u -e '{cycles,instructions},page-faults,cpu-clock' --watchdog --json --svg "$dir/$u.svg" >"$dir/json"
	is "plan: groups, software and the watchdog on $u" "$(look schedule "$dir/$u.svg" "$dir/json")" right
done
refused "plan --svg into no folder" 1 'perf0 plan: .*/none/x.svg: No such file or directory' "$dir/none/x.svg" $perf0 plan --uarch hsw -e cycles --svg "$dir/none/x.svg"
refused "plan --svg over a folder" 1 'perf0 plan: .*: is there and is no plain file' "" $perf0 plan --uarch hsw -e cycles --svg "$dir"
refused "plan --svg and --html in one" 1 'perf0 plan: --svg and --html name the same file, .*/x' "$dir/x" $perf0 plan --uarch hsw -e cycles --svg "$dir/x" --html "$dir/x"
refused "plan of no event" 2 "perf0 plan: -e: column 1: there is no event 'nosuch'" "$dir/x" $perf0 plan --uarch hsw -e nosuch --svg "$dir/x"
refused "plan --svg without a name" 2 "perf0 plan: --svg: '' is not a file name" "" $perf0 plan --uarch hsw -e cycles --svg ''
refused "plan --svg on a full disk" 1 'perf0 plan: .*/full.svg: File too large' "$dir/full.svg" sh -c "ulimit -f 1; exec $perf0 plan --uarch hsw -e $nine --svg $dir/full.svg"
echo old >"$dir/old.svg"
(ulimit -f 1; exec $perf0 plan --uarch hsw -e $nine --svg "$dir/old.svg") >"$dir/out" 2>&1
is "plan: where a new one fails the old one stays" "$(cat "$dir/old.svg")" old

# --- Measurements ---
run="--machine-timeout $patience"
$perf0 stat $run --uarch hsw -j -e instructions:u,branches:u,r0208,r0249,r0285,r0e08,r0e49,task-clock --html "$dir/stat.html" -- loop 1000000 >"$dir/json" 2>"$dir/err"
is "stat --html: status" "$? $(cat "$dir/err")" "0 "
is "stat: events that take turns" "$(look same "$dir/stat.html" "$dir/json")" right
is "stat: their schedule" "$(grep -c 'the same every 7 slices' "$dir/stat.html")" 1
$perf0 stat $run -j -r 3 --certificate -e instructions:u,cycles,bpf-output --html "$dir/runs.html" -- regions 1000 >"$dir/json" 2>"$dir/err"
is "stat: several runs, regions, one that is not supported" "$(look same "$dir/runs.html" "$dir/json")" right
is "stat: the certificate" "$(grep -c '<p class="pass">PASS</p>' "$dir/runs.html")" 1
is "stat: the machine" "$(grep -c "vpmu&#39;s: skx" "$dir/runs.html")" 1
mkdir -p "$dir/p" && cp /usr/bin/true "$dir/p/<b>&\"'"
$perf0 stat $run -x , -e instructions:u --html "$dir/name.html" -- "$dir/p/<b>&\"'" "<i>" >"$dir/out" 2>&1
is "stat: names of programs are text" "$? $(look page "$dir/name.html") $(grep -c '<i>' "$dir/name.html")" "0 right 0"
$perf0 bench $run -j --histogram --asm 'mov RAX, [RAX]' --asm-init 'mov rax, r14; mov [rax], rax' -n 40 -e instructions,cycles,r0208,r0249,r0285,r0e08,r0e49 --html "$dir/bench.html" >"$dir/json" 2>"$dir/err"
is "bench --html: status" "$? $(cat "$dir/err")" "0 "
is "bench: its figures" "$(look same "$dir/bench.html" "$dir/json")" right
is "bench: a schedule for each pass" "$(grep -c 'Pass [12]: all the time' "$dir/bench.html")" 2
is "bench: values come as often as there are measurements" "$(python3 -c 'import json, sys
print({sum(h[2] for h in json.loads(x)["histogram"]) for x in sys.stdin if "benchmark" in x})' <"$dir/json")" "{40}"
$perf0 bench $run --asm nop >"$dir/plain" 2>&1
$perf0 bench $run --asm nop --html "$dir/nop.html" >"$dir/with" 2>&1
is "bench: --html changes nothing of what is printed" "$(cmp "$dir/plain" "$dir/with")" ""

$perf0 bench $run -j --trace --asm 'imul rax, rbx; mov rcx, [r14]' -u 4 -n 5 -e instructions,cycles,mem_load_retired.l1_hit --html "$dir/trace.html" >"$dir/json" 2>"$dir/err"
is "bench --trace: its figures" "$? $(look same "$dir/trace.html" "$dir/json") $(grep -c '<h2>Cycle by cycle</h2>' "$dir/trace.html")" "0 right 1"

is "bench --trace: its micro-operations, in the model" "$(grep -c '<h2>Micro-operation by micro-operation</h2>' "$dir/trace.html") $(grep -c ' cycles each, .*\[modelled: ' "$dir/trace.html")" "1 1"

refused "--plot with an unknown ending" 2 "perf0 bench: --plot: '.*/x.jpg' is not the name of an .svg or a .png" "$dir/x.jpg" $perf0 bench --asm nop --plot "$dir/x.jpg"
refused "stat --plot without -I" 2 'perf0 stat: --plot needs --interval-print: it draws counts over time; --html has all others' "$dir/x.svg" $perf0 stat --plot "$dir/x.svg" -- loop
refused "bench -o with --html" 2 'perf0 bench: --html and --output exclude each other: what is only made is not measured' "$dir/x" $perf0 bench --asm nop -o "$dir/code" --html "$dir/x"
refused "bench --html into no folder" 1 'perf0 bench: --html: .*/none/x: No such file or directory' "$dir/none/x" $perf0 bench --asm nop --html "$dir/none/x"
refused "stat --html over a folder" 1 'perf0 stat: --html: .*: is there and is no plain file' "" $perf0 stat --html "$dir" -- loop
refused "--html and --plot in one" 1 'perf0 bench: --html and --plot name the same file, .*/x.svg' "$dir/x.svg" $perf0 bench --asm nop --html "$dir/x.svg" --plot "$dir/x.svg"
mkdir -p "$dir/path"
for tool in qemu-system-x86_64 as ld objcopy; do ln -sf "$(command -v $tool)" "$dir/path/$tool"; done
refused "--plot of a PNG without rsvg-convert" 1 'perf0 bench: --plot: rsvg-convert: not found: install the package librsvg2-bin' "$dir/x.png" env PATH="$PWD/$dir/path" $perf0 bench --asm nop --plot "$dir/x.png"

$perf0 stat $run -I 10 --summary -j -e instructions:u,task-clock --html "$dir/over.html" --plot "$dir/over.svg" -- loop 2000000 >"$dir/json" 2>"$dir/err"
is "stat -I --plot: status" "$? $(cat "$dir/err")" "0 "
is "stat -I: intervals and summary" "$(look same "$dir/over.html" "$dir/json")" right
is "stat -I --plot: the SVG" "$(look svg "$dir/over.svg")" right
is "stat -I --plot: both events" "$(grep -c '<text class="n" .*>\(instructions:u\|task-clock\)' "$dir/over.svg")" 2
is "stat -I --plot: draws what the page draws" "$(grep -c '<rect .*<title>' "$dir/over.svg")" "$(grep -c '<rect .*<title>.* to .*: ' "$dir/over.html")"
if command -v rsvg-convert >/dev/null; then
	$perf0 bench $run --asm "mov rax, [r14] # it's" -n 20 --plot "$dir/bench.png" >"$dir/out" 2>"$dir/err"
	is "bench --plot: a PNG" "$? $(head -c 4 "$dir/bench.png" | tail -c 3)" "0 PNG"
else
	skip "--plot of a PNG" "no rsvg-convert here"
fi
is "no file of the conversion is left" "$(ls -d /tmp/perf0-plot-* 2>/dev/null)" ""

# --- The gate ---
$perf0 gate --update --baseline "$dir/base" --html "$dir/first.html" -- loop 1000 >"$dir/out" 2>&1
is "gate --html: all are new" "$? $(look page "$dir/first.html") $(grep -c '>new</td>' "$dir/first.html")" "0 right 6"
awk -F '\t' -v OFS='\t' '$3 == "instructions:u" && $2 == "event" { $4-- } { print }' "$dir/base" >"$dir/less"
$perf0 gate --baseline "$dir/less" --html "$dir/gate.html" -- loop 1000 >"$dir/out" 2>&1
is "gate --html: one instruction more" "$? $(look page "$dir/gate.html") $(grep -c '>+1</td>.*>worse</td>' "$dir/gate.html")" "1 right 1"

# A browser shows the page; messages of its console are in the log.
if command -v chromium >/dev/null; then
	for page in nine stat bench; do
		chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$PWD/$dir/profile" --enable-logging=stderr --window-size=1000,1400 \
			--screenshot="$PWD/$dir/$page.png" "file://$PWD/$dir/$page.html" >"$dir/browser" 2>&1
		is "$page.html in a browser" "$(grep -c CONSOLE "$dir/browser") $(head -c 4 "$dir/$page.png" | tail -c 3)" "0 PNG"
	done
else
	skip "pages in a browser" "no chromium here"
fi
finish

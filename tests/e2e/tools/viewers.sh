# SPDX-License-Identifier: BSD-2-Clause
# Viewers read the written files: perf's report, script, annotate and data convert, and hotspot's parser. (outputs.sh
# tests speedscope's file.)
. "$(dirname "$0")/../_lib.sh"

perfparser=/usr/lib/$(gcc -print-multiarch)/libexec/hotspot-perfparser
chain="deep8 deep7 deep6 deep5 deep4 deep3 deep2 workload_deep"

# The recordings: a chain of eight calls (deep), in ring 3 alone and with ring 0; two functions without chains; loads.
boot "$dir/run" -o "$dir/run.d" -- record -g -e instructions:u -c 1009 deep 10000 \; \
	record -g -e instructions -c 100 deep 1000 \; record -e instructions:u,cycles -c 10007 hotcold 500 \; \
	record -d -W -e mem-loads:P -c 1000 chase 100000
is "one run" $status 0
for n in 0 1 2 3; do
	$perf0 decode "$dir/run.d/stream.perf0" --command $n -o "$dir/$n.data" 2>/dev/null
done
samples=$(perf script -i "$dir/0.data" -F comm 2>/dev/null | grep -c deep)

perf report -g --stdio --no-children -i "$dir/0.data" >"$dir/report" 2>"$dir/err"
is "perf report -g" "$? $(grep -v '^$' "$dir/err")" "0 "
is "perf report -g: the tree" \
	"$(awk '{ sub(/ *$/, ""); sub(/.*[- ]/, "") } /^deep[0-9]$|^workload_deep$/' "$dir/report" | tr '\n' ' ')" \
	"deep8 workload_deep deep2 deep3 deep4 deep5 deep6 deep7 deep8 "
has "perf report -g: nothing but the chain's leaf has samples of its own" "$dir/report" \
	'   100\.00%  deep     perf0\.elf      \[\.\] deep8 *'
perf report -g --stdio --no-children -i "$dir/1.data" >"$dir/report" 2>"$dir/err"
is "ring 0 in the chain: no complaint" "$? $(grep -v '^$' "$dir/err")" "0 "
is "ring 0 in the chain: named, too" "$(grep -c 'sched_loop' "$dir/report" | sed 's/^[1-9].*/yes/')" yes

perf script -i "$dir/0.data" >"$dir/script" 2>"$dir/err"
is "perf script: the chain of every sample" \
	"$(awk 'NF > 2 && $1 ~ /^[0-9a-f]+$/ { sub(/\+.*/, "", $2); c = c $2 " " } !NF { print c; c = "" }' \
		"$dir/script" | sort | uniq -c | sed 's/^ *//; s/ $//')" "$samples $chain"
$perf0 decode "$dir/run.d/stream.perf0" --command 0 --text >"$dir/text" 2>/dev/null
is "--text has the same" "$(md5sum <"$dir/text")" "$(md5sum <"$dir/script")"
$perf0 decode "$dir/run.d/stream.perf0" --command 0 --folded >"$dir/folded" 2>/dev/null
is "--folded: one stack, all events" "$(cat "$dir/folded")" \
	"deep;workload_deep;deep2;deep3;deep4;deep5;deep6;deep7;deep8 $((samples * 1009))"
$perf0 decode "$dir/run.d/stream.perf0" --command 1 --folded >"$dir/folded" 2>/dev/null
has "--folded: ring 0 on top of ring 3" "$dir/folded" 'deep;workload_deep;.*sched_loop_\[k\].*'
$perf0 decode "$dir/run.d/stream.perf0" --command 0 --speedscope >"$dir/speedscope" 2>/dev/null
is "--speedscope: stacks by its schema" "$(python3 tests/e2e/tools/speedscope.py "$dir/speedscope")" \
	"instructions:u, CPU 0: ok"

perf annotate --stdio -i "$dir/0.data" deep8 >"$dir/annotate" 2>&1
is "perf annotate" $? 0
is "perf annotate: percentages on the loop's instructions" \
	"$(awk '$1 > 1 && $1 <= 100 && /:\t|: +[0-9a-f]+:/ { n++ } END { print (n > 0) }' "$dir/annotate")" 1

perf data convert --to-json "$dir/converted" -i "$dir/0.data" >"$dir/out" 2>&1
is "perf data convert --to-json" "$? $(python3 -c '
import json, sys
samples = json.load(open(sys.argv[1]))["samples"]
print(len(samples), *{" ".join(f["symbol"] for f in s["callchain"]) for s in samples})' "$dir/converted")" \
	"0 $samples $chain"

# perf mem shows loads with data sources and latencies.
perf mem report --stdio -i "$dir/3.data" >"$dir/mem" 2>"$dir/err"
is "perf mem report" "$? $(grep -v '^$' "$dir/err")" "0 "
has "perf mem report: a load's function, latency and level" "$dir/mem" \
	' +[0-9.]+% +[0-9]+ +[0-9]+ +(L[123]|LFB|Local RAM).* hit +\[\.\] workload_chase .*'

# hotspot's parser counts the records, and names functions of both rings.
for n in 0 1 2; do
	total=$(perf report --stats -i "$dir/$n.data" 2>/dev/null | awk '$1 == "SAMPLE" { print $3; exit }')
	stats=$($perfparser --print-stats --input "$dir/$n.data" 2>/dev/null)
	is "hotspot: samples of command $n" "$(echo "$stats" | sed -n 's/^samples: //p')" "$total"
	is "hotspot: all in order, command $n" "$(echo "$stats" | sed -n 's/^samples time violations: //p')" 0
	$perfparser --input "$dir/$n.data" --output "$dir/$n.hotspot" 2>"$dir/err"
	is "hotspot: converts command $n" $? 0
done
names() { strings -n 3 "$dir/$1.hotspot" | grep -xE "$2" | sort -u | tr '\n' ' '; }
is "hotspot: names of a chain" "$(names 0 'deep[0-9]|workload_deep')" \
	"deep2 deep3 deep4 deep5 deep6 deep7 deep8 workload_deep "
is "hotspot: names of ring 0" "$(names 1 'user_leave|task_run')" "task_run user_leave "
is "hotspot: names without chains" "$(names 2 'hot|cold')" "cold hot "

finish

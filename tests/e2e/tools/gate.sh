# SPDX-License-Identifier: BSD-2-Clause
# perf0 gate compares benchmarks of a program with a baseline: one instruction more in one benchmark, shards, results
# that depend on the clock, mistakes.
. "$(dirname "$0")/../_lib.sh"

echo 'int main(void) { return 0; }' >"$dir/static.c"
if ! gcc -static -o "$dir/static" "$dir/static.c" 2>"$dir/static.err"; then
	skip "the gate" "no static libc here ($(head -n 1 "$dir/static.err"))"
	exit 0
fi
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
most=$(either 10 50) # benchmarks

# Each benchmark is a function. Function 7 also executes CHANGE once.
{
	printf '%s\n' '#include <stdlib.h>' '#include <sys/auxv.h>' '#include <time.h>' '#include <unistd.h>' '#ifndef CHANGE' '#define CHANGE' '#endif'
	for n in $(seq 0 49); do
		echo "__attribute__((noinline)) static unsigned work_$n(unsigned x) {"
		[ "$n" != 7 ] || echo "CHANGE"
		echo "for (unsigned i = 0; i < 500 + $n; i++) x = x * 1664525 + $n; return x; }"
	done
	cat <<'SOURCE'
__attribute__((noinline)) static unsigned work_by_clock(unsigned x)
{
	for (time_t left = time(NULL) % 997; left--;)
		x = x * 5 + 1;
	return x;
}
__attribute__((noinline)) static unsigned work_by_chance(unsigned x)
{
	unsigned char bytes[2];

	if (getentropy(bytes, 2))
		abort();
	for (unsigned n = bytes[0]; n--;)
		x = x * 5 + 1;
	return x;
}
SOURCE
	cat <<'SOURCE'
__attribute__((noinline)) static unsigned work_by_address(unsigned x)
{
	for (unsigned n = *(unsigned char *)getauxval(25 /* AT_RANDOM */); n--;)
		x = x * 5 + 1;
	return x;
}
SOURCE
	echo "static unsigned (*const all[])(unsigned) = {"
	for n in $(seq 0 49); do echo "work_$n,"; done
	echo "work_by_clock, work_by_chance, work_by_address};"
	echo 'int main(int argc, char **argv) { volatile unsigned x = argc; x = all[atoi(argv[1])](x); return argc > 2 ? atoi(argv[2]) : 0; }'
} >"$dir/fifty.c"
build() { gcc -O2 -g -static "$@" -o "$dir/fifty" "$dir/fifty.c" || not_ok "the program is built" ""; }
build

# toml N: prints a configuration with the first N benchmarks.
toml() {
	echo '[gate]'
	echo 'baseline = "fifty.baseline"'
	for n in $(seq 0 $(($1 - 1))); do
		printf '[[benchmark]]\nname = "w%02d"\nprogram = "./fifty"\nargs = ["%d"]\n' "$n" "$n"
	done
}
toml "$most" >"$dir/perf0.toml"

# gate ARGS...: runs perf0 gate ARGS; outputs go to $dir/out and $dir/err, the status to $status.
gate() {
	$perf0 gate "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}
config="--config $dir/perf0.toml"

gate $config
is "without a baseline: status, one line" "$status $(cat "$dir/err")" \
	"2 perf0 gate: $dir/fifty.baseline: there is no baseline yet; --update makes it"
gate $config --update
is "the baseline is made" "$status $(cat "$dir/err")" "0 "
has "it is said how many" "$dir/out" "$most benchmarks: $most not in the baseline"
has "its first line" "$dir/fifty.baseline" '# perf0 gate 2	version=[^	]+	uarch=skx	machine=[0-9a-f]{16}	cpu=EPYC	on=\{"perf0" : "[^	]+\}'
is "its lines are sorted" "$(sed '1d;$d' "$dir/fifty.baseline" | LC_ALL=C sort -c 2>&1)" ""
is "each benchmark has six events" "$(grep -c '	event	' "$dir/fifty.baseline")" $((6 * most))
count() { awk -F'\t' -v b="$1" -v e="$2" '$1 == b && $2 == "event" && $3 == e { print $4 }' "$dir/fifty.baseline"; }
direct() { $perf0 stat -x , -e "$2" -- "$dir/fifty" "$1" 2>/dev/null | cut -d , -f 1; }
is "instructions are stat's" "$(count w07 instructions:u)" "$(direct 7 instructions:u)"
is "loads are stat's" "$(count w07 loads:u)" "$(direct 7 mem_inst_retired.all_loads:u)"
cp "$dir/fifty.baseline" "$dir/before"

gate $config
is "unchanged: status, nothing else" "$status $(cat "$dir/out" "$dir/err")" "0 $most benchmarks: $most unchanged"

# One benchmark executes one instruction more.
build '-DCHANGE=__asm__ volatile("nop");'
GITHUB_STEP_SUMMARY=$dir/summary GITHUB_ACTIONS=true gate $config --junit "$dir/junit" --gitlab "$dir/gitlab"
is "one instruction more: status" "$status" 1
has "the benchmark is named" "$dir/out" 'w07 +instructions:u +[0-9,]+ +[0-9,]+ +\+1 +\+[0-9.]+% +worse'
has "the function is named" "$dir/out" ' +work_7 [0-9,]+ -> [0-9,]+ \(\+1\) instructions, (other code|code [0-9]+ -> [0-9]+ bytes), .*fifty.c:[0-9]+'
is "no other benchmark is" "$(grep -cE '^w[0-9]+ ' "$dir/out")" 1
has "how many" "$dir/out" "$most benchmarks: 1 worse, $((most - 1)) unchanged"
has "an annotation of GitHub's" "$dir/out" "::error file=$dir/fifty\.c,line=[0-9]+,title=w07::instructions:u .*work_7.*"
has "the step's summary" "$dir/summary" "$most benchmarks: 1 worse, $((most - 1)) unchanged"
is "JUnit's XML" "$(python3 -c 'import sys, xml.etree.ElementTree as e
s = e.parse(sys.argv[1]).getroot()
print(s.get("tests"), s.get("failures"), [c.get("name") for c in s if len(c)])' "$dir/junit")" "$most 1 ['w07']"
is "GitLab's JSON" "$(python3 -c 'import sys, json
for i in json.load(open(sys.argv[1])): print(i["severity"], i["description"].split(":")[0], i["location"]["path"])' "$dir/gitlab")" \
	"major w07 $dir/fifty.c"
# Shards.
build
gate $config --update -o "$dir/whole"
cp "$dir/whole" "$dir/before"
build '-DCHANGE=__asm__ volatile("nop");'
gate $config --tolerance instructions:u=1
is "within a tolerance: status" "$status" 0
has "within a tolerance: it is told" "$dir/out" 'w07 .* in tolerance'
is "the baseline is as it was" "$(cmp "$dir/before" "$dir/fifty.baseline" 2>&1)" ""
gate $config --update
is "--update: status" "$status" 0
is "--update: what differs in the baseline" \
	"$(diff "$dir/before" "$dir/fifty.baseline" | grep -E '^[<>].*	event	' | cut -f 1,3 | sort -u | tr '\n\t' ', ')" \
	"< w07 instructions:u,> w07 instructions:u,"
build
gate $config --update
is "one instruction fewer: status" "$status" 0
has "one instruction fewer: it is told" "$dir/out" 'w07 .* -1 .* better'
has "and what to do" "$dir/out" '..update makes what was measured the baseline'
is "the baseline is what it was" "$(cmp "$dir/before" "$dir/fifty.baseline" 2>&1)" ""
for i in 3 1 2; do
	gate $config --shard $i/3 -o "$dir/shard$i"
	is "shard $i of 3: status" "$status $(cat "$dir/err")" "0 "
done
gate merge -o "$dir/merged" "$dir/shard2" "$dir/shard3" "$dir/shard1"
is "three shards: status" "$status $(cat "$dir/err")" "0 "
is "three shards are one machine's bytes" "$(cmp "$dir/merged" "$dir/whole" 2>&1)" ""
is "which are the baseline's" "$(cmp "$dir/whole" "$dir/fifty.baseline" 2>&1)" ""
gate merge -o "$dir/lost" "$dir/shard1" "$dir/shard3"
is "a shard is lost" "$status $(cat "$dir/err")" "2 perf0 gate: of 3 shards 1 is missing: 2
perf0 gate: shard 2 is made up by: perf0 gate --shard 2/3 -o part2"
gate merge -o "$dir/lost" "$dir/shard1" "$dir/shard3" "$dir/shard1"
is "a shard comes twice" "$status $(cat "$dir/err")" "2 perf0 gate: $dir/shard1 and $dir/shard1 are both shard 1 of 3"
sed 's/^\(w05	event	instructions:u	\).*/\11/' "$dir/whole" >"$dir/better"
gate merge -o "$dir/again" --baseline "$dir/better" "$dir/shard1" "$dir/shard2" "$dir/shard3"
is "what was merged is compared" "$status $(grep -c '^w05 .*worse' "$dir/out")" "1 1"

gate merge --tolerance branches:u=1000000 --baseline "$dir/better" -o "$dir/again" "$dir/shard1" "$dir/shard2" "$dir/shard3"
is "another event's tolerance is none of it" "$status $(grep -c '^w05 .*worse' "$dir/out")" "1 1"
gate merge --tolerance branches:u=0,1000000 --baseline "$dir/better" -o "$dir/again" "$dir/shard1" "$dir/shard2" "$dir/shard3"
is "the others' tolerance is" "$status $(grep -c '^w05 .*in tolerance' "$dir/out")" "0 1"

# The baseline of the configuration, and the default beside it.
gate merge $config "$dir/shard1" "$dir/shard2" "$dir/shard3"
is "merge: the configuration's baseline" "$status $(tail -n 1 "$dir/out")" "0 $most benchmarks: $most unchanged"
mkdir "$dir/beside"
sed -e '/^baseline/d' -e 's,"./fifty","../fifty",' "$dir/perf0.toml" | head -n 5 >"$dir/beside/perf0.toml"
gate --config "$dir/beside/perf0.toml" --update
is "the default baseline is beside the configuration" "$status $(ls "$dir/beside" | paste -sd,)" "0 perf0.baseline,perf0.toml"
gate --config "$dir/beside/perf0.toml"
is "and found there" "$status $(cat "$dir/out" "$dir/err")" "0 1 benchmark: 1 unchanged"
gate --config "$dir/beside/perf0.toml" --shard 1/1 -o "$dir/beside/part"
perf0_path=$(realpath "$perf0")
(cd "$dir/beside" && "$perf0_path" gate merge part) >"$dir/out" 2>&1
is "merge: finds both by itself" "$? $(cat "$dir/out")" "0 1 benchmark: 1 unchanged"
rm "$dir/beside/perf0.baseline"
gate merge --config "$dir/beside/perf0.toml" "$dir/beside/part"
is "merge: without any" "$status $(cat "$dir/err")" \
	"2 perf0 gate: $dir/beside/perf0.baseline: there is no baseline yet; --update makes it"
sed '1s/version=[^	]*/version=0.0.9/' "$dir/whole" >"$dir/older"
gate merge --baseline "$dir/older" "$dir/shard1" "$dir/shard2" "$dir/shard3"
is "a baseline of another version is told" "$status $(cut -d, -f1 "$dir/err")" \
	"0 perf0 gate: $dir/older is of perf0 0.0.9"

# Benchmarks that depend on the clock or on chance, and those that fail.
cat >"$dir/odd.toml" <<TOML
[gate]
baseline = "odd.baseline"
events = ["instructions:u", "cycles:u"]
[[benchmark]]
name = "by clock"
program = "./fifty"
args = ["50"]
[[benchmark]]
name = "by clock, which is meant"
program = "./fifty"
args = ["50"]
same-clock = true
[[benchmark]]
name = "by chance"
program = "./fifty"
args = ["51"]
[[benchmark]]
name = "by AT_RANDOM"
program = "./fifty"
args = ["52"]
[[benchmark]]
name = "by chance, which is meant"
program = "./fifty"
args = ["51"]
same-seed = true
[[benchmark]]
name = "fails"
program = "./fifty"
args = ["1", "7"]
TOML
gate --config "$dir/odd.toml" --update
is "odd ones: status" "$status" 2
has "what reads the clock is named, and the function" "$dir/out" \
	'not deterministic: by clock: instructions:u [0-9,]+, then [0-9,]+, most of it in work_by_clock'
is "it alone is" "$(grep -c '^not deterministic: by clock: instr' "$dir/out") $(grep -c 'deterministic: .*\(chance\|RANDOM\|meant\)' "$dir/out")" "1 0"
has "what random numbers change is another thing" "$dir/out" \
	'by chance: by chance: instructions:u [0-9,]+, with other random numbers [0-9,]+, most of it in work_by_chance'
has "AT_RANDOM is of them" "$dir/out" \
	'by chance: by AT_RANDOM: instructions:u [0-9,]+, with other random numbers [0-9,]+, most of it in work_by_address'
is "no other depends on them" "$(grep '^by chance: ' "$dir/out" | cut -d: -f2 | sort -u | paste -sd,)" " by AT_RANDOM, by chance"
has "and how many" "$dir/out" '4 benchmarks: .*; 2 depend on random numbers'
is "what fails is named" "$(cat "$dir/err")" "perf0 gate: fails fails with status 7
perf0 gate: $dir/odd.baseline stays as it was"

gate --strict --update --baseline "$dir/none" -- "$dir/fifty" 51
is "--strict: status" "$status" 2
has "--strict: chance is as bad as the clock" "$dir/out" \
	'not deterministic: fifty 51: instructions:u [0-9,]+, with other random numbers [0-9,]+, most of it in work_by_chance'

# PMUs of several personalities, and a program on the command line.
for u in hsw $(one_of icl adl zen4); do
	gate --uarch $u --update --baseline "$dir/$u.baseline" -- "$dir/fifty" 3
	is "$u: six events" "$status $(grep -c '^fifty 3	event' "$dir/$u.baseline")" "0 6"
	is "$u: what each count is" "$(awk -F'\t' '$2 == "event" && $3 == "syscalls" { s = $4 } $2 == "event" && $3 == "stores:u" { w = $4 } END { print (s > 3 && s < 30), (w > 100) }' "$dir/$u.baseline")" "1 1"
done
gate --uarch skx --baseline "$dir/hsw.baseline" -- "$dir/fifty" 3
is "another PMU's baseline" "$status $(cat "$dir/err")" "2 perf0 gate: $dir/hsw.baseline is of --uarch hsw, and this is skx"
gate --uarch hsw --baseline "$dir/hsw.baseline" -- "$dir/fifty" 4
is "another benchmark than the baseline's: status" "$status" 2
has "it is told" "$dir/out" 'gone: fifty 3 is in the baseline, and was not measured'

# Counts of different classes: without the plugin branches are ratios.
gate --update --baseline "$dir/exact" -- "$dir/fifty" 3
is "the class of each count is in the baseline" "$(grep -c '	event	branches:u	[0-9]*	exact$' "$dir/exact")" 1
gate --events ratios --baseline "$dir/exact" -- "$dir/fifty" 3
is "ratios are not compared with exact counts" "$status $(grep -c 'worse\|better' "$dir/out") $(grep -v 'another machine' "$dir/err")" \
	"2 0 perf0 gate: fifty 3: branches:u is 'exact' in the baseline and 'ratio' now: counts of another class are not compared; --update takes the new ones"
gate --memory 300M --baseline "$dir/exact" -- "$dir/fifty" 3
is "what differs of the machine is told" "$status $(cat "$dir/err")" \
	"0 perf0 gate: $dir/exact was measured by another machine: --memory was 256 and is 300"
sed 's/	exact$//' "$dir/exact" >"$dir/untold"
LD_BIND_NOW=1 gate --baseline "$dir/untold" -- "$dir/fifty" 3
is "a baseline without classes is compared, and the plugin counts under LD_BIND_NOW" "$status $(cat "$dir/out" "$dir/err")" \
	"0 1 benchmark: 1 unchanged"

# A QEMU whose interface for plugins is not known: the gate judges ratios, and says so; there are no profiles.
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo QEMU emulator version 11.1.2\nexec qemu-system-x86_64 "$@"\n' >"$dir/newest"
chmod +x "$dir/newest"
other_api="QEMU 11.1 and later have another interface for plugins (API 7)"
for action in --update ""; do
	gate $action --qemu "$dir/newest" --baseline "$dir/ratios" -- "$dir/fifty" 3
	is "a newer QEMU: gate $action" "$status $(grep -v 'a cold start' "$dir/err")" \
		"0 perf0: events are ratios of instructions and cycles: $other_api"
done
is "a newer QEMU: ratios are called that" "$(grep -c '	event	branches:u	[0-9]*	ratio$' "$dir/ratios")" 1
$perf0 profile --qemu "$dir/newest" -- "$dir/fifty" 3 >"$dir/out" 2>&1
is "a newer QEMU: no empty profile" "$? $(cat "$dir/out")" \
	"2 perf0 profile: profiles count what QEMU executes: $other_api; \`perf0 record\` samples there"

# With cpu-features programs find one CPU, whatever the personality, and the results tell it.
printf '%s\n' '[gate]' "baseline = \"level.baseline\"" 'cpu-features = "x86-64-v2"' '[[benchmark]]' 'program = "./fifty"' 'args = ["3"]' >"$dir/level.toml"
gate --config "$dir/level.toml" --update
has "the level is in the baseline" "$dir/level.baseline" '# perf0 gate 2	version=[^	]+	uarch=skx	machine=[0-9a-f]{16}	cpu=x86-64-v2	on=.*'
gate --config "$dir/level.toml" --json "$dir/level.json"
is "--json tells what was measured on" "$status $(python3 -c 'import json, sys; m = json.load(open(sys.argv[1]))["measured-on"]; print(m["--uarch"], m["--cpu-features"], m["--cpu"], m["--memory"], "QEMU" in m and "plugin" in m)' "$dir/level.json")" \
	"0 skx x86-64-v2 EPYC 256 True"
gate --config "$dir/level.toml" --cpu-features machine
has "another CPU of programs is told" "$dir/err" "perf0 gate: $dir/level.baseline is of programs that see the CPU x86-64-v2, and this is EPYC: libraries choose other functions"

# A mistake is reported in one line, and starts no machine.
refused() {
	what=$1 wanted=$2
	shift 2
	gate "$@" --qemu /nowhere
	is "$what" "$status $(cat "$dir/err")" "2 perf0 gate: $wanted"
}
head -c 1000 "$dir/whole" >"$dir/cut" # in a line, or at its end
refused "a baseline that is cut off" \
	"$dir/cut: line $(awk 'END { print NR }' "$dir/cut"): the file is cut off: its last line is not '# end'" $config --baseline "$dir/cut"
sed '3s/^/<<<<<<< /' "$dir/whole" >"$dir/conflict"
refused "a baseline with lines out of order" \
	"$dir/conflict: line 3 is not in its place: lines are sorted by their bytes" $config --baseline "$dir/conflict"
printf '[gate]\ntolerance = 1.5\n' >"$dir/bad.toml"
refused "TOML that is wrong" \
	"$dir/bad.toml:2:13: a number that is not whole stands in quotes, as \"0.5%\"" --config "$dir/bad.toml"
printf '[gate]\ncpu-features = "v2"\n' >"$dir/bad.toml"
refused "a level that there is not" "$dir/bad.toml:2:16: cpu-features: this is not machine, x86-64, x86-64-v2 or x86-64-v3" --config "$dir/bad.toml"
printf '[[benchmark]]\nprogram = "./fifty"\nfoo = 1\n' >"$dir/bad.toml"
refused "a key that there is not" "$dir/bad.toml:3:1: there is no key 'foo' here" --config "$dir/bad.toml"
printf '[[benchmark]]\nprogam = "./fifty"\n' >"$dir/bad.toml"
refused "a key that is near to one" "$dir/bad.toml:2:1: there is no key 'progam' here; did you mean 'program'?" --config "$dir/bad.toml"
refused "no configuration" "$dir/none.toml: No such file or directory" --config "$dir/none.toml"
refused "no benchmark" "there is no benchmark: neither [[benchmark]] in perf0.toml nor a PROGRAM behind --"
refused "a tolerance that is none" "--tolerance: column 1: 'x' is not a number of events, or of percent as 0.5%, with EVENT= in front for one event" --tolerance x
refused "a tolerance for an event that is not counted" "--tolerance: a tolerance for 'loads', which is not counted" \
	--tolerance loads=1 -- "$dir/fifty" 3
refused "a shard that is none" "--shard: '4/3' is not I/N, with I from 1 to N" --shard 4/3
refused "a baseline of a shard" \
	"--shard and --update exclude each other: a baseline is of all benchmarks: \`gate merge --update\`" --shard 1/3 --update
gate --update --baseline "$dir/none" -- "$dir/nope"
is "a program that there is not" "$status $(cat "$dir/err")" \
	"2 perf0 gate: nope: stat: $dir/nope: No such file or directory"

# perf0 diff: results, the output of stat -j, perf.data and streams.
cat >"$dir/script" <<SCRIPT
stat -j -e instructions:u,branches:u -o $dir/a.json -- $dir/fifty 3
stat -j -e instructions:u,branches:u -o $dir/b.json -- $dir/fifty 4
record -e instructions:u -c 97 -o $dir/a.data -- $dir/fifty 3
record -e instructions:u -c 97 -o $dir/b.data -- $dir/fifty 4
SCRIPT
$perf0 shell "$dir/script" >/dev/null 2>&1
$perf0 run -o "$dir/run" -- record -e instructions:u -c 97 -- "$dir/fifty" 4 >/dev/null 2>&1
difference() {
	$perf0 diff "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}
difference "$dir/a.json" "$dir/b.json"
is "diff of counts" "$status $(awk '$NF == "instructions:u" { print $1, $2, $3 }' "$dir/out" | tr -d ,)" \
	"1 $(direct 3 instructions:u) $(direct 4 instructions:u) +$(($(direct 4 instructions:u) - $(direct 3 instructions:u)))"
difference "$dir/a.json" "$dir/a.json"
is "diff of the same counts" "$status $(cat "$dir/out")" "0 nothing differs"
difference "$dir/a.data" "$dir/b.data"
is "diff of recordings: the functions" "$status $(grep -oE ' work_[0-9]+$' "$dir/out" | sort | tr -d '\n')" "1  work_3 work_4"
is "diff of recordings: the lines" "$(grep -cE ' [^ ]*/fifty\.c:[0-9]+$' "$dir/out")" 2
perf report -i "$dir/b.data" --stdio -F period,sym 2>/dev/null | awk '/ work_4$/ { print $1 }' >"$dir/perf"
is "diff of recordings: samples are perf's" "$(awk '$NF == "work_4" { print $2 }' "$dir/out" | tr -d ,)" "$(cat "$dir/perf")"
difference "$dir/b.data" "$dir/run/stream.perf0"
is "diff of a recording and its stream: samples are the same" "$status $(grep -c 'work\|\.c:' "$dir/out")" "1 0"
sed 's/^\(w05	event	instructions:u	\).*/\11/' "$dir/whole" >"$dir/better"
difference "$dir/better" "$dir/whole"
is "diff of results" "$status $(awk 'NR > 1 { print $1, $2 == "'"$(count w05 instructions:u | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta')"'", $5, $6 }' "$dir/out")" \
	"1 1 1 w05: instructions:u"
head -c 1000 "$dir/a.data" >"$dir/cut.data"
for bad in "cut.data:it is cut off: its records are not whole" \
	"fifty.c:this is no result of gate, no output of stat -j, no perf.data and no stream" \
	"cut:line $(awk 'END { print NR }' "$dir/cut"): the file is cut off: its last line is not '# end'" "nope:No such file or directory"; do
	difference "$dir/a.data" "$dir/${bad%%:*}"
	is "diff with a file that is wrong: ${bad%%:*}" "$status $(cat "$dir/err")" "2 perf0 diff: $dir/${bad%%:*}: ${bad#*:}"
done

# A typo in the name of a measured function does not judge the process in its place.
printf '[[benchmark]]\nname = "fifty 3"\nprogram = "./fifty"\nargs = ["3"]\nmeasure = "function:fitfy"\n' >"$dir/named.toml"
gate --config "$dir/named.toml" --baseline "$dir/named" --update
is "a function that is not executed" "$status $(cat "$dir/err")" \
	"2 perf0 gate: fifty 3: no function 'fitfy' is executed
perf0 gate: $dir/named stays as it was"

# The key for a cache in CI is the name of the file with the saved machine.
is "cache key" "$($perf0 cache key) $($perf0 cache key --uarch zen4 | grep -cE '^[0-9a-f]{16}$')" \
	"$(sed -n '1s/.*machine=\([0-9a-f]*\).*/\1/p' "$dir/whole") 1"
is "cache key: a file of the cache" "$(find "${XDG_CACHE_HOME:-$HOME/.cache}/perf0" -name "$($perf0 cache key).machine" | wc -l)" 1

# Another runner with the same package of QEMU has the same key. A script has no build-id: it is known as this very file.
key_anew() {
	chmod +x "$dir/qemu"
	key=$($perf0 cache key --qemu "$dir/qemu")
	cp "$dir/qemu" "$dir/qemu.anew" && touch -d 2020-01-01 "$dir/qemu.anew" && mv "$dir/qemu.anew" "$dir/qemu"
	[ "$key" ] && if [ "$key" = "$($perf0 cache key --qemu "$dir/qemu")" ]; then echo same; else echo other; fi
}
cp "$(command -v qemu-system-x86_64)" "$dir/qemu"
is "cache key: the same QEMU, installed anew" "$(key_anew)" same
printf '#!/bin/sh\nexec qemu-system-x86_64 "$@"\n' >"$dir/qemu"
is "cache key: a script that starts QEMU, made anew" "$(key_anew)" other
rm "$dir/qemu"

# Programs that list their benchmarks themselves.
if g++ -O2 -o "$dir/gb" -x c++ - -lbenchmark -lpthread 2>/dev/null <<'SOURCE'
#include <benchmark/benchmark.h>
static void sum(benchmark::State &s) { for (auto _ : s) { unsigned x = 1; for (int i = 0; i < s.range(0); i++) x = x * 5 + 1; benchmark::DoNotOptimize(x); } }
BENCHMARK(sum)->Arg(100)->Arg(1000);
__attribute__((noinline)) static void prepare(char *bytes, unsigned n) { for (unsigned i = 0; i < n; i++) bytes[i] = i % 3; benchmark::DoNotOptimize(bytes); }
static void late(benchmark::State &s) {
	static char bytes[9000];
	prepare(bytes, s.range(0));
	while (s.KeepRunning()) { s.PauseTiming(); prepare(bytes, s.range(0)); s.ResumeTiming(); prepare(bytes, 10); }
	prepare(bytes, s.range(0));
}
BENCHMARK(late)->Arg(100)->Arg(9000);
BENCHMARK_MAIN();
SOURCE
then
	gate --tolerance 0.1% --update --baseline "$dir/gb.baseline" -- "$dir/gb"
	is "Google Benchmark's are found: status" "$status" 0
	is "Google Benchmark's are found: names" "$(cut -f 1 "$dir/gb.baseline" | grep -v '^#' | sort -u | tr '\n' ' ')" "gb/late/100 gb/late/9000 gb/sum/100 gb/sum/1000 "
	loop() { sed -n "s,^gb/$1	inside	instructions:u	,,p" "$dir/gb.baseline"; }
	is "Google Benchmark: the loop alone is measured" "$(loop late/9000)" "$(loop late/100)"
	is "Google Benchmark: it is measured" "$(($(loop late/100) > 10 && $(loop sum/1000) - $(loop sum/100) == 900 * (($(loop sum/1000) - $(loop sum/100)) / 900)))" 1
	is "Google Benchmark: functions of the loop" "$(sed -n 's,^gb/late/9000	functions	2	\([^	]*\).*,\1,p' "$dir/gb.baseline")" late
else
	skip "Google Benchmark's names" "no libbenchmark here"
fi
# Functions of perf0_bench.h, in C++: what is done around them, and before them, does not count.
cat >"$dir/own.cc" <<'SOURCE'
#include <perf0_bench.h>
static volatile uint64_t made;
static void make(uint64_t n) { for (uint64_t i = 0; i < n * 100; i++) made = i; }
PERF0_BENCH(empty, 0, 0) { }
PERF0_BENCH(sum, 10, 30, .step = 10, .setup = make) { for (uint64_t s = 0, i = 0; i < arg; i++) { s += i; PERF0_KEEP(s); } }
SOURCE
$perf0 bench --cxx "$dir/own.cc" -o "$dir/own" >"$dir/out" 2>&1
gate --update --baseline "$dir/own.baseline" -- "$dir/own"
is "PERF0_BENCH: status" "$status $(cat "$dir/err")" "0 "
is "PERF0_BENCH: names" "$(cut -f 1 "$dir/own.baseline" | grep -v '^#' | sort -u | tr '\n' ' ')" "own/empty own/sum/10 own/sum/20 own/sum/30 "
inside() { sed -n "s,^own/$1	inside	instructions:u	,,p" "$dir/own.baseline"; }
is "PERF0_BENCH: the function alone is measured" \
	"$(($(inside sum/30) - $(inside sum/20) == $(inside sum/20) - $(inside sum/10))) $(($(inside empty) < 10 && $(inside sum/30) < 200))" "1 1"
gate --baseline "$dir/own.baseline" -- "$dir/own"
is "PERF0_BENCH: again" "$status $(cat "$dir/out")" "0 4 benchmarks: 4 unchanged"

# Regions that the program marks.
cat >"$dir/marked.c" <<'SOURCE'
#include <likwid-marker.h>
#ifndef INSIDE
#define INSIDE
#endif
#ifndef OUTSIDE
#define OUTSIDE
#endif
int main(void)
{
	volatile unsigned x = 0;

	for (int call = 0; call < 3; call++) {
		LIKWID_MARKER_START("turns: all");
		for (int i = 0; i < 100; i++)
			x += 3;
		INSIDE
		LIKWID_MARKER_STOP("turns: all");
		OUTSIDE
	}
	return 0;
}
SOURCE
marked() { gcc -O1 -g -static -DLIKWID_PERFMON -Ibench "$@" -o "$dir/marked" "$dir/marked.c"; }
nop='__asm__ volatile("nop");'
printf '[gate]\nbaseline = "marked.baseline"\n[[benchmark]]\nprogram = "./marked"\nmeasure = "regions"\n' >"$dir/marked.toml"
printf 'tolerance = "instructions:u=2"\n' | cat "$dir/marked.toml" - >"$dir/tolerant.toml"
marked
gate --config "$dir/marked.toml" --update
is "regions: status" "$status $(cat "$dir/err")" "0 "
is "regions: a count is stat's" "$(sed -n 's/^marked	inside	turns: all: instructions:u	//p' "$dir/marked.baseline")" \
	"$($perf0 stat -x , -e instructions:u -- "$dir/marked" 2>/dev/null | sed -n 's/^turns: all,3,\([0-9]*\),.*/\1/p')"
marked "-DOUTSIDE=$nop"
gate --config "$dir/marked.toml"
is "regions: others are not judged" "$status $(grep -c 'turns: all:' "$dir/out") $(grep -c '+3 .*not judged' "$dir/out")" "0 0 1"
marked "-DINSIDE=$nop"
gate --config "$dir/marked.toml"
is "regions: an instruction more in each call: status" "$status" 1
has "regions: it is told" "$dir/out" 'marked +turns: all: instructions:u +[0-9,]+ +[0-9,]+ +\+3 .*worse'
gate --config "$dir/tolerant.toml"
is "regions: a tolerance that is too small" "$status" 1
sed -i 's/u=2/u=3/' "$dir/tolerant.toml"
gate --config "$dir/tolerant.toml"
is "regions: an event's tolerance is for regions, too" "$status" 0
gcc -O1 -static -o "$dir/marked" "$dir/static.c"
gate --config "$dir/marked.toml" --update
has "regions: a program without any" "$dir/err" 'perf0 gate: marked: no region is marked: the whole process is measured'

# cargo puts a hash into a program's name, and leaves older programs beside it.
cat >"$dir/lt.rs" <<'SOURCE'
#![feature(test)]
extern crate test;
use test::{black_box, Bencher};
fn sum(n: u64) -> u64 { (0..n).fold(1, |x, i| x.wrapping_mul(5).wrapping_add(i)) }
#[bench] fn sum_100(b: &mut Bencher) { b.iter(|| sum(black_box(100))) }
#[bench] fn sum_1000(b: &mut Bencher) { b.iter(|| sum(black_box(1000))) }
#[test] fn it_is_no_benchmark() { assert_eq!(sum(0), 1) }
SOURCE
printf '[gate]\nbaseline = "lt.baseline"\n[[benchmark]]\nprogram = "./lt-*"\n' >"$dir/lt.toml"
if ! command -v rustc >/dev/null; then
	skip "libtest's names" "# not run: rustc --test: no rustc here"
elif RUSTC_BOOTSTRAP=1 rustc -O --test -o "$dir/lt-0123456789abcdef" "$dir/lt.rs" 2>"$dir/lt.err"; then
	cp -p "$dir/static" "$dir/lt-0123456789abcde0"
	touch -d '1 hour ago' "$dir/lt-0123456789abcde0"
	gate --config "$dir/lt.toml" --update
	is "libtest's are found: status" "$status $(cat "$dir/err")" "0 "
	is "libtest's are found: names" "$(cut -f 1 "$dir/lt.baseline" | grep -v '^#' | sort -u | tr '\n' ' ')" "lt/sum_100 lt/sum_1000 "
	gate --config "$dir/lt.toml"
	is "libtest's: again" "$status $(cat "$dir/out")" "0 2 benchmarks: 2 unchanged"
else
	not_ok "Rust's program is built" "$(cat "$dir/lt.err")"
fi
# Building criterion with all that it needs takes minutes.
if ! soaking; then
	skip "criterion's names" "# not run: cargo bench --no-run: it takes minutes (make soak)"
elif [ ! -d /usr/share/cargo/registry/criterion-0.3.6 ] || [ ! -x /usr/bin/cargo ]; then
	skip "criterion's names" "# not run: cargo bench --no-run: no librust-criterion-dev, or no cargo here"
else
	criterion_crate "$dir/cr" sums
	cat >"$dir/cr/benches/sums.rs" <<'SOURCE'
use criterion::*;
fn sum(n: u64) -> u64 { (0..n).fold(1, |x, i| x.wrapping_mul(5).wrapping_add(i)) }
fn sums(c: &mut Criterion) {
    for n in [100u64, 1000] { c.bench_with_input(BenchmarkId::new("sum", n), &n, |b, &n| b.iter(|| sum(black_box(n)))); }
}
criterion_group!(benches, sums);
criterion_main!(benches);
SOURCE
	(cd "$dir/cr" && PATH=/usr/bin:/bin cargo bench --offline --no-run) >"$dir/cr.log" 2>&1
	is "criterion's program is built" "$? $(tail -n 1 "$dir/cr.log" | cut -c 1-14)" "0   Executable b"
	printf '[gate]\nbaseline = "cr.baseline"\n[[benchmark]]\nprogram = "cr/target/release/deps/sums-*"\nsame-seed = true\n' >"$dir/cr.toml"
	gate --config "$dir/cr.toml" --update
	is "criterion's are found: status" "$status $(cat "$dir/err")" "0 "
	is "criterion's are found: names" "$(cut -f 1 "$dir/cr.baseline" | grep -v '^#' | sort -u | tr '\n' ' ')" "sums/sum/100 sums/sum/1000 "
fi
finish

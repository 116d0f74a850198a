# SPDX-License-Identifier: BSD-2-Clause
# Options of perf stat and perf record that their users know: intervals, delays, quiet output, colours.
. "$(dirname "$0")/../_lib.sh"

boot "$dir/stat" -- \
	stat -I 10 --summary -e instructions:u,task-clock loop 2000000 \; \
	stat -I 10 --summary -x , -e instructions:u,branches:u loop 2000000 \; \
	stat -I 10 -j -e instructions:u loop 2000000 \; \
	stat -I 10 --interval-count 2 -x : -e instructions:u loop 2000000 \; \
	stat -a -A -I 10 -e instructions:u loop 2000000 \; \
	stat -a --per-core -I 1000 -e instructions:u loop 1000000 \; \
	stat -I 40 --summary -x '|' -e instructions:u,context-switches spawner 4 1M \; \
	stat -D 5 -x @ -e instructions:u,instructions:uD loop 1000000 \; \
	stat -D 1000 -e instructions:u loop 1000 \; \
	stat -D 5 -I 10 --summary -x % -e instructions:u loop 1000000 \; \
	stat -n loop 1000 \; \
	stat -r 3 --table -e instructions:u loop 1000 \; \
	stat --no-big-num -e instructions:u loop 1000000 \; \
	stat -B --all-user -e instructions,branches:k loop 1000000 \; \
	stat --all-kernel -x '#' -e instructions,instructions:k loop 1000000 \; \
	stat --quiet -e branches:u loop 77 \; \
	stat -dd --timeout 1000 -e cycles:u loop 1000000 \; \
	version
is "stat: exit status" $status 0
is "stat: nothing was refused" "$(grep -c ': unknown\|exclude\|no meaning' "$dir/stat")" 0

has "-I: heading" "$dir/stat" '#           time             counts unit events'
has "-I: a line" "$dir/stat" ' {5}0\.01[0-9]{7} {12}[0-9,]{7} {6}instructions:u +#.*M/sec +'
has "-I: the summary" "$dir/stat" ' +4,000,005      instructions:u .*'

# increments SEPARATOR COLUMN EVENT: prints, for each run, the number of intervals, their sum, and the summary.
increments() {
	awk -F"[$1]" -v column="$2" -v event="$3" '$(column + 2) != event { next }
		$1 ~ /summary/ { print n, sum, $column; n = sum = 0; next }
		{ n++; sum += $column }' "$dir/stat"
}
is "-I -x: increments add up to the count, to the instruction" \
	"$(increments , 2 instructions:u | sed 's/^[0-9]* //' | uniq)" "4000005 4000005"
is "-I -x: so do branches" "$(increments , 2 branches:u | sed 's/^[0-9]* //' | uniq)" "2000002 2000002"
is "-I: there were several" "$(increments , 2 instructions:u | awk '$1 < 5' | wc -l)" 0
is "-I -j: increments add up" "$(sed -n 's/^{"interval" : [0-9.]*, "counter-value" : "\([0-9]*\).000000".*/\1/p' \
	"$dir/stat" | awk '{ n += $1 } END { print n, (NR > 5) }')" "4000005 1"
is "--interval-count" "$(grep -c '^ *0\.0[12][0-9]*:[0-9]*::' "$dir/stat")" 2
has "-I -A: heading" "$dir/stat" '#           time CPU                    counts unit events'
is "-I -A: increments add up" "$(awk '$2 == "CPU0" { gsub(",", "", $3); n += $3 } END { print n }' "$dir/stat")" 4000005
has "-I --per-core: the last is shorter" "$dir/stat" \
	' +0\.0[0-9]{8} S0-D0-C0           1          2,000,005      instructions:u *'
is "-I: tasks that end and begin meanwhile" "$(increments '|' 2 instructions:u | sed 's/^[0-9]* //')" "8000272 8000272"
is "-I: their switches" "$(increments '|' 2 context-switches | awk '{ print ($1 > 2), ($2 == $3) }')" "1 1"

is "-D: what was before is not counted" \
	"$(awk -F@ '$3 ~ /^instructions:u/ && $1 > 1500000 && $1 < 1900000 { n++ } END { print n }' "$dir/stat")" 2
has "-D: the workload ends before" "$dir/stat" '     <not counted>      instructions:u *'
is "-D -I: increments add up" "$(awk -F% 'NF < 4 { next } $1 ~ /summary/ { print ($2 == n), (n > 1500000 && n < 1900000); next }
	$4 == "instructions:u" { n += $2 }' "$dir/stat")" "1 1"
is "-n: the time alone" "$(grep -A 3 "^ Performance counter stats for 'loop 1000':" "$dir/stat" | tail -n 3 | sed 's/[0-9]/N/g' | head -n 2 | tr '\n' '|')" \
	"|       N.NNNNNNNNN seconds time elapsed|"
has "--table: heading" "$dir/stat" ' +# Table of individual measurements:'
is "--table: runs" "$(grep -cE '^ +0\.[0-9]+ \([+-]0\.0+\) #$' "$dir/stat")" 3
has "--no-big-num" "$dir/stat" '           2000005      instructions:u .*'
has "--all-user" "$dir/stat" '         2,000,005      instructions .*'
has "--all-user, whatever the modifier says" "$dir/stat" '         1,000,002      branches:k .*'
is "--all-kernel: none of it is ring 3's" "$(awk -F'#' '$3 ~ /^instructions/ && $1 > 0 && $1 < 5000 { n++ } END { print n }' "$dir/stat")" 2
is "--quiet" "$(grep -c 'loop 77' "$dir/stat")" 0
is "-dd: what perf adds" "$(sed -n '/cycles:u  /,$p' "$dir/stat" | grep -oE '(L1-[di]cache|LLC|[di]TLB)-load[a-z-]*' | awk '!seen[$0]++' | tr '\n' ' ')" \
	"L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses L1-icache-loads L1-icache-load-misses \
dTLB-loads dTLB-load-misses iTLB-loads iTLB-load-misses "
has "-d: what this PMU does not know" "$dir/stat" '   <not supported>      L1-icache-loads *'
is "events that took turns: one hint" "$(grep -c '^Some events took turns: --passes .*--no-mux' "$dir/stat")" 1

# Two machines give the same counts and times, to the instruction and the ns.
boot "$dir/once" -- stat -I 10 --summary -e instructions:u,branches:u,task-clock loop 2000000
boot "$dir/again" -- stat -I 10 --summary -e instructions:u,branches:u,task-clock loop 2000000
is "-I: every interval repeats" "$(cat "$dir/again")" "$(cat "$dir/once")"
is "-I: which were several" "$(grep -c ' instructions:u ' "$dir/once" | awk '{ print ($1 > 5) }')" 1

# Workloads end shortly before an interval or the delay, in steps of 20 us. No timer of either may come while the events
# of CPUs are stopped.
events=instructions:u,branches:u,instructions:k,branches:k,task-clock,cpu-clock,context-switches,faults
set --
for us in 0100 0200 0300 0400 0500; do
	set -- "$@" stat -a -D 1 -x '|' -e $events sleep 0.00$us \;
done
# intervals LOG: prints the number of intervals of each run with a summary.
intervals() {
	awk -F, '$3 != "" || $4 != "faults" { next } $1 ~ /summary/ { print n; n = 0; next } { n++ }' "$1"
}
ends_at() { echo "stat -a -I 10 --summary -x , -e $events sleep 0.00$1 ;"; }
# A coarse search finds the first sleep with two intervals: the interval ends within that run. So the test does not
# depend on how long a run takes besides its sleep.
# shellcheck disable=SC2046
boot "$dir/coarse" -- $(for us in $(seq 1000 250 9750); do ends_at $us; done) version
second=$(intervals "$dir/coarse" | awk '$1 == 2 { print 1000 + 250 * (NR - 1); exit }')
for us in $(seq $((${second:-5000} - 500)) 20 $((${second:-5000} + 300))); do
	set -- "$@" stat -a -I 10 --summary -x , -e $events sleep 0.00$us \;
done
boot "$dir/ends" -- "$@" version
is "ends beside a timer: exit status" $status 0
is "-D: a workload that ended before is not counted" "$(grep -c '^<not counted>|' "$dir/ends")" 40
is "-I: ends before and behind an interval" "$(intervals "$dir/ends" | sort -u | paste -sd ' ')" "1 2"
$perf0 record --machine-timeout $patience -o "$dir/data" -a -D 1 -e instructions:u,branches:u -- sleep 0.0003 >"$dir/short" 2>&1
is "record -D: no sample of a workload that ended before" "$? $(grep -o '([0-9]* samples)' "$dir/short")" "0 (0 samples)"

boot "$dir/smp" --smp 2 -- stat -a -A -I 10 --summary -x , -e instructions:u journey \; \
	stat --allow-system -I 10 --summary -x , -e instructions:u race 3 4 2
is "CPUs: exit status" $status 0
has "CPUs: every count of events that move is right" "$dir/smp" 'race: .*; errors 0'
is "CPUs: increments of each add up" "$(awk -F, '$1 ~ /summary/ && $2 ~ /CPU/ { print $3 == n[$2]; next }
	$2 ~ /CPU/ { n[$2] += $3 }' "$dir/smp" | tr '\n' ' ')" "1 1 "
is "CPUs: increments of tasks add up" "$(awk -F, '$4 != "instructions:u" { next }
	$1 ~ /summary/ { print $2 == n; next } { n += $2 }' "$dir/smp")" 1

# record -q prints nothing, and -D delays the samples.
$perf0 record -q --machine-timeout $patience -o "$dir/data" -D 100 --all-user -e instructions:k -c 100003 -- hotcold >"$dir/quiet" 2>&1
is "record -q: exit status, nothing said" "$? $(cat "$dir/quiet")" "0 "
samples=$(perf script -i "$dir/data" -F ip 2>/dev/null | wc -l)
is "record -D: samples from then on" $((samples > 120 && samples < 160)) 1
is "record --all-user: of ring 3" "$(perf script -i "$dir/data" -F ip,sym 2>/dev/null | awk '{ print $2, length($1) < 16 ? "ring 3" : "ring 0" }' | grep -v '^workload_hotcold ring 3$' | sort -u | tr '\n' ' ')" "cold ring 3 hot ring 3 "

# Colours appear only on a terminal, and not where NO_COLOR is set.
if has_pty "colours"; then
	misses="$perf0 stat --machine-timeout $patience --events ratios -e cache-references:u,cache-misses:u -- loop 1000000"
	TERM=xterm NO_COLOR='' script -qec "$misses" /dev/null >"$dir/color" 2>&1 </dev/null
	TERM=xterm NO_COLOR=1 script -qec "$misses" /dev/null >"$dir/plain" 2>&1 </dev/null
	is "a high share of misses stands out" \
		"$(grep -c "# $(printf '\033')\[35m *20.00%$(printf '\033')\[m of all cache refs" "$dir/color")" 1
	is "NO_COLOR" "$(grep -c '#  *[0-9.]*% of all cache refs' "$dir/plain") $(grep -c "$(printf '\033')\[3" "$dir/plain")" "1 0"
fi
is "no colours in a file" "$(grep -c "$(printf '\033')" "$dir/stat")" 0
finish

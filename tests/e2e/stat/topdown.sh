# SPDX-License-Identifier: BSD-2-Clause
# Slots and their shares, as a group: in ring 3 and in both rings, with tasks that come and go, multiplexed and in
# samples, on one CPU and on two; refusals; and the same through stock perf.
. "$(dirname "$0")/../_lib.sh"

four=topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound
more=topdown-heavy-ops,topdown-br-mispredict,topdown-fetch-lat,topdown-mem-bound

# count LOG N EVENT: prints the count in the N-th line of that event in the output of `stat -x ,`.
count() { awk -F , -v n="$2" -v e="$3" '$3 == e && ++seen == n { print $1 }' "$1"; }
# rows LOG N SUFFIX: prints slots, the sum of the four shares, and each share of the N-th group.
rows() {
	for event in slots retiring bad-spec fe-bound be-bound; do
		[ $event = slots ] || event=topdown-$event
		count "$1" "$2" "$event$3"
	done | awk '{ v[NR] = $1 } END { print v[1], v[2] + v[3] + v[4] + v[5], v[2], v[3], v[4], v[5] }'
}
# whole ROWS N: prints "yes" if the four add up to the slots. Each of N groups rounds each of its four down.
whole() { echo "$1" | awk -v n="$2" '{ print ($1 > 0 && $2 <= $1 && $2 > $1 - 4 * n ? "yes" : "no: " $0) }'; }
# most ROWS: prints the name of the largest share.
most() { echo "$1" | awk '{ split("retiring bad-spec fe-bound be-bound", name); m = 3; for (i = 4; i <= 6; i++) if ($i > $m) m = i; print name[m - 2] }'; }

refusals="stat -e {slots,topdown-retiring},topdown-retiring loop 10 ; stat -e {cycles,topdown-retiring} loop 10 ;
	stat -e {slots,topdown-heavy-ops} loop 10 ; stat -e {slots:u,topdown-retiring:k} loop 10 ;
	stat -e {slots,cpu/topdown-retiring,edge/} loop 10 ; record -e topdown-retiring loop 10 ;
	record -e {slots,topdown-retiring}:S loop 10 ; record -e {slots,instructions,topdown-retiring} loop 10"
# shellcheck disable=SC2086,SC2046 # words of commands
boot "$dir/icl" --uarch icl -k -- stat -x , -e "{slots,$four}:u" loop 100000 \; stat -x , -e "{slots,$four}:u" chase 20000 kib=4096 \; \
	stat -x , -e "{slots,$four}" loop 1000 \; stat -x , -e "{slots,$four}:u" spawner 4 10000 \; \
	stat -r 3 -e "{slots,$four}:u" loop 1000 \; \
	stat -x , -e "{slots,$four}:u,{slots,$four}:u" loop 5000000 \; \
	stat -x , -e "{slots,topdown-retiring,cpu/event=0xc2,umask=2,name=uops/,cycles}:u" loop 1000 \; list topdown \; $(echo $refusals | sed 's/ ; / \\; /g; s/\\;/;/g')
log=$dir/icl
loop=$(rows "$log" 1 :u) chase=$(rows "$log" 2 :u) rings=$(rows "$log" 1 '') tasks=$(rows "$log" 3 :u)
is "a loop: the four are all slots" "$(whole "$loop" 1)" yes
is "a loop, which waits for its own count: most of it" "$(most "$loop")" be-bound
is "a chain of misses: the four are all slots" "$(whole "$chase" 1)" yes
is "a chain of misses: most of it" "$(most "$chase")" be-bound
is "both rings: the four are all slots" "$(whole "$rings" 1)" yes
is "tasks of the task: the four are all slots" "$(whole "$tasks" 5)" yes
is "tasks of the task: they are counted" "$(($(echo "$tasks" | cut -d' ' -f3) > 30000))" 1
slots=$(count "$log" 6 slots:u) uops=$(count "$log" 1 uops:u) cycles=$(count "$log" 1 cycles:u)
off=$(($(count "$log" 6 topdown-retiring:u) - uops))
is "a share is the event's, rounded to 255ths" "$((${off#-} * 255 <= 4 * slots && uops > 1000))" 1
is "a cycle has five slots" "$((5 * cycles - slots < 5 && slots - 5 * cycles < 5))" 1
is "each run is the same" "$(grep -c '( identical )' "$log")" 6
is "groups in turns: the share of each" "$(awk -F , '$3 ~ /^slots/ && $5 < 100 && $5 > 0 { n++; sum += $5; half += $5 > 45 && $5 < 55 } END { print n, half, int(sum + 0.5) }' "$log")" "2 2 100"
is "groups in turns: the four are all slots" "$(whole "$(rows "$log" 4 :u)" 3) $(whole "$(rows "$log" 5 :u)" 3)" "yes yes"
is "list: four of them" "$(grep -c '^  topdown-.* OR cpu/topdown-' "$log")" 4
for line in 'topdown-retiring: a metric counts only in a group that slots leads: \{slots,topdown-retiring\}' \
	'topdown-retiring:k: a metric is a share of what slots counts, in the same rings' \
	'cpu/topdown-retiring,edge/: a metric takes no edge, inv, cmask or any' \
	'topdown-retiring: a metric has no overflows to sample by: it is a share of slots; another event can: .*' \
	'topdown-retiring(:S)?: slots cannot sample and lead metrics, as their counter starts at 0; another event can: .*'; do
	has "refused: $line" "$log" "(stat|record): $line"
done
is "Ice Lake has no second level" "$(grep -c "there is no event 'topdown-heavy-ops'" "$log")" 1

# Golden Cove also counts a part of each of the four. On a hybrid only the large cores have these events.
boot "$dir/adl" --uarch adl --smp 2 -- stat -x , -e "{slots,$four,$more}:u" journey 1000 \; \
	stat -a -A -x , -e "{slots,$four}:u" journey 1000
is "Golden Cove: the four are all slots" "$(sed 's|cpu_core/||' "$dir/adl" >"$dir/adl.plain"; whole "$(rows "$dir/adl.plain" 1 /u)" 4)" yes
is "Golden Cove: parts are parts" "$(awk -F '[,/]' '/topdown/ && n < 8 { v[++n] = $1 } END { for (i = 1; i <= 4; i++) parts += v[i + 4] <= v[i]; print n, parts }' "$dir/adl")" "8 4"
is "a hybrid: small cores have none" "$(grep -c cpu_atom "$dir/adl")" 0

# Two CPUs: groups of tasks, and groups of each CPU.
boot "$dir/smp" --uarch icl --smp 2 -- stat -x , -e "{slots,$four}:u" spawner 4 10000 \; stat -a -x , -e "{slots,$four}:u" spawner 4 10000
is "two CPUs: tasks" "$(whole "$(rows "$dir/smp" 1 :u)" 5)" yes
is "two CPUs: all that they do" "$(whole "$(rows "$dir/smp" 2 :u)" 2)" yes

# In a group that slots leads, the first other event takes the samples. Each sample has all counts of the group.
period=10007
boot "$dir/record" --uarch icl -o "$dir/record.d" -- record -e "{slots,instructions,$four}:Su" -c $period loop 100000
perf script -D -i "$dir/record.d/perf.data" 2>/dev/null | python3 -c '
import sys
samples, good, period = [], 0, int(sys.argv[1])
for line in sys.stdin:
    if "group nr" in line:
        samples.append([])
    elif samples and " id " in line and " value " in line:
        samples[-1].append(int(line.split()[-1], 16))
for n, (slots, instructions, *four) in enumerate(samples, 1):
    good += len(four) == 4 and instructions == period * n and slots - 4 < sum(four) <= slots
print(len(samples), good)' $period >"$dir/samples"
is "record: each sample has all counts" "$(cat "$dir/samples")" "$((200005 / period)) $((200005 / period))"

# Stock perf runs as a program in the machine.
if [ -x /usr/bin/perf ]; then
	boot "$dir/perf" --uarch icl --file /usr/bin/perf --file /bin/true -- \
		stat -n /usr/bin/perf stat -x , -e "{slots,$four}:u" /bin/true \; \
		stat -n --allow-system /usr/bin/perf stat --topdown -a /bin/true
	is "stock perf: the four are all slots" "$(whole "$(rows "$dir/perf" 1 '')" 1)" yes
	is "stock perf --topdown: 100 %" "$(awk '/^ *[0-9.]+% .*[0-9.]+% *$/ { print int($1 + $2 + $3 + $4 + 0.5) }' "$dir/perf")" 100
else
	skip "stock perf" "it is not installed"
fi
finish

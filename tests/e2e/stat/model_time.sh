# SPDX-License-Identifier: BSD-2-Clause
# A booted image counts cycles, stalls and top-down slots of the timing model. The counts depend on the program, the
# categories add up to all slots, and unknown events are refused.
. "$(dirname "$0")/../_lib.sh"

# value LOG N EVENT: prints the count of the Nth run that has the event.
value() { sed -n "s/,//g; s|^ *\([0-9]*\) *$3 .*|\1|p" "$1" | sed -n "$2p"; }

named() { echo "cpu/event=$1,umask=$2,cmask=${4:-0},name=$3/u"; }
slots=$(named 0xa4 1 slots),$(named 0x9c 1 fe),$(named 0x0e 1 issued),$(named 0x0d 1 recovery),$(named 0xa4 2 be)
loads=$(named 0xa3 0x14 stalled 20),$(named 0xa3 0xc missed 12),$(named 0xa3 8 pending 8),$(named 0xd1 8 misses)
port=$(named 0xa1 3 port)
masked=$(named 0x9c 1 masked 7)
late=$(named 0x9c 1 late0),$(named 0x9c 1 late1 1),$(named 0x9c 1 late2 2),$(named 0x9c 1 late3 3),$(named 0x9c 1 late4 4),$(named 0x9c 1 late5 5)
recovery=$(named 0x0d 1 plain),$(named 0x0d 1 once 1)
boot "$dir/icl" --uarch icl -k -- stat --no-mux -e $slots chase 100000 kib=16 \; stat --no-mux -e $slots chase 100000 kib=4096 \; \
	stat -e cycles:u,instructions:u,$loads chase 100000 kib=16 \; stat -e cycles:u,instructions:u,$loads chase 100000 kib=4096 \; \
	stat -e ref-cycles:u,cycles:u loop 1000 \; stat -e "$port,$masked" loop 10 \; stat -e "$recovery" chase 1000 kib=16 \; \
	stat --no-mux -e "$late" chase 100000 kib=16
c() { value "$dir/icl" "$1" "$2:u"; }
for run in 1 2; do
	is "top-down is all slots, run $run" "$(($(c $run fe) + $(c $run issued) + 5 * $(c $run recovery) + $(c $run be)))" "$(c $run slots)"
done
is "cycles move with the program" "$(($(c 2 cycles) > 3 * $(c 2 instructions) && $(c 1 cycles) < 2 * $(c 1 instructions)))" 1
is "stalls are less than the time with a load under way, and that is less than all" \
	"$(($(c 1 missed) <= $(c 1 pending) && $(c 2 missed) <= $(c 2 pending) && $(c 2 pending) <= $(c 2 cycles)))" 1
is "what does not miss does not wait for a miss" "$(c 1 missed) $(c 1 misses)" "0 0"
is "reference cycles are as many as cycles" "$(c 1 ref-cycles)" "$(c 3 cycles)"
is "a mask of 1 changes no count of cycles" "$(c 1 once)" "$(c 1 plain)"
is "and there are some" "$(($(c 1 plain) > 0))" 1
is "slots that the front end loses are cycles by their number" \
	"$(($(c 1 late1) + $(c 1 late2) + $(c 1 late3) + $(c 1 late4) + $(c 1 late5)))" "$(c 1 late0)"
is "and there are some" "$(($(c 1 late5) > 0))" 1
has "a sum of ports that has no name is refused" "$dir/icl" '.*port.*does not know event 0x3a1: it would be 0 whatever happens'
has "a mask that is no name's is refused" "$dir/icl" '.*masked.*counts event 0x19c, but not by cycles as its cmask, inv or edge wants'

# An event of the model has one sample for each period, although it counts while samples are taken.
boot "$dir/record" -o "$dir/record.d" -- record -e cycles:u -c 1009 loop 1000000
$perf0 decode --command 0 --json -o "$dir/json" "$dir/record.d/stream.perf0" 2>/dev/null
is "samples by cycles" "$(perf script -i "$dir/record.d/perf.data" -F ip 2>/dev/null | grep -c .)" \
	"$(($(sed -n 's/.*"counter-value" : "\([0-9]*\).*/\1/p' "$dir/json") / 1009))"

# Instructions without a row in the core's table are counted while modelled time is, and only then.
cat >"$dir/rowless.c" <<'END'
int main(void)
{
	for (int i = 0; i < 1000; i++)
		__asm__ volatile("sete %%ah\nsete %%ah\nadc $0, %%ah" : : : "rax", "cc");
}
END
gcc -O1 -static -o "$dir/rowless" "$dir/rowless.c"
$perf0 stat --uarch zen4 -e cycles:u,instructions:u -- "$dir/rowless" >"$dir/rowless.text" 2>&1
has "instructions without a row are counted" "$dir/rowless.text" \
	'3,000 instructions \([0-9.]+ %\) have no row in the table of zen4: SETZ, ADC'
$perf0 stat -r 2 -j --uarch zen4 -e cycles:u,instructions:u -- "$dir/rowless" >"$dir/rowless.json" 2>&1
is "as fields of the modelled counts, of all runs" \
	"$(sed -n 's/.*"without-row" : \([0-9]*\), "without-row-of" : [0-9]*, "without-row-mnemonics" : \("[^"]*"\).*/\1 \2/p' "$dir/rowless.json")" \
	'6000 "SETZ, ADC"'
$perf0 stat --uarch zen4 -e branches:u,instructions:u -- "$dir/rowless" >"$dir/untimed" 2>&1
is "not without modelled time" "$(grep -c 'have no row' "$dir/untimed")" 0
is "nothing is told where there are none" "$(grep -c 'have no row' "$dir/icl")" 0

# Without an event that has to do with time the core in time is not stepped, and caches, TLBs and predictors count the
# same. The further event is another one of time or none, so that the image does the same.
untimed=cache-misses:u,branch-misses:u,L1-dcache-load-misses:u
for uarch in skx zen4 adl; do
	for third in branches:u cycles:u; do
		$perf0 stat -x , --uarch $uarch -e $untimed,$third -- "$dir/rowless" 2>/dev/null |
			sed "/$third/d" | cut -d , -f 1,3 >"$dir/beside.$third"
	done
	is "$uarch: caches count the same beside cycles" "$(wc -l <"$dir/beside.cycles:u") $(cmp "$dir/beside.branches:u" "$dir/beside.cycles:u" 2>&1)" "3 "
done

boot "$dir/ipc1" --timing ipc1 -- stat -e cycles:u,instructions:u,r08d1:u loop 1000
has "--timing ipc1: a cycle an instruction" "$dir/ipc1" ' +2,005      cycles:u  +\[ratio\]'
has "--timing ipc1: caches are modelled" "$dir/ipc1" ' +[0-9]+      r08d1:u  +\[modelled\]'
finish

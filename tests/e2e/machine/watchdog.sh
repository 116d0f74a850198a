# SPDX-License-Identifier: BSD-2-Clause
# The NMI watchdog: code that holds the CPU with interrupts off is reported with its instruction
# pointer, once, and the machine goes on; on and off at boot and at run time.
. "$(dirname "$0")/../_lib.sh"

# function_at OFFSET: prints the function of the image that contains OFFSET.
function_at() {
	nm -S --defined-only build/perf0.elf | awk '$3 ~ /^[tT]$/ && NF == 4 { print $1, $2, $4 }' |
		while read -r start size name; do
			[ $((0x$start)) -le $(($1)) ] && [ $(($1)) -lt $((0x$start + 0x$size)) ] &&
				echo "$name"
		done
}

walks=r0108,r0208,r0149,r0249
for u in $(one_of hsw zen4); do
	boot "$dir/$u" --uarch $u -- watchdog \; lockup 2100 \; \
		watchdog on \; watchdog --threshold 1 on \; stat -e instructions:u loop 1000000 \; \
		lockup 3000 \; watchdog \; lockup 3000 \; lockup 500 \; \
		watchdog off \; lockup 2100 \; stat -e instructions:u loop 1000
	is "$u: exit status" $status 0
	is "$u: each lockup is reported once, and none without it" \
		"$(grep -c '^>perf0: NMI watchdog: hard lockup: interrupts are held off for 1 s' "$dir/$u")" 2
	for ip in $(awk '$1 == "rip" { sub(/perf0\+/, "", $3); print $3 }' "$dir/$u"); do
		is "$u: it is lockup_spin() at $ip" "$(function_at "$ip")" lockup_spin
	done
	is "$u: with a backtrace" "$([ "$(grep -c '^  by  .*  perf0+0x' "$dir/$u")" -ge 4 ] && echo yes)" yes
	has "$u: on, as it is by default" "$dir/$u" 'NMI watchdog: on, threshold 10 s, [0-9]+ heartbeats, .*; hard lockups so far: 0'
	has "$u: on" "$dir/$u" 'NMI watchdog: on, threshold 1 s, [0-9]+ heartbeats, (FIXED1|PMC[0-5]); hard lockups so far: 1'
	has "$u: off again" "$dir/$u" 'NMI watchdog: off; hard lockups so far: 2'
	is "$u: held to the end each time" "$(grep -c '^held the CPU for [0-9]* ms' "$dir/$u")" 5
	has "$u: counts are as exact with it" "$dir/$u" ' +2,000,005 +instructions:u +'
	has "$u: the machine goes on" "$dir/$u" ' +2,005 +instructions:u +'
done

# The watchdog's event is pinned before all others: a set that just fits without it no longer fits with it.
five=cycles,$walks
boot "$dir/boot" -k -- nmi_watchdog=yes watchdog_thresh=2 nmi_watchdog=1 watchdog \; stat --no-mux -e $five loop 1000 \; \
	stat -e cycles,$walks loop 10 \; watchdog off \; stat --no-mux -e $five loop 10 \; \
	watchdog --threshold 61 on \; watchdog maybe \; watchdog on off \; lockup x
has "on at boot" "$dir/boot" 'NMI watchdog: on, threshold 2 s, 0 heartbeats, FIXED1; hard lockups so far: 0'
has "what does not fit beside it is told" "$dir/boot" \
	'stat: --no-mux: not all events can count at the same time: r0249 .* held by cycles on PMC3, .*'
has "and that it could be switched off" "$dir/boot" \
	"Some events weren't counted. Try disabling the NMI watchdog:"
is "without it there is no such hint" "$(grep -c 'Try disabling' "$dir/boot")" 1
has "a threshold out of range" "$dir/boot" "watchdog: --threshold: '61' is not a number from 1 to 60"
has "neither on nor off" "$dir/boot" "watchdog: there is no 'maybe'; there are: on, off, status"
has "two operands" "$dir/boot" "watchdog: takes one argument: 'off' is another"
has "no number" "$dir/boot" "lockup: 'x' is not a number from 1 to 600000"

boot "$dir/none" --no-vpmu --watchdog -- watchdog
has "no PMU: told at boot" "$dir/none" '>perf0: nmi_watchdog=1: .+'
has "no PMU: off" "$dir/none" 'NMI watchdog: off; hard lockups so far: 0'
has "a bad boot option" "$dir/boot" ">perf0: 'nmi_watchdog=yes' wants 0 or 1"
finish

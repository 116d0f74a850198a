# SPDX-License-Identifier: BSD-2-Clause
# Breakpoints: each hit is counted in its ring, and nothing else changes the count.
. "$(dirname "$0")/../_lib.sh"

# user_address SYMBOL OFFSET: prints its address in ring 3 (WORKLOAD_BASE in include/perf0/layout.h).
user_address() {
	nm build/perf0.elf | awk -v symbol="$1" '$3 == symbol { print $1 }' |
		while read -r at; do printf '0x%x\n' $((0x$at + 0x400000000000 + $2)); done
}

touched=$(user_address workload_touched 0)
entry=$(user_address workload_loop 0)
turn=$(user_address workload_loop 5) # behind TEST and JZ: the first instruction of each turn

instructions() { awk '{ gsub(",", "") } $2 == "instructions:u" { print $1 }' "$1"; }

for how in $(one_of skx none zen4); do
	# shellcheck disable=SC2046
	boot "$dir/log" $(machine_of $how) -- \
		stat -e mem:$touched/8:w touch 1000 \; stat -e mem:$touched:rw touch 3000 \; \
		stat -e mem:$touched/1 touch 0 \; stat -e mem:$touched:w:k touch 10 \; \
		stat -e mem:$entry:x,mem:$turn:x loop 5000 \; stat -e mem:$turn:x:u -r 3 loop 7
	is "$how: exit status" $status 0
	has "$how: writes" "$dir/log" " +1,000 +mem:$touched/8:w +"
	has "$how: writes and reads" "$dir/log" " +6,000 +mem:$touched:rw +"
	has "$how: none" "$dir/log" " +0 +mem:$touched/1 +"
	has "$how: none in ring 0" "$dir/log" " +0 +mem:$touched:w:k +"
	has "$how: the entry once" "$dir/log" " +1 +mem:$entry:x +"
	has "$how: each turn" "$dir/log" " +5,000 +mem:$turn:x +"
	has "$how: each time" "$dir/log" " +7 +mem:$turn:x:u .*\( identical \)"
done

# A breakpoint's hits do not change other counts: instructions:u is the same with and without the breakpoint.
boot "$dir/plain" -- stat -e instructions:u touch 1000 \; stat -e instructions:u loop 1000
boot "$dir/watched" -- stat -e instructions:u,mem:$touched:rw touch 1000 \; \
	stat -e "{instructions:u,mem:$turn:x}" loop 1000
is "instructions:u does not see the breakpoints" "$(instructions "$dir/watched")" \
	"$(instructions "$dir/plain")"
has "while each is hit" "$dir/watched" " +2,000 +mem:$touched:rw +"
has "in a group, too" "$dir/watched" " +1,000 +mem:$turn:x +"

# There are 4009 instructions and 1000 hits. Neither event disturbs the other's samples.
boot "$dir/both" -- record -e instructions:u,mem:$touched:w -c 50 touch 1000
has "samples of both" "$dir/both" '\[ perf0 record: 100 samples of 100 overflows, 0 lost, .*'

boot "$dir/record" -o "$dir/out" -- record -e mem:$turn:x -c 10 loop 1000
has "a sample each ten hits" "$dir/record" '\[ perf0 record: 100 samples of 100 overflows, 0 lost, .*'
build/perf0 decode -o "$dir/perf.data" "$dir/out/stream.perf0" >/dev/null 2>&1
is "each at the instruction" \
	"$(perf script -i "$dir/perf.data" -F ip,sym 2>/dev/null | sort -u | xargs)" \
	"${turn#0x} workload_loop"

boot "$dir/bad" -- stat -e mem:0x1000:w loop 1 \; stat -e mem:$touched:r loop 1 \; \
	stat -e mem:$touched/4:x loop 1 \; \
	stat -e mem:$touched:w,mem:$touched:w,mem:$touched:w,mem:$touched:w,mem:$entry:x loop 1
has "not ring 3's" "$dir/bad" 'stat: mem:0x1000:w: address 0x1000 is not one of ring 3.s, .*'
has "no reads alone" "$dir/bad" "stat: mem:$touched:r: the debug registers do not tell reads alone: take rw"
has "the length of code" "$dir/bad" "stat: mem:$touched/4:x: a breakpoint on execution has length 8"
has "the fifth" "$dir/bad" "stat: mem:$entry:x: CPU 0 has 4 debug registers, which are taken: 0 by breakpoints of the CPU, 4 by those of task 2"
has "is not supported" "$dir/bad" " +<not supported> +mem:$entry:x *"
finish

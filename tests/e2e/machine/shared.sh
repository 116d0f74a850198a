# SPDX-License-Identifier: BSD-2-Clause
# Frames go through memory that QEMU shares, or over the serial line. The host gets the same stream either way, even if
# the stream is longer than the memory.
. "$(dirname "$0")/../_lib.sh"

# samples FILE: prints each sample without its time, which depends on the line's speed.
samples() { perf script -i "$1" -F comm,pid,tid,cpu,event,period,ip,sym 2>/dev/null; }

# over WAY ARGS...: records into $dir/WAY.data; the status goes to $status.
over() {
	way=$1
	shift
	$perf0 record --machine-timeout $patience -v -o "$dir/$way.data" "$@" >"$dir/$way" 2>&1
	status=$?
}

over memory -e instructions:u -c 1009 -- dd 2000
is "by memory: status, and so balanced books" $status 0
is "by memory: QEMU has it" "$(grep -c 'ivshmem-plain,memdev=shared,master=on' "$dir/memory")" 1
over serial --serial -e instructions:u -c 1009 -- dd 2000
is "by the serial line: status" $status 0
is "by the serial line: QEMU has no such memory" "$(grep -c memdev=shared "$dir/serial")" 0
is "there are samples" "$([ "$(samples "$dir/memory.data" | wc -l)" -gt 500 ] && echo yes)" yes
is "the same samples" "$(samples "$dir/memory.data" | md5sum)" "$(samples "$dir/serial.data" | md5sum)"
is "the same books" "$(grep -o '[0-9]* samples of .* refused' "$dir/memory")" \
	"$(grep -o '[0-9]* samples of .* refused' "$dir/serial")"
over flow --flow rtscts -e instructions:u -c 1009 -- dd 2000
is "--flow asks for the serial line" "$(grep -c memdev=shared "$dir/flow")" 0

# An instruction trace is the same over both ways.
for way in memory serial; do
	over $way $([ $way = memory ] || echo --serial) --no-vpmu -e step_trace//u -m 16,256 -- hotcold 10
	is "a trace by $way: status" $status 0
	perf script -i "$dir/$way.data" --itrace=i1i -F ip,sym,insn 2>/dev/null >"$dir/$way.insns"
done
is "a trace: all of it" "$([ "$(wc -l <"$dir/memory.insns")" -gt 40000 ] && echo yes)" yes
is "a trace: the same instructions" "$(md5sum <"$dir/memory.insns")" "$(md5sum <"$dir/serial.insns")"

# The stream is four times as long as the memory: the image waits for the host, and later samples have the same times.
repeats=$(either "1 2" "1 2 3")
for u in $(one_of skx none); do
	machine='--uarch skx' event=instructions:u
	[ $u = skx ] || machine=--no-vpmu event=cpu-clock
	for n in $repeats; do
		# shellcheck disable=SC2086
		boot "$dir/$u.$n" $machine -o "$dir/$u.$n.d" -- send 16 \; record -e $event -c 10007 hotcold
		is "$u, run $n: status" $status 0
		has "$u, run $n: all of it came" "$dir/$u.$n" 'send: 16,777,216 bytes'
		$perf0 decode --command 1 --text -o "$dir/$u.$n.text" "$dir/$u.$n.d/stream.perf0" >"$dir/decode" 2>&1
	done
	is "$u: there are samples" "$([ "$(wc -l <"$dir/$u.1.text")" -ge 2000 ] && echo yes)" yes
	for n in ${repeats#1 }; do
		is "$u: run $n, the same samples at the same times" \
			"$(cmp "$dir/$u.1.text" "$dir/$u.$n.text" && echo yes)" yes
	done
done
boot "$dir/vpmu" -- send 16 \; stat -r 3 -e instructions:u,branches:u loop 1000
is "much, vpmu: status" $status 0
has "much, vpmu: counts behind it are exact" "$dir/vpmu" ' +2,005 +instructions:u .*\( identical \)'
boot "$dir/smp" --smp 2 -- send 16 \; record -a -e cpu-clock -c 1000000 loop 100000
is "much, two CPUs: status" $status 0

boot "$dir/wrong" -k --no-vpmu -- send 3 \; send \; send 128
is "sizes that there are not" "$(grep -c 'send: wants a number of MiB, a power of two up to 64' "$dir/wrong")" 2
has "and one that is too large" "$dir/wrong" "send: '128' is not a number from 1 to 64"
finish

# SPDX-License-Identifier: BSD-2-Clause
# step_trace: stock perf decodes from the trace exactly the instructions that ran, on machines with
# a PMU and without one.
. "$(dirname "$0")/_lib.sh"

# Addresses of the instructions that perf decodes, one a line; errors of the decoder in $2.err.
decode() {
	perf script -i "$1" --itrace=i1ie -F event,ip,sym >"$2.all" 2>"$2.err"
	grep -v 'instructions:u: *[0-9a-f]* [a-z_]*$' "$2.all" >>"$2.err"
	awk '{ print $(NF - 1) }' "$2.all"
}

# loop N: 2 N + 5 instructions, two of them N times; hotcold N: 4004 N + 3; sleep: 7.
for u in skx zen4 none; do
	pmu="--uarch $u"
	[ $u = none ] && pmu=--no-vpmu
	boot "$dir/$u.stat" $pmu -- stat -e step_trace//u loop 1000 ';' \
		stat -e step_trace//u sleep 0.001
	is "$u: stat" $status 0
	has "$u: the instructions of loop are counted" "$dir/$u.stat" ' *2,005 *step_trace//u *'
	has "$u: and those of sleep" "$dir/$u.stat" ' *7 *step_trace//u *'

	boot "$dir/$u.loop" $pmu -o "$dir/$u.loop.d" -- record -e step_trace//u loop 1000
	is "$u: record" $status 0
	decode "$dir/$u.loop.d/perf.data" "$dir/$u.loop" >"$dir/$u.ips"
	is "$u: loop: no complaint of the decoder" "$(cat "$dir/$u.loop.err")" ""
	is "$u: loop: all its instructions are decoded" "$(grep -c . "$dir/$u.ips")" 2005
	is "$u: loop: two of them 1000 times" \
		"$(sort "$dir/$u.ips" | uniq -c | awk '{ print $1 }' | sort -n | tail -2 | tr '\n' ' ')" \
		"1000 1000 "
done

finish

# SPDX-License-Identifier: BSD-2-Clause
# False sharing: two threads on two CPUs write to one line and take it from each other, as perf c2c shows. With a line
# each they do not. How often depends on the host, which runs the two CPUs in parallel.
. "$(dirname "$0")/../_lib.sh"

gcc -g -O1 -static -no-pie -pthread -o "$dir/memory" tests/linux/memory_accesses.c
line=$(printf '0x%x' $((0x$(nm "$dir/memory" | sed -n 's/ [BD] shared$//p'))))

for how in together apart; do
	data=$dir/$how.data
	# shellcheck disable=SC2046
	$perf0 record --machine-timeout $patience --smp 2 --uarch skx -o "$data" \
		-e cpu/mem-loads,ldlat=30,period=3/uP,cpu/mem-stores,period=20011/uP -d -W -- \
		"$dir/memory" share 200000 $([ $how = together ] || echo apart) >"$data.log" 2>&1
	is "$how: exit status" $? 0
	has "$how: the books balance" "$data.log" '.* ([1-9][0-9]*) samples of \1 overflows, 0 lost.*'
	perf c2c report --stdio -i "$data" >"$dir/$how" 2>/dev/null
	is "$how: perf c2c report" $? 0
done
has "together: loads of what the other CPU has modified" "$dir/together" ' *Load Local HITM +: +[1-9][0-9]* *'
has "together: they are of the one line" "$dir/together" " *0 +$line .* (9[0-9]|100)\\.[0-9]+% .*"
for offset in 0x0 0x8; do
	has "together: the word at $offset of it" "$dir/together" " +[0-9.]+% +[0-9.]+% .* $offset .*\\[\\.\\] count_up .*memory_accesses.c.*"
done
hitm() { perf script -i "$1" -F ip,sym,data_src 2>/dev/null | grep 'SNP HitM.* count_up *$'; }
is "together: their latency is twice that of the last level" \
	"$(perf script -i "$dir/together.data" -F ip,sym,weight,data_src 2>/dev/null |
		awk '/SNP HitM/ && / count_up *$/ { n++; late += $(NF - 2) >= 120 } END { print (n && late == n) ? "yes" : late " of " n }')" yes
is "apart: none" "$(hitm "$dir/apart.data" | grep -c .)" 0
finish

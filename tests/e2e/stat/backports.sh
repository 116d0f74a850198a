# SPDX-License-Identifier: BSD-2-Clause
# The QEMU of Debian's backports has another version of the plugin interface. Its counts equal those of the installed
# QEMU, to the digit.
. "$(dirname "$0")/../_lib.sh"

if ! newer=$(scripts/qemu-backports build/qemu-backports); then
	skip "the QEMU of Debian's backports" "$newer"
	finish
	exit
fi

# counted LOG OPTIONS...: counts several programs in a machine.
counted() {
	machine=$1
	shift
	boot "$dir/$machine" "$@" -- \
		stat -e instructions,instructions:u,branches:u,branches:k loop 100000 \; \
		stat -e r02c4:k,r08c4:k,r20c4:k,r10c4:k chase 20000 kib=256 \; \
		stat -e r81d0,r82d0,r40c4,branch-misses chase 20000 kib=256 \; \
		stat -e r08d1,cache-misses,dTLB-load-misses,L1-icache-load-misses chase 20000 kib=256 \; \
		stat -e cycles,r02c4:u,r08c4:u,branches hotcold 100
	is "$machine: exit status" $status 0
	grep -E '^ +[0-9]' "$dir/$machine" >"$dir/$machine.all"
	grep -v ' seconds ' "$dir/$machine.all" >"$dir/$machine.counts"
}
counted installed
for start in cold $(either "" "saved restored"); do
	counted "$start" --qemu "$newer" $([ "$start" = cold ] && echo --cold)
	is "$start: as many lines as there are events" "$(grep -c . "$dir/$start.counts")" 20
	is "$start: the same counts" "$(diff "$dir/installed.counts" "$dir/$start.counts")" ""
	# Times include vpmu's exits. This QEMU keeps more of the guest's state in them.
	is "$start: the times of a cold start" "$(diff "$dir/cold.all" "$dir/$start.all")" ""
done

# With the host's clock the newer QEMU executes many iterations of a string instruction at once. The plugin counts each
# iteration, and one more if a comparison ends them (docs/LIMITS.md). With several CPUs each CPU has its own thread.
gcc -O1 -nostdlib -static -o "$dir/strings" tests/guests/alone/strings.c
while IFS='|' read -r name qemu options wanted; do
	[ "$qemu" = newer ] && qemu=$newer || qemu=qemu-system-x86_64
	# shellcheck disable=SC2086 # words
	boot "$dir/strings.$name" --qemu "$qemu" $options -- stat -x , -e instructions:u,r81d0:u,r82d0:u "$dir/strings" </dev/null
	is "strings, $name: instructions, loads, stores" "$(grep ',,' "$dir/strings.$name" | cut -d , -f 1 | xargs)" "$wanted 300010 200008"
done <<-END
	installed|installed||400052
	newer|newer||400052
	the host's clock|newer|--clock host|400053
	two CPUs|newer|--smp 2|400053
END

if soaking; then
	# A machine writes memory while perf0 saves it. Several machines run at a time, so that such writes happen.
	saved=
	for i in 1 2 3 4; do
		XDG_CACHE_HOME="$dir/cache.$i" $perf0 run --timeout $patience --qemu "$newer" -- stat -e instructions:u loop 1000 \
			>"$dir/saved.$i" 2>&1 &
		saved="$saved $!"
	done
	i=0
	for pid in $saved; do
		wait "$pid"
		is "saved beside others: $((i += 1)): exit status" $? 0
		has "saved beside others: $i: the count" "$dir/saved.$i" ' +2,005      instructions:u *'
	done
	rm -rf "$dir"/cache.?
fi

# Overflows come after the same instructions. The plugin stops a CPU by functions that differ between the two QEMUs.
for qemu in qemu-system-x86_64 "$newer"; do
	boot "$dir/stops.$([ "$qemu" = "$newer" ] && echo newer || echo installed)" --qemu "$qemu" -o "$dir/stops.d" -- record -e cache-misses -c 2 hotcold 5 \; \
		record -d -W -e mem_load_retired.l1_miss:upp -c 37 chase 3000 kib=256
	is "stops, ${qemu##*/}: exit status" $status 0
	for n in 0 1; do
		"$perf0" decode --command $n -o "$dir/data" "$dir/stops.d/stream.perf0" >"$dir/decoded" 2>&1 || cat "$dir/decoded"
		perf script -i "$dir/data" -F event,ip 2>/dev/null >"$dir/samples$n"
		perf script -i "$dir/data" -F time 2>/dev/null | awk 'NR == 1 { first = $1 } END { printf "%d", ($1 - first) * 1000 }' >"$dir/took$n"
		[ "$qemu" = "$newer" ] || for kept in samples took; do cp "$dir/$kept$n" "$dir/$kept$n.installed"; done
		is "stops, ${qemu##*/}: command $n: there are samples" "$(head -n 10 "$dir/samples$n" | grep -c .)" 10
	done
done
for n in 0 1; do
	is "command $n: the same samples" "$(cmp "$dir/samples$n.installed" "$dir/samples$n" 2>&1)" ""
	is "command $n: in as much of the machine's time" "$(cat "$dir/took$n.installed")" "$(cat "$dir/took$n")"
done
finish

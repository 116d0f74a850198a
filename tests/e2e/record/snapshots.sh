# SPDX-License-Identifier: BSD-2-Clause
# record -S takes a snapshot of the AUX areas at each SIGUSR2, while the workload goes on, and one at the end. One
# perf.data has all of them. Each contains the latest instructions before it. Without -S the signal has no effect.
. "$(dirname "$0")/../_lib.sh"

# runs: true until the tool ends.
runs() { kill -0 "$tool" 2>/dev/null; }

# start LOG ARGS...: starts a run, and returns when its first command is over.
start() {
	log=$1
	shift
	: >"$log"
	$perf0 run --timeout 900 "$@" >"$log" 2>&1 &
	tool=$!
	while runs && ! grep -q 'seconds time elapsed' "$log"; do sleep 0.1; done
}

taken() { grep -c 'snapshot [0-9]* taken' "$1"; }

# snap N: asks for snapshots until N are taken. It repeats a request, because one before the workload begins has no
# effect.
snap() {
	while runs && [ "$(taken "$log")" -lt "$1" ]; do
		kill -USR2 "$tool" 2>/dev/null
		sleep 0.1
	done
}

# end SIGNAL: ends the workload, which would go on for hours.
end() {
	kill "-$1" "$tool"
	wait "$tool"
	status=$?
}

# decode DATA OUT: writes a line for each instruction that perf decodes to OUT, all other output to OUT.err.
decode() {
	perf script -i "$1" --itrace=i1ie -F event,ip,sym >"$2.all" 2>"$2.err"
	sed -nE 's/^ *instructions:u: +([0-9a-f]+ [a-z_0-9.]+)$/\1/p' "$2.all" >"$2"
	grep -vE '^ *instructions:u: +[0-9a-f]+ [a-z_0-9.]+$' "$2.all" >>"$2.err"
}

# areas DATA: prints CPU, offset and size of each AUXTRACE record. told DATA: offset, size and flags of each AUX record.
areas() { perf script -D -i "$1" 2>/dev/null | sed -nE 's/.*PERF_RECORD_AUXTRACE size: (\w+) +offset: (\w+) .* cpu: ([0-9]+).*/\3 \2 \1/p'; }
told() { perf script -D -i "$1" 2>/dev/null | sed -nE 's/.*PERF_RECORD_AUX offset: (\w+) size: (\w+) flags: (\w+) .*/\1 \2 \3/p'; }

first='stat -e task-clock loop 10'
forever='hotcold 100000000'

# The instructions of hotcold repeat after 4004: the first ones determine all others.
boot "$dir/few" --no-vpmu -o "$dir/few.d" -- record -e step_trace//u switches 100 1 ';' \
	record -e step_trace//u hotcold 3
$perf0 decode --command 0 -o "$dir/yields.data" "$dir/few.d/stream.perf0" 2>/dev/null
decode "$dir/yields.data" "$dir/yields.ips"
decode "$dir/few.d/perf.data" "$dir/few.ips"
is "hotcold 3" "$(grep -c . "$dir/few.ips")" $((3 * 4004 + 3))

# as_executed IPS: prints how many lines of IPS differ from the instructions that hotcold executes from its beginning.
as_executed() {
	awk 'NR == FNR { ip[NR] = $0; next } { i = FNR <= 8008 ? FNR : 4005 + (FNR - 4005) % 4004 } $0 != ip[i] { n++ }
		END { print n + 0 }' "$dir/few.ips" "$1"
}

# breaks FEW IPS: prints how many pairs of neighbours in IPS are nowhere neighbours in FEW.
breaks() {
	awk 'NR == FNR { if (NR > 1) may[last, $0] = 1; last = $0; next } FNR > 1 && !((was, $0) in may) { n++ } { was = $0 }
		END { print n + 0 }' "$1" "$2"
}

# A large area: nothing is missing between the snapshots.
# shellcheck disable=SC2086
start "$dir/large" --no-vpmu -o "$dir/large.d" -- $first ';' record -S -e step_trace//u $forever
snap 1
snap 3
end INT
data=$dir/large.d/perf.data
is "a large area: status" $status 130
n=$(taken "$dir/large")
is "a large area: three snapshots were taken" "$([ "$n" -ge 3 ] && echo yes)" yes
is "a large area: they and the last one are in perf.data" "$(areas "$data" | grep -c .)" $((n + 1))
is "a large area: a record of each" "$(told "$data" | grep -c '^0 0x[0-9a-f]* 0x2$')" $((n + 1))
end=0
areas "$data" | while read -r _ offset size; do
	echo $((end >= offset && end - offset < 8)) # filled up to multiples of 8
	end=$((offset + size))
done >"$dir/joints"
is "a large area: each goes on where the one before ended" "$(sort -u "$dir/joints")" 1
decode "$data" "$dir/large.ips"
is "a large area: all that was executed" "$(as_executed "$dir/large.ips")" 0
is "a large area: that is a lot" "$([ "$(grep -c . "$dir/large.ips")" -gt 1000 ] && echo yes)" yes
is "a large area: no complaint of the decoder" "$(cat "$dir/large.ips.err")" ""

# System calls soon fill an area of one page: each snapshot has the newest 4 KiB before it.
# shellcheck disable=SC2086
start "$dir/small" --no-vpmu -o "$dir/small.d" -- $first ';' \
	record -S -m 16,1 -e step_trace//u switches 100000000 1
snap 2
end TERM
data=$dir/small.d/perf.data
is "a small area: ended by SIGTERM" $status 143
n=$(taken "$dir/small")
is "a small area: all are in perf.data" "$(areas "$data" | grep -c .)" $((n + 1))
is "a small area: and no more than it holds of each" \
	"$(areas "$data" | while read -r _ _ size; do [ $((size)) -le 4096 ] || echo "$size"; done)" ""
is "a small area: it was full" "$(areas "$data" | grep -q ' 0x1000$' && echo yes)" yes
decode "$data" "$dir/small.ips"
is "a small area: none has a gap in it" "$([ "$(breaks "$dir/yields.ips" "$dir/small.ips")" -le "$n" ] && echo yes)" yes
is "a small area: some of each" "$([ "$(grep -c . "$dir/small.ips")" -gt $((n * 1000)) ] && echo yes)" yes
is "a small area: no complaint of the decoder" "$(cat "$dir/small.ips.err")" ""

# Four CPUs: a snapshot has the areas of all CPUs, and each area distinguishes tasks.
# shellcheck disable=SC2086
start "$dir/four" --smp 4 --no-vpmu -o "$dir/four.d" -- $first ';' \
	record -S -e step_trace//u spawner 4 1000000000 threads=1
snap 6 # on a busy host a CPU may have nothing new between two of them
end HUP
data=$dir/four.d/perf.data
is "four CPUs: ended by SIGHUP" $status 129
is "four CPUs: areas of all" "$(areas "$data" | cut -d ' ' -f 1 | sort -u | tr '\n' ' ')" "0 1 2 3 "
is "four CPUs: several of each" "$(areas "$data" | cut -d ' ' -f 1 | sort | uniq -d | tr '\n' ' ')" \
	"0 1 2 3 "
perf script -i "$data" --itrace=i1ie -F pid,tid,event,ip >"$dir/four.ips" 2>&1
is "four CPUs: all that is decoded is of a task" "$(grep -cvE '^ *2/[2-6] +instructions:u: +[0-9a-f]+ *$' "$dir/four.ips")" 0
# On a busy host two tasks may share a CPU at a snapshot, and one task may be missing in it.
is "four CPUs: tasks are told apart" "$([ "$(awk '{ print $1 }' "$dir/four.ips" | sort -u | grep -c '2/[3-6]')" -ge 2 ] && echo yes)" yes

# Without -S no snapshot is taken, and the recording is complete.
# shellcheck disable=SC2086
start "$dir/none" -o "$dir/none.d" -- $first ';' record -c 100003 -e instructions:u loop 100000000000
kill -USR2 "$tool"
sleep 0.2
kill -USR2 "$tool"
sleep 0.2
end USR1
is "no -S: ended by SIGUSR1" $status 138
is "no -S: no snapshot" "$(taken "$dir/none")" 0
has "no -S: the recording is there" "$dir/none" '\[ perf0: wrote .*perf.data \([0-9]+ samples\) \]'

finish

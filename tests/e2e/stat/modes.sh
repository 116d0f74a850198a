# SPDX-License-Identifier: BSD-2-Clause
# perf's modes on the image's one CPU: default, --per-thread, -C and -a, and refusals.
. "$(dirname "$0")/../_lib.sh"

boot "$dir/stat" --uarch skx -- \
	stat -a -e instructions:u,instructions:k loop 1000 ';' \
	stat -C 0 -e instructions:u loop 2000 ';' \
	stat --per-thread -e instructions:u loop 3000 ';' \
	stat --per-thread -C 0 -e instructions:u loop 4000 ';' \
	stat -a -e '{instructions:u,branches:u}' -r 2 loop 5000 ';' \
	stat -a loop 100000
is "stat: exit status" $status 0
has "-a says so" "$dir/stat" " Performance counter stats for 'system wide':.*"
has "-C says so" "$dir/stat" " Performance counter stats for 'CPU\(s\) 0':.*"
has "-a: ring 3 is the workload's alone" "$dir/stat" ' *2,005 +instructions:u .*'
has "-a: ring 0 is the runtime's" "$dir/stat" ' *[0-9,]{5,} +instructions:k .*'
has "-C 0" "$dir/stat" ' *4,005 +instructions:u .*'
has "--per-thread" "$dir/stat" ' *6,005 +instructions:u .*'
has "--per-thread -C 0" "$dir/stat" ' *8,005 +instructions:u .*'
has "-a, a group, two runs" "$dir/stat" ' *10,005 +instructions:u .*'
has "-a has the CPU's clock" "$dir/stat" ' *[0-9.]+ msec cpu-clock +# +(0\.[89][0-9]*|1\.0[0-9]*) CPUs utilized.*'

boot "$dir/record" --uarch skx -o "$dir/d" -- \
	record -e instructions:u -c 1000 loop 10000 ';' \
	record --per-thread -e instructions:u -c 1000 loop 10000 ';' \
	record -C 0 -e instructions:u -c 1000 loop 10000 ';' \
	record -a -e '{instructions:u,branches:u}' -c 1000 loop 10000 ';' \
	record -a --overwrite -m 1 -e instructions:u -c 100 loop 10000
is "record: exit status" $status 0
for c in 0 1 2 3 4; do
	$perf0 decode --command $c "$dir/d/stream.perf0" -o "$dir/$c.data" >/dev/null 2>&1
	perf script -i "$dir/$c.data" -F comm,tid,ip,sym 2>/dev/null >"$dir/$c.script"
	perf evlist -v -i "$dir/$c.data" >"$dir/$c.evlist" 2>/dev/null
done
is "default: samples" "$(grep -c . "$dir/0.script")" 20
for c in 1 2; do
	is "the same samples in mode $c" "$(md5sum <"$dir/$c.script")" "$(md5sum <"$dir/0.script")"
done
is "-a: two events" "$(grep -c . "$dir/3.script")" $((20 + 10))
is "-a --overwrite: a page full" "$(grep -c . "$dir/4.script")" $((4096 / 56))
is "--per-thread: samples tell no CPU" "$(grep -c CPU "$dir/1.evlist")" 0
has "-C: they do" "$dir/2.evlist" '.*\|CPU\|.*'
is "-C: no workload starts the events" "$(grep -c enable_on_exec "$dir/2.evlist")" 0
has "default: it does" "$dir/0.evlist" '.*enable_on_exec: 1.*'

boot "$dir/bad" -k -- \
	stat -C 1 loop 1 ';' record -C 0-2 loop 1 ';' stat -C 0, loop 1 ';' \
	stat -a -C 0 loop 1 ';' record -a --per-thread loop 1 ';' stat -a --passes loop 1 ';' \
	stat -C 0 --no-mux loop 1
is "refusals: exit status" $status 2
while read -r line; do has "refused: $line" "$dir/bad" "$line"; done <<'EOF'
stat: '1': there is no CPU 1
record: '0-2': there is no CPU 1
stat: '0,' is no list of CPUs, as 0-2,4
stat: --all-cpus and --cpu exclude each other: -a is all CPUs
record: --all-cpus and --per-thread exclude each other: .*
stat: --passes and --all-cpus exclude each other: .*
stat: --no-mux and --cpu exclude each other: .*
EOF
finish

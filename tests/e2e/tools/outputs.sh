# SPDX-License-Identifier: BSD-2-Clause
# All output forms of the tool: perf's pipe, text, folded stacks, speedscope, csv, json.
. "$(dirname "$0")/../_lib.sh"

# One boot serves all: a recording of two events, one of them with ring 0; counts; and another recording.
boot "$dir/run" --events ratios -o "$dir/run.d" -- record -e instructions:u,cycles -c 10007 hotcold 1000 \; \
	stat -e task-clock,instructions:u,bpf-output loop 1000 \; record -e instructions:u -c 1009 loop 10000 \; \
	record -e raw_syscalls:sys_enter,sched:sched_switch -c 1 sleep 0.001
is "one run" $status 0
stream=$dir/run.d/stream.perf0

# decode ARGS...: decodes the stream; standard output goes to $dir/out, messages to $dir/err, the status to $status.
decode() {
	$perf0 decode "$stream" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

for n in 0 2; do
	$perf0 decode "$stream" --command $n -o "$dir/$n.data" 2>/dev/null
	perf script -i "$dir/$n.data" >"$dir/script" 2>/dev/null
	samples=$(wc -l <"$dir/script")
	is "command $n: there are samples" "$((samples > 18))" 1
	decode --command $n --text
	is "command $n: --text is what perf script prints" "$(md5sum <"$dir/out")" "$(md5sum <"$dir/script")"
	has "command $n: the books are told" "$dir/err" ".* wrote .* to standard output \($samples samples\) .*"
	$perf0 decode "$stream" --command $n -o - 2>/dev/null | perf script -i - >"$dir/out" 2>"$dir/err"
	is "command $n: the same through a pipe" "$(md5sum <"$dir/out")" "$(md5sum <"$dir/script")"
done
$perf0 decode "$stream" --command 3 -o "$dir/3.data" 2>/dev/null
perf script -i "$dir/3.data" >"$dir/script" 2>/dev/null
has "tracepoints: their fields" "$dir/script" '.* raw_syscalls:sys_enter: NR 35 .*'
$perf0 decode "$stream" --command 3 -o - 2>/dev/null | perf script -i - >"$dir/out" 2>"$dir/err"
is "tracepoints: the same through a pipe" "$(md5sum <"$dir/out")" "$(md5sum <"$dir/script")"
$perf0 decode "$stream" --command 0 -o - 2>/dev/null | perf report --stdio -i - >"$dir/report" 2>"$dir/err"
is "pipe: perf report" $? 0
is "pipe: perf report has no complaint" "$(grep -v '^$' "$dir/err")" ""
for e in instructions:u cycles; do
	has "pipe: event $e" "$dir/report" "# Samples: .* of event '$e'"
done
$perf0 decode "$stream" --command 0 -o - 2>/dev/null | perf report --header -i - >"$dir/header" 2>&1
has "pipe: header" "$dir/header" '# cmdline : perf0 record -e instructions:u,cycles -c 10007 hotcold 1000.*'

# Folded stacks: the weights add up to samples times period.
decode --command 0 --folded
is "--folded: all periods" "$(awk '{ n[$1 ~ /^cycles;/] += $NF } END { print n[0] / 10007, n[1] % 10007 }' "$dir/out")" \
	"400 0"
has "--folded: a stack" "$dir/out" 'instructions:u;hotcold;hot [0-9]+'
decode --command 2 --folded -o "$dir/folded"
is "--folded -o: a file, one event: no event in front" "$(cut -d ' ' -f 1 "$dir/folded")" "loop;workload_loop"
decode --command 0 --speedscope
is "--speedscope: by its schema" "$(python3 tests/e2e/tools/speedscope.py "$dir/out")" \
	"cycles, CPU 0: ok, instructions:u, CPU 0: ok"

# Counts in the forms of perf stat.
decode --command 1 --csv
has "--csv: clock" "$dir/out" '[0-9]+\.[0-9]{2},msec,task-clock,[0-9]+,100\.00,,'
has "--csv: count" "$dir/out" '2005,,instructions:u,[0-9]+,100\.00,,'
has "--csv: refused" "$dir/out" '<not supported>,,bpf-output,0,100\.00,,'
decode --command 1 -x '|'
has "-x" "$dir/out" '2005\|\|instructions:u\|[0-9]+\|100\.00\|\|'
decode --command 1 --json
is "--json" "$(python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["counter-value"])' <"$dir/out" | sed 1d | tr '\n' ' ')" \
	"2005.000000 <not supported> "

# stat itself writes these forms to a file, as perf stat does, with derived figures.
$perf0 stat --machine-timeout $patience -o "$dir/stat" -x , -r 3 -e task-clock,instructions:u,bpf-output -- loop 1000 >"$dir/out" 2>"$dir/err"
is "stat -o: nothing else is printed" "$(wc -l <"$dir/out")" 0
has "stat -o: when" "$dir/stat" '# started on .*'
has "stat -x" "$dir/stat" '2005,,instructions:u,0\.00%,[0-9]+,100\.00,[0-9.]+,M/sec'
$perf0 stat --machine-timeout $patience -o "$dir/stat" --append -j -e instructions:u,bpf-output -- loop 1000 >"$dir/out" 2>"$dir/err"
is "stat -o --append -j" "$(grep '^{' "$dir/stat" | python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["counter-value"])' | tr '\n' ' ')" "2005.000000 <not supported> "
is "stat --append: two runs in the file" "$(grep -c '^# started on' "$dir/stat")" 2
if perf stat -o "$dir/perf" -j -e task-clock true; then
	keys() { python3 -c 'import json, sys; print(*json.load(sys.stdin))'; }
	is "stat -j: perf's keys, and what kind of number it is" "$(grep '^{' "$dir/stat" | head -n 1 | keys)" \
		"$(grep '^{' "$dir/perf" | keys) truth"
fi

# record writes to standard output, too, and prints nothing else there.
$perf0 record --machine-timeout $patience -o - -e instructions:u -c 10007 -- hotcold 1000 2>"$dir/err" | perf script -i - -F ip >"$dir/ips" 2>/dev/null
is "record -o - | perf script -i -" "$(grep -c . "$dir/ips")" $(((4004 * 1000 + 3) / 10007))
has "record -o -: the image's line is on standard error" "$dir/err" '\[ perf0 record: .*'

# A mistake is reported in one line.
wrong() {
	what=$1 wanted=$2
	shift 2
	decode "$@"
	is "$what" "$([ $status != 0 ] && tail -n 1 "$dir/err" | grep -c "$wanted") $(grep -c . "$dir/out")" "1 0"
}
wrong "two forms at once" 'one form at a time' --json --text
wrong "counts of what has none" 'there is no command 9' --command 9 --csv
wrong "a folder that is not there" 'No such file' --command 0 --folded -o "$dir/nosuch/x"
if has_pty "no binary to a terminal"; then
	script -qec "$perf0 decode $stream --command 0 -o -" /dev/null >"$dir/out" 2>&1
	is "no binary to a terminal" "$(grep -c 'standard output is a terminal' "$dir/out")" 1
fi

# A damaged stream: every form has the intact part.
cp "$stream" "$dir/damaged"
printf 'noise on the line' | dd of="$dir/damaged" bs=1 seek=$(($(wc -c <"$stream") / 2)) conv=notrunc status=none
for form in text folded speedscope; do
	$perf0 decode "$dir/damaged" --command 0 --$form >"$dir/out" 2>"$dir/err"
	is "damaged, --$form: no success, and told" "$([ $? != 0 ] && grep -c 'stream is incomplete' "$dir/err")" 1
	is "damaged, --$form: the intact is there" "$(grep -c 'workload_hotcold' "$dir/out" | sed 's/^[1-9].*/some/')" some
done


# Others read what is made for them, as far as the umask lets them; a perf.data is its owner's, as perf's is.
mode_of() { stat -c %a "$@" | tr '\n' ' '; }
for mask in 022 027 077; do
	rm -rf "$dir/modes" && mkdir "$dir/modes"
	(umask $mask && cd "$dir/modes" && p=../../../perf0 &&
		$p plan --uarch skx -e cycles --html plan.html &&
		$p decode "$OLDPWD/$stream" --command 0 --folded -o folded &&
		$p decode "$OLDPWD/$stream" --command 0 -o perf.data &&
		$p profile --html page.html --pprof pprof --callgrind callgrind -- loop 10) >"$dir/log" 2>&1
	is "umask $mask: they are written" "$?" 0
	shared=$(printf '%o' $((0666 & ~0$mask)))
	is "umask $mask: pages and profiles" \
		"$(cd "$dir/modes" && mode_of plan.html folded page.html pprof callgrind)" "$shared $shared $shared $shared $shared "
	is "umask $mask: perf.data" "$(cd "$dir/modes" && mode_of perf.data)" "600 "
done
finish

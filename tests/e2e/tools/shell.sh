# SPDX-License-Identifier: BSD-2-Clause
# perf0 shell runs scripts, and serves a person at a terminal (tmux's), on one machine.
. "$(dirname "$0")/../_lib.sh"

shared=${XDG_CACHE_HOME:-$PWD/$dir/shared}
export XDG_STATE_HOME="$PWD/$dir/state" XDG_CACHE_HOME="$PWD/$dir/cache"

# The QEMU here notes its process id: a line for each started machine.
cat >"$dir/qemu" <<SCRIPT
#!/bin/sh
case \$1 in -plugin | --version) ;; *) echo \$\$ >>$dir/machines ;; esac
exec qemu-system-x86_64 "\$@"
SCRIPT
chmod +x "$dir/qemu"
machines() { [ ! -e "$dir/machines" ] || wc -l <"$dir/machines"; }
# shell ARGS...: runs perf0 shell ARGS; outputs go to $dir/out and $dir/err, the status to $status.
shell() {
	rm -f "$dir/machines"
	$perf0 shell --qemu "$dir/qemu" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

# The machine is saved first. The test counts only later starts.
echo version >"$dir/script"
shell "$dir/script"
is "a machine is saved: status, no output but the host's" "$status $(cat "$dir/out")" "0 $($perf0 version)"
is "what needs no machine starts none" "$(machines)" ""
$perf0 cache warm --qemu "$dir/qemu" >"$dir/warm" 2>&1

# All commands of a script run on one machine, and each prints the same as alone.
cat >"$dir/script" <<SCRIPT
# comments, blank lines

stat -e instructions:u,instructions:k,cycles -- loop 1000
stat -x , -e instructions:u -- loop 1000 # a comment behind it
stat -j -e instructions:u \\
	-- loop 2000; stat -e 'instructions:u' -o $dir/report -- "loop" 3000
record -o $dir/one.data -e instructions:u -c 10007 -- hotcold 1000
record -o $dir/two.data -e instructions:u -c 10007 -- hotcold 2000
run -- stat -e instructions:u loop 4000 \\; stat -e instructions:u loop 5000
plan --uarch hsw -e cycles
SCRIPT
shell "$dir/script"
is "a script: status" "$status" 0
is "a script: one machine" "$(machines)" 1
has "stat" "$dir/out" ' *2,005  *instructions:u *'
has "stat -x" "$dir/out" '2005,,instructions:u,.*'
has "stat -j, on two lines" "$dir/out" '\{.*"counter-value" : "4005.*'
has "stat -o: its file" "$dir/report" ' *6,005  *instructions:u *'
is "stat -o: nothing else" "$(grep -c 6,005 "$dir/out")" 0
is "two commands of one run" "$(grep -cE '^ *(8,005|10,005) ' "$dir/out")" 2
has "plan" "$dir/out" '  FIXED1    cycles'
for n in one:400 two:800; do
	is "record: ${n%:*} has its own samples" \
		"$(perf script -i "$dir/${n%:*}.data" -F ip 2>/dev/null | grep -c .)" "${n#*:}"
done
$perf0 stat --qemu "$dir/qemu" -e instructions:u,instructions:k,cycles -- loop 1000 >"$dir/alone" 2>&1
$perf0 record --qemu "$dir/qemu" -o "$dir/alone.data" -e instructions:u -c 10007 -- hotcold 1000 >"$dir/alone.err" 2>&1
is "stat prints what it prints alone" "$(head -n "$(wc -l <"$dir/alone")" "$dir/out" | cksum)" "$(cksum <"$dir/alone")"
is "record finds what it finds alone" "$(perf script -i "$dir/one.data" -F ip,sym,period | cksum)" \
	"$(perf script -i "$dir/alone.data" -F ip,sym,period | cksum)"

# State stays between lines. Failures are reported with their place, and the first failure gives the script its status.
cat >"$dir/script" <<'SCRIPT'
sysctl kernel.sched_rr_timeslice_ms=7
stat -e nosuch.event -- loop
stat -e instructions:u -- loop 1x
nosuch
stat 'oops
stat -e instructions:u -- loop > file
stat -e instructions:u -- ./nosuch
sysctl kernel.sched_rr_timeslice_ms
SCRIPT
shell "$dir/script"
is "failures: the first one's status, one machine" "$status $(machines)" "2 1"
is "what sysctl set stays" "$(tail -n 1 "$dir/out")" "kernel.sched_rr_timeslice_ms = 7"
is "failures: the machine got none of them" "$(wc -l <"$dir/out")" 2
has "a failure: why" "$dir/err" "perf0: stat: -e nosuch.event: column 1: there is no event 'nosuch.event'"
has "a failure: where" "$dir/err" "perf0: $dir/script:2: status 2: stat -e nosuch.event -- loop"
has "an unknown command" "$dir/err" "perf0: $dir/script:4: status 127: nosuch"
has "an open quote" "$dir/err" "perf0: $dir/script:5: column 6: the quote is not closed"
has "a redirection" "$dir/err" "perf0: $dir/script:6: column 32: there are no redirections here; .*"
has "a program that is not there" "$dir/err" "perf0: stat: ./nosuch: No such file or directory"
shell -e "$dir/script"
is "--errexit: status" "$status" 2
is "--errexit: the rest does not run" "$(cat "$dir/out")" "kernel.sched_rr_timeslice_ms = 7"
printf 'exit\nnosuch\n' >"$dir/script"
shell "$dir/script"
is "exit" "$status $(machines)" "0 "
printf 'caps\nexit 9\n' | XDG_CACHE_HOME=$shared $perf0 shell --no-vpmu >"$dir/out" 2>&1
is "standard input; exit 9" $? 9
printf 'help\n\nstat -e x\0y -- loop\n' | $perf0 shell >"$dir/out" 2>"$dir/err"
is "a zero byte: status" $? 2
has "a zero byte: where" "$dir/err" 'perf0: standard input:3: status 2: .*'
$perf0 shell "$dir/nosuch" 2>"$dir/err"
is "no such script" "$? $(cat "$dir/err")" "1 perf0: $dir/nosuch: No such file or directory"
$perf0 shell --machine-timeout 3 2>"$dir/err" </dev/null
is "an option that a shell has not" $? 2

# The longest line that the image accepts, and a longer one.
long() { printf 'stat -e instructions:u -- loop'; head -c "$1" /dev/zero | tr '\0' ' '; echo 1000; }
words() { printf 'run -k -- help '; head -c "$1" /dev/zero | tr '\0' y; echo; }
{ long 65000; words 65530; words 65531; long 1; } >"$dir/script"
shell "$dir/script"
is "long lines: status, one machine" "$status $(machines)" "127 1"
is "long lines: what stands behind them runs" "$(grep -c 2,005 "$dir/out")" 2
is "a line of 65535 characters reaches the image" "$(grep -v "^perf0: $dir" "$dir/err" | grep -c 'yyyy')" 1
has "a longer one does not" "$dir/err" 'perf0: the command line has 65536 characters, more than 65535'

# A time limit ends the workload, and the machine goes on. The shell replaces a machine that dies.
printf 'sysctl kernel.sched_rr_timeslice_ms=7\nstat -e instructions:u -- spin\nsysctl kernel.sched_rr_timeslice_ms\n' >"$dir/script"
shell --timeout 3 "$dir/script"
is "a time limit: status, one machine" "$status $(machines)" "124 1"
has "a time limit: why" "$dir/err" 'perf0: timed out after 3 s: the workload was ended'
is "a time limit: what was counted" "$(grep -c 'instructions:u' "$dir/out")" 1
is "a time limit: the machine stays" "$(tail -n 1 "$dir/out")" "kernel.sched_rr_timeslice_ms = 7"
rm -f "$dir/machines"
$perf0 shell --qemu "$dir/qemu" "$dir/script" >"$dir/out" 2>"$dir/err" &
for _ in $(seq 600); do
	grep -q timeslice "$dir/out" && break
	sleep 0.1
done
sleep 1
kill -KILL "$(cat "$dir/machines")"
wait $!
is "a machine dies: status, machines" "$? $(machines)" "125 2"
has "a machine dies: why" "$dir/err" 'perf0: QEMU was killed by signal 9 .* before the command had ended'
has "a machine dies: the next one is told of" "$dir/err" 'perf0: another machine is started: .*'
is "a machine dies: the script goes on" "$(tail -n 1 "$dir/out")" "kernel.sched_rr_timeslice_ms = 10"
env --default-signal=INT $perf0 shell --qemu "$dir/qemu" "$dir/script" >"$dir/out" 2>"$dir/err" &
for _ in $(seq 600); do
	grep -q timeslice "$dir/out" && break
	sleep 0.1
done
sleep 1
kill -INT $!
wait $!
is "^C: the status of the script" $? 130
is "^C: what was counted, and no more" "$(grep -c instructions:u "$dir/out") $(grep -c timeslice "$dir/out")" "1 1"

# A line that needs another machine gets one of its own.
cat >"$dir/script" <<SCRIPT
sysctl kernel.sched_rr_timeslice_ms=7
stat --no-vpmu -e cpu-clock -- loop
sysctl kernel.sched_rr_timeslice_ms
SCRIPT
shell "$dir/script"
is "another machine: status, machines" "$status $(machines)" "0 2"
is "another machine: told" "$(grep -c 'a machine of its own for this command' "$dir/err")" 1
is "the shell's machine is as it was" "$(tail -n 1 "$dir/out")" "kernel.sched_rr_timeslice_ms = 7"

# The machine gets the content of each program once. Its counts equal those of a machine with that program alone.
program() {
	gcc -O2 -g -ffreestanding -nostdlib -static-pie -fpie -fno-stack-protector -Wl,--build-id -I. "$@" tests/elf/bare_hello.c
}
# padded MIB NAME: makes a copy of the program with MIB of content that is not loaded.
padded() {
	yes "$2" | head -c "$1M" >"$dir/padding"
	objcopy --add-section .padding="$dir/padding" "$dir/hello" "$dir/$2"
	rm "$dir/padding"
}
# given: prints the bytes of programs that each line sent.
given() { sed -n 's/^perf0: programs: \([0-9]*\) bytes through shared memory .*/\1/p' "$dir/err" | tr '\n' ' '; }
program -o "$dir/hello"
cp "$dir/hello" "$dir/copy"
events=instructions:u,instructions:k,branches:u
cat >"$dir/script" <<SCRIPT
stat -e $events -- $dir/hello one 1000
sysctl kernel.sched_rr_timeslice_ms=7
stat -e $events -- $dir/hello one 1000
stat -e $events -- $dir/copy one 1000
record -o $dir/program.data -e instructions:u -c 107 -- $dir/hello one 10000
run -- stat -e instructions:u $dir/hello one \; stat -e instructions:u $dir/copy one 500
stat -r 2 -e instructions:u -- $dir/hello one
sysctl kernel.sched_rr_timeslice_ms
SCRIPT
shell -v "$dir/script"
size=$(stat -c %s "$dir/hello")
is "programs: status, one machine" "$status $(machines)" "0 1"
is "programs: each pack is given once" "$(given | awk '{ print ($1 > '"$size"'), $2, ($3 == $1), $4, ($5 > $1), $6 }')" "1 0 1 0 1 0"
is "programs: the machine is the shell's" "$(tail -n 1 "$dir/out")" "kernel.sched_rr_timeslice_ms = 7"
is "programs: all of them ran" "$(grep -c 'hello from ring 3' "$dir/out")" 8
for n in $(either "1 3" "1 2 3"); do
	file=hello
	[ $n = 3 ] && file=copy
	$perf0 stat --qemu "$dir/qemu" -e $events -- "$dir/$file" one 1000 >"$dir/alone" 2>&1
	grep -E 'instructions|branches' "$dir/alone" >"$dir/alone.$n"
	grep -E '(instructions|branches):' "$dir/out" | sed -n "$((3 * n - 2)),$((3 * n))p" >"$dir/counts.$n"
	is "programs: line $n counts" "$(wc -l <"$dir/counts.$n")" 3
	is "programs: line $n counts what it counts alone" "$(cat "$dir/counts.$n")" "$(cat "$dir/alone.$n")"
done
$perf0 record --qemu "$dir/qemu" -o "$dir/alone.data" -e instructions:u -c 107 -- "$dir/hello" one 10000 >"$dir/alone" 2>&1
is "programs: there are samples" "$(perf script -i "$dir/program.data" -F sym 2>/dev/null | grep -c turn)" \
	"$(perf script -i "$dir/alone.data" -F sym 2>/dev/null | grep -c turn)"
is "programs: the samples are what they are alone" "$(perf script -i "$dir/program.data" -F ip,sym,period | cksum)" \
	"$(perf script -i "$dir/alone.data" -F ip,sym,period | cksum)"

# A file that changed between two lines is sent again.
cat >"$dir/script" <<SCRIPT
stat -e instructions:u -- $dir/changes one
stat -e instructions:u -- $dir/changes one
SCRIPT
mkfifo "$dir/lines"
cp "$dir/hello" "$dir/changes"
rm -f "$dir/machines"
$perf0 shell -v --qemu "$dir/qemu" <"$dir/lines" >"$dir/out" 2>"$dir/err" &
exec 9>"$dir/lines"
sed -n 1p "$dir/script" >&9
for _ in $(seq 600); do
	grep -q 'seconds sys' "$dir/out" && break
	sleep 0.1
done
program -DCHANGED=1 -O0 -o "$dir/changes"
sed -n 2p "$dir/script" >&9
exec 9>&-
wait $!
is "a program that changes: status, one machine" "$? $(machines)" "0 1"
is "a program that changes is given again" "$(given | awk '{ print $1 - $2 }')" $((size - $(stat -c %s "$dir/changes")))
is "a program that changes: another count" "$(grep instructions:u "$dir/out" | sort -u | wc -l)" 2

if soaking; then
	# Programs of any size: unused files make room, and a program that does not fit gets a machine of its own.
	for n in first second third; do
		padded 40 $n
	done
	padded 150 huge
	cat >"$dir/script" <<-SCRIPT
	stat -e instructions:u -- $dir/first one 1000
	stat -e instructions:u -- $dir/second one 1000
	stat -e instructions:u -- $dir/third one 1000
	stat -e instructions:u -- $dir/third one 1000
	stat -e instructions:u -- $dir/huge one 1000
	SCRIPT
	shell -v "$dir/script"
	size=$(stat -c %s "$dir/first")
	is "large programs: status, machines" "$status $(machines)" "0 2"
	# A machine that answers slowly gets some of the bytes again.
	is "large programs: what is given" "$(given | awk -v size="$size" '{ print ($1 > size), ($2 > size), ($3 > size), $4 }')" "1 1 1 0"
	is "large programs: all count the same" "$(grep instructions:u "$dir/out" | sort | uniq -c | awk '{ print $1, $2 }')" "5 2,403"
	has "a huge program: told" "$dir/err" "perf0: a machine of its own for this command: its programs take more memory than the shell's has left"
	rm "$dir/first" "$dir/second" "$dir/third" "$dir/huge"

	# A slow serial line: an upload that is broken off leaves the machine at its prompt.
	padded 8 slow
	cat >"$dir/script" <<-SCRIPT
	sysctl kernel.sched_rr_timeslice_ms=7
	stat -e instructions:u -- $dir/slow one 1000
	stat -e instructions:u -- $dir/hello one 1000
	sysctl kernel.sched_rr_timeslice_ms
	SCRIPT
	shell --serial --timeout 4 "$dir/script"
	is "broken off: status, one machine" "$status $(machines)" "124 1"
	has "broken off: why" "$dir/err" 'perf0: timed out after 4 s: a program was being sent'
	has "broken off: where" "$dir/err" "perf0: $dir/script:2: status 124: stat -e instructions:u -- $dir/slow one 1000"
	has "broken off: the next program runs" "$dir/out" ' *2,403  *instructions:u *'
	is "broken off: the machine stays" "$(tail -n 1 "$dir/out")" "kernel.sched_rr_timeslice_ms = 7"
fi

if ! has_tmux "a person's shell"; then
	finish
	exit
fi
# The progress of a recording without --live. Asking for it changes no result.
# told SCRIPT_OR_COMMAND...: runs perf0 on a terminal; the displayed numbers of samples go to $dir/told.
told() {
	script -qec "$perf0 $*" /dev/null </dev/null >"$dir/progress" 2>&1
	status=$?
	tr '\r' '\n' <"$dir/progress" | sed -n 's/.*running [0-9.]* s.*[^0-9,]\([0-9,]*\) samples.*/\1/p' | tr -d , >"$dir/told"
}
told record -o "$dir/told.data" -e instructions:u -c 1009 -- hotcold 2000
is "progress: status" "$status" 0
is "progress: samples so far are told" "$(awk '$1 > 0 && $1 <= 7936' "$dir/told" | sort -nu | wc -l | sed 's/^[0-9]*[1-9][0-9]*$/some/')" some
is "progress: never more than there are" "$(awk '$1 > 7936' "$dir/told")" ""
$perf0 record -o "$dir/untold.data" -e instructions:u -c 1009 -- hotcold 2000 >"$dir/untold" 2>&1
is "progress: the samples, and their times, are what they are untold" "$(perf script -i "$dir/told.data" -F ip,time,period | cksum)" \
	"$(perf script -i "$dir/untold.data" -F ip,time,period | cksum)"
if soaking; then
	cat >"$dir/script" <<-SCRIPT
	record -o $dir/one.data -e instructions:u -c 1009 -- hotcold 2000
	record -o $dir/two.data -e instructions:u -c 1009 -- hotcold 1000
	SCRIPT
	told shell "$dir/script"
	is "progress in a shell: status" "$status" 0
	is "progress in a shell: samples of the line, not of the machine" "$(awk '$1 > 7936' "$dir/told")" ""
fi

session=0
tmux() { command tmux -L "perf0-$$-$session" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null' EXIT
screen() { tmux capture-pane -p; }
type() { tmux send-keys -- "$@"; }

# see WHAT REGEX: waits until REGEX matches a line of the screen. The time bounds a hang; it does not check speed.
see() {
	for _ in $(seq 600); do
		screen >"$dir/screen"
		grep -qxE -- "$2" "$dir/screen" && { ok "$1"; return; }
		sleep 0.1
	done
	not_ok "$1" "no: $2" "$(grep . "$dir/screen")"
}
# new_shell WHAT: starts a new shell in a new terminal.
new_shell() {
	tmux kill-server 2>/dev/null
	session=$((session + 1))
	rm -f "$dir/machines"
	tmux new-session -d -x 100 -y 50 "stty -g >$dir/tty; $perf0 shell --qemu $dir/qemu; echo status=\$?; stty -g | cmp - $dir/tty && echo restored; sleep 100"
	see "$1" 'perf0>'
}
new_shell "the prompt"
type "sta" Tab
see "Tab: a command" 'perf0> stat'
type "-e cpu-clo" Tab
see "Tab: an event" 'perf0> stat -e cpu-clock'
type ",instructions:u -- lo" Tab
see "Tab: a workload" 'perf0> stat -e cpu-clock,instructions:u -- loop'
type "1000" Enter
see "the counts" ' *2,005  *instructions:u .*'
type "stat --ua" Tab Tab
see "Tab, twice: what there is" 'adl  *adl_n  *arl  *bde .*'
type "gn" Tab
see "Tab: a word of an option" 'perf0> stat --uarch gnr'
type C-c
see "^C at the prompt: another line" 'perf0> stat --uarch gnr \^C'
type "nosuch" Enter
see "a mistake" "perf0: unknown command 'nosuch'.*"
see "the status of what failed" 'perf0 \[127\]>'
type "stat -e instructions:u -- spin" Enter
see "it runs" ".*running [0-9.]+ s, some (0\\.[1-9]|[1-9]).*"
type C-c
see "^C ends the workload" "stat: workload 'spin' ended: interrupted"
see "^C: what was counted" ' *[0-9,]+  *instructions:u'
see "^C: its status" 'perf0 \[130\]>'
type Up Up Up Enter
see "history: what ran before runs again" 'perf0 \[130\]> stat -e cpu-clock,instructions:u -- loop 1000'
type "stat -e instructions:u -- $dir/hello one 1000" Enter
see "a program" ' *2,403  *instructions:u *'
is "all that on one machine" "$(machines)" 1
killed=$(cat "$dir/machines")
kill -KILL "$killed"
# Until its last thread is gone its line is open, and it would be the next command that it ends.
for _ in $(seq 600); do
	grep -q '^State:.*Z' "/proc/$killed/status" && [ "$(ls "/proc/$killed/task" | wc -l)" = 1 ] && break
	sleep 0.1
done
type "cpus" Enter
see "a machine that died meanwhile is replaced" 'perf0: another machine is started: .*'
type "exit 3" Enter
see "exit" 'status=3'
see "the terminal is as it was" restored
new_shell "another shell"
type Up Up Up Up
see "history: from the shell before" 'perf0> stat -e cpu-clock,instructions:u -- loop 1000'
type C-c C-d
see "^D" 'status=0'
is "history: its file" "$(tail -n 5 "$XDG_STATE_HOME/perf0/history" | head -n 1)" "stat -e instructions:u -- spin"
tmux kill-server

finish

# SPDX-License-Identifier: BSD-2-Clause
# perf0 top on a real terminal (tmux's): a stored stream, a stream from a pipe, its own run.
. "$(dirname "$0")/../_lib.sh"

session=0
tmux() { command tmux -L "perf0-$$-$session" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null' EXIT

# top COMMAND: starts COMMAND in a terminal of 80 by 24. Afterwards the screen shows its status.
top() {
	tmux kill-server 2>/dev/null
	session=$((session + 1))
	tmux new-session -d -x 80 -y 24 "stty -g >$dir/tty; echo before; $1; echo status=\$?; stty -g | cmp - $dir/tty && echo restored; sleep 100"
}
screen() { tmux capture-pane -p; }

# see WHAT TEXT: waits until the screen shows TEXT. The time bounds a hang; it does not check speed.
see() {
	for _ in $(seq 1000); do
		screen >"$dir/screen"
		grep -qF -- "$2" "$dir/screen" && { ok "$1"; return; }
		sleep 0.1
	done
	not_ok "$1" "no: $2" "$(grep . "$dir/screen")"
}

# gone WHAT TEXT: waits until the screen no longer shows TEXT.
gone() {
	for _ in $(seq 1000); do
		screen >"$dir/screen"
		grep -qF -- "$2" "$dir/screen" || { ok "$1"; return; }
		sleep 0.1
	done
	not_ok "$1" "still: $2"
}

boot "$dir/run" -o "$dir/run.d" -- record -e instructions:u,cycles -c 10007 hotcold 500
is "one run" $status 0
stream=$dir/run.d/stream.perf0

# Without a terminal top refuses to run, before it boots anything.
setsid $perf0 top -i "$stream" </dev/null >"$dir/out" 2>&1
is "no terminal: one line" "$? $(grep -c 'no terminal' "$dir/out")" "1 1"
$perf0 top >"$dir/out" 2>&1
is "neither stream nor workload" "$? $(wc -l <"$dir/out")" "2 1"

if ! has_tmux "all that is seen on a terminal"; then
	finish
	exit
fi

top "$perf0 top -i $stream"
see "a stored stream: its event" "event 1 of 2: instructions:u, by overhead"
see "a stored stream: it ended" "perf0 top: ended"
see "a stored stream: all samples" "200 samples, 2001400 events, 0 lost"
see "the function, with its source" "[.] hot                          hotcold_code.S:"
share=$(perf report --stdio -i "$dir/run.d/perf.data" 2>/dev/null |
	awk '/event .instructions:u/ { on = 1 } on && $NF == "hot" { print $1; exit }')
see "the same overhead as perf report: $share" "$share "
tmux send-keys e
see "e: the next event" "event 2 of 2: cycles"
tmux send-keys e s
see "s: by samples" "event 1 of 2: instructions:u, by samples"
tmux send-keys s
see "s: by symbol" "by symbol"
is "by symbol: from a to z" "$(grep -o '\] [a-z]*' "$dir/screen" | tr -d ']\n')" " cold hot"
tmux send-keys Down Enter
see "Enter: into the function under the cursor" "Share of hot"
see "zoom: an address with its source line" "+0x6    hotcold_code.S:29 burner hot, HOT_INST"
tmux resize-window -x 120 -y 12
see "a larger terminal shows more of it" "hotcold_code.S:29 burner hot, HOT_INSTRUCTIONS"
is "a lower one is filled to its last line" "$(screen | tail -n 1)" " Esc back  e event  h help"
tmux send-keys Escape
see "Esc: back to the list" "q quit"
tmux send-keys h
see "h: help" "into the function: its addresses"
tmux send-keys q
gone "any key: the help goes" "into the function: its addresses"
tmux send-keys q
see "q: leaves" "status=0"
see "the terminal is as it was" "restored"
see "what was on the screen is back" "before"

top "cat $stream | $perf0 top -i -"
see "standard input: all samples" "200 samples"
tmux send-keys C-c
see "^C: leaves, by its signal" "status=130"
see "^C: the terminal is as it was" "restored"

# An attached stream: a socket sends most of it, and later the rest.
cat >"$dir/line.py" <<'PYTHON'
import os, socket, sys, time
stream = open(sys.argv[1], "rb").read()
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[2])
server.listen()
client = server.accept()[0]
client.sendall(stream[:len(stream) * 3 // 4])
while not os.path.exists(sys.argv[3]):
    time.sleep(0.1)
client.sendall(stream[len(stream) * 3 // 4:])
client.shutdown(socket.SHUT_WR)
with open(sys.argv[4], "wb") as heard:
    while said := client.recv(100):
        heard.write(said)
PYTHON
python3 "$dir/line.py" "$stream" "$dir/line" "$dir/go" "$dir/heard" &
line=$!
for _ in $(seq 1000); do [ -S "$dir/line" ] && break; sleep 0.1; done
top "$perf0 top --flow xonxoff -i $dir/line"
see "a socket: what came so far" "perf0 top: running, event 1 of 2: instructions:u"
gone "a socket: samples of it" " 0 samples"
touch "$dir/go"
see "a socket: the rest, when it comes" "200 samples, 2001400 events, 0 lost"
see "a socket: the end" "perf0 top: ended"
tmux send-keys q
wait $line
is "a socket: XON at first, XOFF at last" "$(od -An -tx1 "$dir/heard" | tr -d ' ')" 1113

# `hotcold N` executes 4004 * N + 3 instructions. The period is 100007.
top "$perf0 top --machine-timeout 200 -d 1 -e instructions:u -c 100007 -- hotcold 100000 2>$dir/err"
seen=none
for _ in $(seq 2000); do
	[ "$seen" = none ] || break
	screen >"$dir/screen"
	grep -qE '^ [1-9][0-9]* samples' "$dir/screen" && seen=$(sed -n 's/^ perf0 top: \([a-z]*\),.*/\1/p' "$dir/screen")
	grep -q 'status=' "$dir/screen" && seen=none-at-all
	sleep 0.1
done
is "a run of its own: samples are seen while it runs" "$seen" running
see "a run of its own: all samples" "4003 samples, 400328021 events, 0 lost"
see "a run of its own: it ended" "perf0 top: ended"
tmux send-keys q
see "a run of its own: the image's status" "status=0"
has "a run of its own: its books afterwards" "$dir/err" '\[ perf0 record: 4003 samples of 4003 overflows, .*'

# A perf map arrives when the program has ended. It names functions that are already on the screen.
gcc -O2 -o "$dir/jit" tests/linux/jit.c
pid=$($perf0 run --timeout $patience -- "$dir/jit" 2>/dev/null | sed -n 's/^pid \([0-9]*\) .*/\1/p')
top "$perf0 top --machine-timeout $patience -e instructions:u -c 1009 --bring /tmp/perf-$pid.map:$dir -- $dir/jit 2>$dir/err"
see "a perf map: its function by name" "[.] made_loop"
tmux send-keys q
see "a perf map: the status" "status=0"

# Without a machine top gives the reason, on the screen and after it ends.
top "$perf0 top --qemu /nosuch -- loop 1 2>$dir/err"
see "no machine: why" "/nosuch: can not be started"
tmux send-keys q
see "no machine: status" "status=125"
has "no machine: why, afterwards" "$dir/err" 'perf0: /nosuch: can not be started: .*'

# Leaving top early ends the machine, too.
top "$perf0 top -e instructions:u -c 10007 -- sleep 3600"
see "leaving early" "waiting"
pid=$(tmux list-panes -F '#{pane_pid}')
machine() { ps -e -o pid=,ppid=,comm= | awk -v root="$pid" '{ p[$1] = $2; c[$1] = $3 }
	END { for (i in p) if (c[i] ~ /^qemu/) for (j = i; j in p; j = p[j]) if (j == root) print i }'; }
for _ in $(seq 1000); do
	[ -z "$(machine)" ] || break
	sleep 0.1
done
is "a machine runs" "$(machine | wc -l)" 1
tmux send-keys q
see "q: leaves at once" "status=0"
is "no machine is left" "$(machine | wc -l)" 0
tmux kill-server

finish

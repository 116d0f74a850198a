# SPDX-License-Identifier: BSD-2-Clause
# perf0 attach connects to a machine that another program started, over a socket and a pseudo-terminal.
. "$(dirname "$0")/../_lib.sh"

. "$(dirname "$0")/../_machine.sh"

# A path for a socket has to be short.
socket=$(mktemp -u /tmp/perf0.XXXXXX)

# The machine shows its prompt for people. attach switches it to frames.
machine "socket,path=$socket,server=on,wait=off" flow=xonxoff
wait_until 100 test -S "$socket"
attach() { $perf0 attach --flow xonxoff --timeout 200 "$@"; }
attach -o "$dir/one.data" "$socket" record -e instructions:u -c 10007 hotcold 1000 >"$dir/one" 2>&1
is "a command: exit status" $? 0
has "a command: its text" "$dir/one" '\[ perf0 record: 400 samples of 400 overflows, .*'
is "a command: its samples" "$(perf script -i "$dir/one.data" -F ip 2>/dev/null | grep -c .)" 400
attach "$socket" nosuch >"$dir/nosuch" 2>&1
is "another: its status" $? 127
attach "$socket" version ';' stat -e instructions:u loop 1000 >"$dir/stat" 2>&1
is "two commands" "$? $(grep -c 2,005 "$dir/stat")" "0 1"
gcc -O2 -ffreestanding -nostdlib -fno-stack-protector -fcf-protection=none -Wl,-z,noexecstack -I. -static-pie -fpie \
	-o "$dir/hello" tests/elf/bare_hello.c
attach "$socket" stat -e instructions:u "$dir/hello" 1000 \; stat -e instructions:u "$dir/hello" 1001 >"$dir/program" 2>&1
is "a program is sent, and runs" "$? $(sed -n 's/^ *\([0-9,]*\) *instructions:u.*/\1/p' "$dir/program" | tr -d , | xargs |
	awk '{ print $2 - $1 }')" "0 2"
echo 'stat -e instructions:u loop 2000' >"$dir/keys"
$perf0 attach --flow xonxoff --timeout 200 "$socket" <"$dir/keys" >"$dir/typed" 2>&1 &
first=$!
wait_for "$dir/typed" 'seconds sys'
kill -TERM $first
wait $first
is "what is typed" "$? $(grep -c 4,005 "$dir/typed")" "143 1"

# The image answers a line that it refuses, too, and attach ends. The same holds for a line whose beginning was already
# at the prompt, and for a line that ^C ended.
attach "$socket" version $(seq 70) >"$dir/words" 2>&1
is "too many words: status" $? 2
has "too many words: why" "$dir/words" '.*perf0: column [0-9]+: a command has 64 words at most'
attach "$socket" stat -e instructions:u loop 1000 ';' version $(seq 70) ';' version >"$dir/second" 2>&1
is "the second of three is refused: status, and what ran" \
	"$? $(grep -c 2,005 "$dir/second") $(grep -c 'at most' "$dir/second")" "2 1 1"
attach "$socket" stat --nosuch loop 1 >"$dir/option" 2>&1
is "an unknown option" "$? $(grep -c "unknown option '--nosuch'" "$dir/option")" "2 1"
long=$(head -c 60000 /dev/zero | tr '\0' y)
attach "$socket" "$long" ';' stat -e instructions:u loop 1000 >"$dir/long" 2>&1
is "a line of 60 KiB arrives, and what stands at its end runs" \
	"$? $(grep -c "unknown command 'yyyy.*\.\.\.$" "$dir/long") $(grep -c 2,005 "$dir/long")" "127 1 1"
attach "$socket" version "$long" "$long" >"$dir/longer" 2>&1
is "a longer one than the image takes" \
	"$? $(grep -c 'the command line has 120009 characters, more than 65535' "$dir/longer")" "2 1"
printf 'half of a' >"$dir/keys"
$perf0 attach --flow xonxoff --timeout 200 "$socket" <"$dir/keys" >"$dir/half-typed" 2>&1 &
first=$!
wait_for "$dir/half-typed" 'half of a'
kill -TERM $first
wait $first
attach "$socket" stat -e instructions:u loop 1000 >"$dir/wiped" 2>&1
is "behind half a line at the prompt" "$? $(grep -c 2,005 "$dir/wiped")" "0 1"
env --default-signal=INT $perf0 attach --flow xonxoff --timeout 200 --stream "$dir/stream3" "$socket" \
	stat -e instructions:u spin ';' version >"$dir/ended" 2>&1 &
first=$!
wait_for "$dir/stream3" 'stat -e instructions:u spin'
sleep 1
kill -INT $first
wait $first
is "^C ends the line, and the listening" "$?" 130

# On a terminal attach shows the progress in a line.
if has_pty "progress on a terminal"; then
	script -qec "$perf0 attach --flow xonxoff --timeout 200 -o $dir/tty.data $socket record --live -e instructions:u -c 2003 dd 10000" \
		/dev/null >"$dir/tty" 2>&1
	is "progress: exit status" $? 0
	is "progress on a terminal" \
		"$(grep -qaE 'attached [0-9.]+ s: [0-9]+ frames, [0-9.]+ KiB/s, [0-9]+ samples, 0 lost' "$dir/tty" && echo yes)" yes
fi

# record --live, and the listener ends in the middle of it. It stops the sender first, and the next listener goes on
# from there. No sample is lost, and the count of ring 3 is exact.
is_larger() { [ "$(cat "$1" 2>/dev/null | wc -c)" -gt "$2" ]; }
live='record --live -e instructions:u -c 2003 dd 40000'
$perf0 attach --flow xonxoff --stream "$dir/stream" -o "$dir/half.data" "$socket" $live >"$dir/half" 2>&1 &
first=$!
wait_until 300 is_larger "$dir/stream" 8000
kill -TERM $first
wait $first
is "detached in the middle: status" $? 143
is "detached in the middle: some samples are saved" \
	"$(perf script -i "$dir/half.data" -F ip 2>/dev/null | awk 'END { print (NR > 100) }')" 1
sleep 1
attach --stream "$dir/stream" -o "$dir/whole.data" "$socket" version >"$dir/whole" 2>&1
is "attached again: status" $? 0
samples=$(sed -n 's/.* \([0-9]*\) samples of \([0-9]*\) overflows, 0 lost.*/\1/p' "$dir/whole")
is "attached again: all samples are there, none is lost" \
	"$(perf script -i "$dir/whole.data" -F ip 2>/dev/null | grep -c .)" "${samples:-no result}"
$perf0 decode --attached -v "$dir/stream" -o "$dir/stream.data" >"$dir/decode" 2>&1
is "the stored stream is complete" $? 0
has "live: ring 3's count is exact" "$dir/decode" '  CPU 0 +13240020  instructions:u'

# A killed listener cannot stop the sender: the samples in flight are lost, and each of them is counted as lost.
$perf0 attach --flow xonxoff --stream "$dir/stream2" "$socket" $live >"$dir/killed" 2>&1 &
first=$!
wait_until 300 is_larger "$dir/stream2" 8000
kill -KILL $first
wait $first 2>/dev/null
attach --stream "$dir/stream2" -o "$dir/gap.data" "$socket" version >"$dir/gap" 2>&1
status=$?
is "killed and attached again: incomplete, or not" "$(echo $status | grep -cxE '0|125')" 1
written=$(sed -n 's/.* \([0-9]*\) samples of \([0-9]*\) overflows, \([0-9]*\) lost.*/\1/p' "$dir/gap")
lost=$(sed -n 's/.* samples came, \([0-9]*\) are lost$/\1/p' "$dir/gap")
came=$(perf script -i "$dir/gap.data" -F ip 2>/dev/null | grep -c .)
is "killed: what came and what is lost is what was written" "$((came + ${lost:-0}))" "${written:-no result}"

# The machine dies in the middle of a command: attach reports an error and ends.
$perf0 attach --flow xonxoff --timeout 200 --stream "$dir/stream4" "$socket" stat -e instructions:u spin >"$dir/dead" 2>&1 &
first=$!
wait_for "$dir/stream4" 'stat -e instructions:u spin'
kill -KILL $qemu
wait $first
is "the machine was killed: status" $? 125
has "the machine was killed: why" "$dir/dead" 'perf0: the line ended before the command did'
stop_machine
rm -f "$socket"
finish

# SPDX-License-Identifier: BSD-2-Clause
# A line typed at the image's prompt runs as it was typed, or is refused as a whole. The lines are long, or many at
# once, or noise.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

# keys PYTHON: types the output of that Python code, all at once.
keys() { python3 -c "import sys; w = sys.stdout.buffer.write; $1" >&3; }

# answered REGEX: waits until a line of the output since `start` matches. $dir/console has that output.
said() { tail -c +"$begun" "$dir/qemu" | tr -d '\r' >"$dir/console"; grep -qaE "$1" "$dir/console"; }
start() { begun=$(($(wc -c <"$dir/qemu") + 1)); }
answered() { wait_until 300 said "$1" || not_ok "an answer: $1" "$(tail -c 300 "$dir/console")"; }

mkfifo "$dir/keys"
exec 3<>"$dir/keys"
machine stdio,signal=off
exec 3>"$dir/keys"
wait_for "$dir/qemu" 'perf0> '

# A line of n characters that ends in `loop 1000000`.
line='w(b"stat -e instructions:u" + b" " * (n - 34) + b"loop 1000000\r")'
for n in $(either 65535 "1027 65535"); do
	start
	keys "n = $n; $line"
	answered 'seconds sys'
	has "a line of $n characters: runs whole" "$dir/console" ' *2,000,005  *instructions:u.*'
done
for n in $(either 65536 "65536 70000"); do
	start
	keys "n = $n; $line"
	answered 'nothing of it ran'
	has "a line of $n characters: refused, with its length" "$dir/console" \
		"perf0: the line has $n characters, more than 65535; nothing of it ran"
	is "a line of $n characters: nothing of it ran" "$(grep -c 'Performance counter' "$dir/console")" 0
done

# 400 lines, typed while the first of them runs: all of them run, in order.
start
keys 'w(b"stat -e instructions:u loop 100000000\r" + b"".join(b"line-%d with some words behind it\r" % i for i in range(400)))'
answered "unknown command 'line-399'"
sed -n "s/.*unknown command '\(line-[0-9]*\)'.*/\1/p" "$dir/console" >"$dir/ran"
seq -f 'line-%.0f' 0 399 >"$dir/wanted"
is "400 lines at once: all run, in order" "$(cksum <"$dir/ran")" "$(cksum <"$dir/wanted")"

# Noise of all byte values. Whatever the image does with it, it goes on, and the next command gives the right result.
start
keys 'import random; w(random.Random(1).randbytes(1 << 16) + b"\x15\rend-of-noise\r")'
answered "unknown command 'end-of-noise'"
start
keys 'w(b"stat -e instructions:u loop 1000\r")'
answered 'seconds sys'
has "after noise: a command is right" "$dir/console" ' *2,005  *instructions:u.*'
is "after noise: the machine is the same" "$(grep -ca 'lists the commands' "$dir/qemu")" 1

stop_machine
finish

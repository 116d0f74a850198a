# SPDX-License-Identifier: BSD-2-Clause
# The machine gets programs: any number, of any size that fits into memory, as files of QEMU; and over a serial line
# that loses and damages bytes, each program only once.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

real=$(realpath "$dir")
flags="-O2 -ffreestanding -nostdlib -fno-stack-protector -fcf-protection=none -mcmodel=large -Wl,-z,noexecstack -I.
	-static-pie -fpie"
# shellcheck disable=SC2086
{
	gcc $flags -o "$dir/hello" tests/elf/bare_hello.c
	gcc $flags -DFILED=209715200 -o "$dir/large" tests/elf/bare_hello.c
	gcc $flags -DZEROED=314572800 -o "$dir/zeros" tests/elf/bare_hello.c
	gcc $flags -DZEROED=5368709120 -o "$dir/immense" tests/elf/bare_hello.c
}
# counts FILE: prints the counts in FILE.
counts() { sed -n 's/^ *\([0-9,]*\) *instructions:u.*/\1/p' "$1" | tr -d , | xargs; }

# Many programs in one run, each with its own number of turns. A turn takes two instructions.
many=$(either 8 40)
set --
wanted=
for n in $(seq "$many"); do
	cp "$dir/hello" "$dir/p$n"
	set -- "$@" \; stat -e instructions:u "$dir/p$n" "$((1000 + n))"
done
shift
boot "$dir/many" -- "$@"
is "$many programs: exit status" $status 0
first=$(counts "$dir/many" | cut -d ' ' -f 1)
for n in $(seq 0 $((many - 1))); do wanted="$wanted $((first + 2 * n))"; done
is "$many programs: each ran, with its argument" "$(counts "$dir/many")" "${wanted# }"

# A program of 200 MiB gets a larger machine, which -v reports. The machine is saved and used again.
boot "$dir/large-1" -v -- stat -e instructions:u "$dir/large" 1000
is "200 MiB: exit status" $status 0
has "200 MiB: the machine is told of" "$dir/large-1" 'perf0: a machine with 1024 MiB of memory'
is "200 MiB: it runs as a small one does" "$(counts "$dir/large-1")" "$((first - 2))"
before=$(date +%s%N)
boot "$dir/large-2" -v -- stat -r 2 -e instructions:u "$dir/large" 1000 \; stat -e instructions:u "$dir/hello" 1000
echo "# a second run with 200 MiB took $((($(date +%s%N) - before) / 1000000)) ms"
is "200 MiB again: exit status" $status 0
is "200 MiB again: the counts" "$(counts "$dir/large-2")" "$((first - 2)) $((first - 2))"
is "200 MiB again: the saved machine is used" "$(grep -c 'a cold start' "$dir/large-2")" 0
if soaking; then
	boot "$dir/zeros-1" -v --memory 1024M --no-prefault -- stat -e instructions:u,minor-faults "$dir/zeros" \; free
	is "300 MiB of zeros, all written to: exit status" $status 0
	has "300 MiB of zeros: they came by large pages" "$dir/zeros-1" ' +6[0-9][0-9] +minor-faults.*'
fi

# perf0 reports a program that fits no machine in one line, and starts nothing.
boot "$dir/immense-1" -- stat -e instructions:u "$dir/immense"
is "5 GiB of zeros" "$status $(cat "$dir/immense-1")" \
	"2 perf0: the programs of one command take 5120 MiB of memory, for which the largest machine (4096 MiB) has no room"
if soaking; then
	boot "$dir/small" --memory 128M -- stat -e instructions:u "$dir/large" \; stat -e instructions:u loop 1000
	is "--memory that is too small: exit status" $status 2
	has "--memory that is too small: the image tells" "$dir/small" "stat: there is no memory for the files that the host tool handed in"
	is "--memory that is too small: the next one runs" "$(counts "$dir/small")" 2005
fi
boot "$dir/memory" --memory 100M -- version
is "--memory: a size that is none" "$status $(cat "$dir/memory")" \
	"2 perf0 run: --memory: '100M' is not whole MiB, 128M or more"
rm -f "$dir/large" "$dir/immense"

# --- A serial line ---

# typed FILE: prints how many bytes attach typed for programs, and how many frames it typed again.
typed() { sed -n 's/^perf0: programs: \([0-9]*\) bytes typed in .* s, \([0-9]*\) frames typed again$/\1 \2/p' "$1"; }
socket=$(mktemp -u /tmp/perf0.XXXXXX)
attach() { timeout 400 $perf0 attach -v --flow none --timeout 300 "$@"; }
# (tests/e2e/tools/attach.sh sends a program over a line with flow control.)
machine "socket,path=$socket,server=on,wait=off" flow=none
wait_until 100 test -S "$socket"
attach "$socket" stat -e instructions:u "$dir/hello" 1000 >"$dir/sent" 2>&1
is "a program is sent and runs" "$? $(counts "$dir/sent")" "0 $((first - 2))"
attach "$socket" stat -e instructions:u "$dir/hello" 1000 \; stat -e instructions:u "$dir/p1" 1001 >"$dir/two" 2>&1
is "again, and by another name: runs" "$? $(counts "$dir/two")" "0 $((first - 2)) $first"
attach "$socket" stat -e instructions:u "$dir/hello" 1000 \; stat -e instructions:u "$dir/p1" 1003 >"$dir/held" 2>&1
is "the same once more: runs" "$? $(counts "$dir/held")" "0 $((first - 2)) $((first + 4))"
is "what is there already is only asked for" "$(typed "$dir/held" | awk '{ print ($1 < 400) }')" 1

# Unused data makes the programs long and different.
head -c 100000 build/perf0.efi | cat "$dir/hello" - >"$dir/long"
head -c 60000 build/vpmu.efi | cat "$dir/hello" - >"$dir/other"
chmod +x "$dir/long" "$dir/other"
attach "$socket" stat -e instructions:u "$dir/long" 1000 >"$dir/rate" 2>&1
is "100 KB: runs" "$? $(counts "$dir/rate")" "0 $((first - 2))"
sed -n 's/^perf0: \(programs: .*\)/# \1/p' "$dir/rate"

# ^C stops the upload half-way, and the next one continues there: no byte comes twice. A slow line makes sure that there
# is time to stop it.
line=$(mktemp -u /tmp/perf0.XXXXXX)
python3 tests/e2e/tools/noisy.py "$line" "$socket" 20000 0 &
noisy=$!
wait_until 100 test -S "$line"
is_larger() { [ "$(wc -c 2>/dev/null <"$1" || echo 0)" -gt "$2" ]; }
env --default-signal=INT $perf0 attach --timeout 200 --stream "$dir/stream" "$line" \
	stat -e instructions:u "$dir/other" 1000 >"$dir/half" 2>&1 &
first_half=$!
wait_until 100 is_larger "$dir/stream" 1500
kill -INT $first_half
wait $first_half
is "^C while it is sent: status" $? 130
had=$(sed -n "s|^perf0: broken off: the machine has \([0-9]*\) of [0-9]* bytes of the programs, and keeps them$|\1|p" "$dir/half")
is "^C while it is sent: told" "$([ "${had:-0}" -gt 0 ] && echo yes || cat "$dir/half")" yes
attach "$line" stat -e instructions:u "$dir/other" 1000 >"$dir/rest" 2>&1
is "it goes on where it was" "$? $(counts "$dir/rest")" "0 $((first - 2))"
size=$(sed -n "s|^perf0: broken off: the machine has [0-9]* of \([0-9]*\) bytes of the programs.*|\1|p" "$dir/half")
is "and only the rest is sent" \
	"$(typed "$dir/rest" | awk -v most=$(((size - ${had:-0}) * 110 / 100 + 500)) '{ print ($1 < most) }')" 1
kill $noisy
wait $noisy 2>/dev/null
rm -f "$line"

if soaking; then
	# The line damages one byte in 500, and one answer in fifty.
	head -c 28000 build/perf0 | cat "$dir/hello" - >"$dir/harmed"
	chmod +x "$dir/harmed"
	python3 tests/e2e/tools/noisy.py "$line" "$socket" 50000 2 &
	noisy=$!
	wait_until 100 test -S "$line"
	attach "$line" stat -e instructions:u "$dir/harmed" 1000 >"$dir/noise" 2>&1
	status=$?
	# Noise may be a key that recalls an older line, and a key that runs it. The requested command is the last one.
	is "a line that harms: it arrives and runs" "$status $(counts "$dir/noise" | awk '{ print $NF }')" "0 $((first - 2))"
	is "a line that harms: frames were typed again" "$(typed "$dir/noise" | awk '{ print ($2 > 5) }')" 1
	kill $noisy
	wait $noisy 2>/dev/null
fi

if soaking; then
	# Progress on a terminal, and a file larger than half of the machine's memory.
	if has_pty "progress on a terminal"; then
		head -c 100000 build/perf0.elf | cat "$dir/hello" - >"$dir/shown"
		chmod +x "$dir/shown"
		script -qec "$perf0 attach --timeout 200 $socket stat -e instructions:u $dir/shown 1000" /dev/null >"$dir/tty" 2>&1
		is "progress on a terminal" \
			"$(grep -qaE 'sending programs: [0-9]+ of [0-9]+ KiB, [0-9.]+ KiB/s, [0-9]+ s left' "$dir/tty" && echo yes)" yes
	fi
	cp "$dir/hello" "$dir/wide"
	truncate -s 140M "$dir/wide"
	attach "$socket" stat -e instructions:u "$dir/wide" >"$dir/no-room" 2>&1
	is "no room: status" $? 125
	has "no room: why" "$dir/no-room" "perf0: the programs: the machine has no room for it"
	for n in 1 2 3; do
		truncate -s ${n}0M "$dir/p$n"
		attach "$socket" stat -e instructions:u "$dir/p$n" 1001 >"$dir/evict-$n" 2>&1
		is "zeros are not sent: $n" "$? $(counts "$dir/evict-$n") $(typed "$dir/evict-$n" | awk '{ print ($1 < 5000) }')" "0 $first 1"
	done
	truncate -s 100M "$dir/p4"
	attach "$socket" stat -e instructions:u "$dir/p4" 1001 >"$dir/evict-4" 2>&1
	is "for one that needs their room others go" "$? $(counts "$dir/evict-4")" "0 $first"
	attach "$socket" stat -e instructions:u "$dir/p1" 1001 >"$dir/evict-5" 2>&1
	is "and are sent again" "$? $(counts "$dir/evict-5") $(typed "$dir/evict-5" | awk '{ print ($1 > 1000) }')" "0 $first 1"
fi
stop_machine
rm -rf "$socket" "$line" "$dir"/p[0-9]* "$dir/wide"
finish

# SPDX-License-Identifier: BSD-2-Clause
# An attacker wrote the names, files and lines: results on a stick, the line of attach, the folder of --share. The tool
# prints plain lines, ends, and changes nothing outside the named folder. No machine is started.
. "$(dirname "$0")/../_lib.sh"

# plain WHAT FILE: checks that FILE is UTF-8 without control characters and characters that change text's direction.
plain() {
	is "$1: plain text" "$(iconv -f UTF-8 -t UTF-16LE "$2" 2>&1 >/dev/null)$(
		LC_ALL=C.UTF-8 grep -acP '[\x00-\x08\x0b-\x1f\x{7f}-\x{9f}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]' "$2")" 0
}

# --- results: names ---
python3 - "$dir/names" <<'END'
import os, random, sys
folder = os.fsencode(sys.argv[1]) + b"/perf0/results/"
draw = random.Random(1)
for run in b"\x1b[31m\x1b]0;t\x07", b"a\nperf0: forged", b"<script>", b"\xff\xfe", b"\xe2\x80\xae", b"x" * 250, b"..":
    os.makedirs(folder + b"0001-" + run)
    for name in b"001-\x1b[2J", b"002-a\nperf0: forged", b"003-\xff", b"4" * 240 + b"-", b"005-..":
        with open(folder + b"0001-" + run + b"/" + name + b".perf0", "wb") as file:
            file.write(draw.randbytes(5000))
os.symlink(b".", folder + b"0002-loop")
END
timeout $patience $perf0 results -o "$dir/names.out" "$dir/names" >"$dir/out" 2>"$dir/err"
is "results, hostile names: status" $? 125
is "results, hostile names: each file has one line" "$(wc -l <"$dir/err") $(grep -c '^perf0 results: 0001-.* is not whole: ' "$dir/err")" "35 35"
plain "results, hostile names: the table" "$dir/out"
plain "results, hostile names: what is told" "$dir/err"
is "results, hostile names: no file is made" "$(ls "$dir/names.out" 2>/dev/null)" ""

# --- results: files that are not plain, where a read would wait or never end ---
run=$dir/kinds/perf0/results/0001-x
mkdir -p "$run/004-folder.perf0"
mkfifo "$run/001-fifo.perf0"
ln -s /dev/zero "$run/002-device.perf0"
echo secret >"$dir/secret"
ln -s "$PWD/$dir/secret" "$run/003-link.perf0"
timeout 60 $perf0 results "$dir/kinds" >"$dir/out" 2>"$dir/err"
is "results, no plain files: status" $? 1
is "results, no plain files: each is told" "$(grep -c '^perf0 results: .*/00[1-4]-[a-z]*\.perf0: it is no plain file$' "$dir/err") $(wc -l <"$dir/err")" "4 4"

# --- attach: damaged lines ---
socket=$(mktemp -u /tmp/perf0.XXXXXX) # a path for a socket has to be short
attach_to() { # KIND
	python3 tests/e2e/tools/lines.py "$socket" "$1" >"$dir/server" 2>&1 &
	server=$!
	for _ in $(seq 600); do
		[ -S "$socket" ] && break
		sleep 0.1
	done
	timeout $patience $perf0 attach --flow xonxoff --timeout 2 "$socket" version >"$dir/err" 2>&1 </dev/null
	status=$?
	kill $server 2>/dev/null
	wait $server 2>/dev/null
	rm -f "$socket"
}
for kind in random checksums payloads lengths escapes cut; do
	attach_to $kind
	is "attach, $kind: status" "$status" 125
	plain "attach, $kind" "$dir/err"
	is "attach, $kind: no line of the tool is forged" "$(grep -c '^perf0: forged' "$dir/err")" 0
done
attach_to endless
is "attach to a line that never ends, nor stops when it is asked to: it detaches" \
	"$status $(tail -n 1 "$dir/err")" "124 perf0: detached after 2 s"
: >"$dir/err"

# --- linux --share: operands that are no folders ---
printf x >"$dir/plain"
python3 - "$dir/kernel" <<'END'
import sys
head = bytearray(1024) # what the tool looks at of a kernel: DOS, PE and boot protocol
for at, text in (0, b"MZ"), (0x3D, b"\x03"), (0x202, b"HdrS"), (0x300, b"PE\0\0\x64\x86"), (0x318, b"\x0b\x02"), (0x35C, b"\x0a"):
    head[at : at + len(text)] = text
open(sys.argv[1], "wb").write(head)
END
mkfifo "$dir/fifo"
ln -s nowhere "$dir/dangling"
while IFS='|' read -r folder told; do
	folder=$(printf '%b' "$folder")
	timeout 60 $perf0 linux --share "$folder" "$dir/kernel" -- true >"$dir/out" 2>&1 </dev/null
	is "--share $told" "$? $(cat "$dir/out")" "2 perf0: linux: --share $told"
done <<END
$dir/plain|$dir/plain: Not a directory
$dir/fifo|$dir/fifo: Not a directory
$dir/dangling|$dir/dangling: No such file or directory
$dir/a\\033[31m\\nperf0: forged|$dir/a\\x1b[31m\\x0aperf0: forged: No such file or directory
END
finish

# SPDX-License-Identifier: BSD-2-Clause
# perf0 attach: at a machine that somebody else started, over a socket and over a pseudo-terminal.
. "$(dirname "$0")/_lib.sh"

# machine CHARDEV...: QEMU with vpmu (skx) and the image at its prompt; its pid in $qemu. Virtual time
# stands still for nobody: what the image waits for takes the time of the host that it takes.
machine() {
	cp "$vars" "$dir/vars.fd"
	qemu-system-x86_64 -machine q35,smm=off -global hpet.msi=on -m 256 -nodefaults -display none \
		-no-reboot -cpu EPYC -icount shift=4,sleep=off -rtc base=2026-01-01,clock=vm -seed 1 \
		-boot menu=off -device virtio-blk-pci,drive=esp,bootindex=1 \
		-chardev "$1,id=serial" -serial chardev:serial \
		-drive if=pflash,unit=0,format=raw,readonly=on,file="$code" \
		-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd" \
		-drive if=none,id=esp,format=raw,readonly=on,file=build/esp.img \
		-kernel build/vpmu.efi \
		-append "uarch=skx ht=on \\EFI\\BOOT\\BOOTX64.EFI $2" >"$dir/qemu" 2>&1 &
	qemu=$!
	trap 'kill $qemu 2>/dev/null' EXIT
}

stop_machine() {
	kill "$qemu" 2>/dev/null
	wait "$qemu" 2>/dev/null
}

# wait_for FILE REGEX: until a line of FILE has it, 60 s at most.
wait_for() {
	for _ in $(seq 600); do
		grep -qE "$2" "$1" 2>/dev/null && return 0
		sleep 0.1
	done
	return 1
}

for pair in OVMF_CODE.fd:OVMF_VARS.fd OVMF_CODE_4M.fd:OVMF_VARS_4M.fd; do
	code=/usr/share/OVMF/${pair%:*} vars=/usr/share/OVMF/${pair#*:}
	[ -r "$code" ] && break
done
# A path for a socket has to be short.
socket=$(mktemp -u /tmp/perf0.XXXXXX)

# At the prompt of a machine that talks to people: attach asks for frames.
machine "socket,path=$socket,server=on,wait=off" flow=xonxoff
for _ in $(seq 100); do [ -S "$socket" ] && break; sleep 0.1; done
attach() { $perf0 attach --flow xonxoff --timeout 200 "$@"; }
attach -o "$dir/one.data" "$socket" record -e instructions:u -c 10007 hotcold 1000 >"$dir/one" 2>&1
is "a command: exit status" $? 0
has "a command: its text" "$dir/one" '\[ perf0 record: 400 samples of 400 overflows, .*'
is "a command: its samples" "$(perf script -i "$dir/one.data" -F ip 2>/dev/null | grep -c .)" 400
attach "$socket" nosuch >"$dir/nosuch" 2>&1
is "another: its status" $? 127
attach "$socket" version ';' stat -e instructions:u loop 1000 >"$dir/stat" 2>&1
is "two commands" "$? $(grep -c 2,005 "$dir/stat")" "0 1"
echo 'stat -e instructions:u loop 2000' | $perf0 attach --flow xonxoff --timeout 8 "$socket" >"$dir/typed" 2>&1
is "what is typed" "$? $(grep -c 4,005 "$dir/typed")" "124 1"

# On a terminal a line tells how it goes.
script -qec "$perf0 attach --flow xonxoff --timeout 200 -o $dir/tty.data $socket record --live -e instructions:u -c 2003 dd 10000" \
	/dev/null >"$dir/tty" 2>&1
is "progress: exit status" $? 0
is "progress on a terminal" \
	"$(grep -qaE 'attached [0-9.]+ s: [0-9]+ frames, [0-9.]+ KiB/s, [0-9]+ samples, 0 lost' "$dir/tty" && echo yes)" yes

# record --live, and the listener goes away in the middle of it: asked to, it stops the sender first,
# and the next one goes on where it was. Nothing is lost, and what ring 3 executed is exact.
live='record --live -e instructions:u -c 2003 dd 40000'
$perf0 attach --flow xonxoff --stream "$dir/stream" -o "$dir/half.data" "$socket" $live >"$dir/half" 2>&1 &
first=$!
for _ in $(seq 900); do
	[ "$(cat "$dir/stream" 2>/dev/null | wc -c)" -gt 8000 ] && break
	sleep 0.1
done
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

# Killed, it cannot: what was on its way is lost, and counted to the sample.
$perf0 attach --flow xonxoff --stream "$dir/stream2" "$socket" $live >"$dir/killed" 2>&1 &
first=$!
for _ in $(seq 900); do
	[ "$(cat "$dir/stream2" 2>/dev/null | wc -c)" -gt 8000 ] && break
	sleep 0.1
done
kill -KILL $first
wait $first 2>/dev/null
attach --stream "$dir/stream2" -o "$dir/gap.data" "$socket" version >"$dir/gap" 2>&1
is "killed and attached again: incomplete, or not" "$(expr $? : '0$\|125$')" 1
written=$(sed -n 's/.* \([0-9]*\) samples of \([0-9]*\) overflows, \([0-9]*\) lost.*/\1/p' "$dir/gap")
lost=$(sed -n 's/.* samples came, \([0-9]*\) are lost$/\1/p' "$dir/gap")
came=$(perf script -i "$dir/gap.data" -F ip 2>/dev/null | grep -c .)
is "killed: what came and what is lost is what was written" "$((came + ${lost:-0}))" "${written:-no result}"
stop_machine
rm -f "$socket"
finish

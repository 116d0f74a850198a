# SPDX-License-Identifier: BSD-2-Clause
# perf0 usb makes the image of a stick. Other programs find it correct, and firmware boots it, also with Secure Boot.
# perf0 results reads the files that machines wrote on a stick.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

part=@@1048576 # of the image, as mtools takes it
echo 'int main(void) { return 0; }' >"$dir/main.c"
gcc -O2 -static -o "$dir/Mine" "$dir/main.c"
cat >"$dir/my.cfg" <<EOF
timeout 3
stat -e instructions:u -- loop 1000 ; caps # two
stat /perf0/bin/Mine
[board "X*"]
then poweroff
EOF

# --- The image, read by other programs ---
$perf0 usb -o "$dir/stick.img" --config "$dir/my.cfg" --add "$dir/Mine" >"$dir/usb" 2>&1
is "an image: status" $? 0
has "an image: what is said" "$dir/usb" "perf0 usb: wrote $dir/stick.img, 256 MiB; .*"
is "its size" "$(stat -c %s "$dir/stick.img")" 268435456
mdir -b -/ -i "$dir/stick.img$part" :: | LC_ALL=C sort >"$dir/files"
is "its files" "$(paste -sd ' ' "$dir/files")" \
	"::/EFI/ ::/EFI/BOOT/ ::/EFI/BOOT/BOOTIA32.EFI ::/EFI/BOOT/BOOTX64.EFI ::/README.TXT ::/perf0/ ::/perf0/bin/ ::/perf0/bin/Mine ::/perf0/metrics/ ::/perf0/perf0.cfg ::/perf0/results/"
for pair in EFI/BOOT/BOOTX64.EFI:build/perf0.efi EFI/BOOT/BOOTIA32.EFI:build/bootia32.efi "perf0/perf0.cfg:$dir/my.cfg" "perf0/bin/Mine:$dir/Mine"; do
	mtype -i "$dir/stick.img$part" "::/${pair%%:*}" >"$dir/content" 2>&1
	is "${pair%%:*} has its bytes" "$(cmp "$dir/content" "${pair#*:}" 2>&1)" ""
done
$perf0 usb -o "$dir/again.img" --config "$dir/my.cfg" --add "$dir/Mine" >"$dir/usb" 2>&1
is "the same files make the same image" "$(cmp "$dir/stick.img" "$dir/again.img" 2>&1)" ""
rm -f "$dir/again.img"

# --- Temporary files ---
long=$PWD/$dir/a-folder-whose-name-is-a-long-one/and-another-one-in-it
mkdir -p "$long"
TMPDIR=$long $perf0 usb -o "$dir/long.img" --size 64M >"$dir/usb" 2>&1
is "a TMPDIR with a long name" "$? $(find "$long" -mindepth 1 | wc -l)" "0 0"
# ^C while mtools runs, as from a terminal.
mkdir "$dir/path"
printf '#!/bin/sh\nkill -INT $PPID\nexec /usr/bin/mcopy "$@"\n' >"$dir/path/mcopy"
chmod +x "$dir/path/mcopy"
echo before >"$dir/broken.img"
env --default-signal=INT TMPDIR="$long" PATH="$dir/path:$PATH" $perf0 usb -o "$dir/broken.img" --size 64M >"$dir/usb" 2>&1
is "^C: status" $? 130
is "^C: the file is as it was before" "$(cat "$dir/broken.img")" before
is "^C: nothing else is left" "$(find "$dir" -maxdepth 1 -name 'broken.img.*' | grep -c .) $(find "$long" -mindepth 1 | wc -l)" "0 0"
rm -f "$dir"/long.img "$dir"/broken.img*
verify() { # IMAGE MIB
	if command -v sgdisk >/dev/null; then
		is "$2 MiB: sgdisk finds no problem" "$(sgdisk -v "$1" 2>&1 | grep -c 'No problems found')" 1
	else
		skip "$2 MiB: sgdisk" "it is not installed"
	fi
	if command -v sfdisk >/dev/null; then
		is "$2 MiB: sfdisk finds an EFI system partition" "$(sfdisk -V "$1" 2>&1 | grep -c 'No errors') $(
			sfdisk -d "$1" | sed -n 's/.*start= *\([0-9]*\), size= *\([0-9]*\), type=\([^,]*\),.*/\1 \2 \3/p')" \
			"1 2048 $((($2 - 2) * 2048)) C12A7328-F81F-11D2-BA4B-00A0C93EC93B"
	else
		skip "$2 MiB: sfdisk" "it is not installed"
	fi
	if command -v fsck.fat >/dev/null; then
		dd if="$1" of="$dir/part" bs=1M skip=1 count=$(($2 - 2)) conv=sparse status=none
		fsck.fat -n "$dir/part" >"$dir/fsck" 2>&1
		is "$2 MiB: fsck.fat finds nothing" $? 0
		is "$2 MiB: it is FAT32" "$(dd if="$dir/part" bs=1 skip=82 count=8 status=none)" "FAT32   "
		rm -f "$dir/part"
	else
		skip "$2 MiB: fsck.fat" "it is not installed"
	fi
}
verify "$dir/stick.img" 256
for size in 64M:64 "$(either 1G:1024 9G:9216)"; do
	$perf0 usb -o "$dir/sized.img" --size "${size%:*}" >"$dir/usb" 2>&1
	is "--size ${size%:*}: status" $? 0
	verify "$dir/sized.img" "${size#*:}"
	rm -f "$dir/sized.img"
done
is "nothing is left behind" "$(find "$dir" -name '*.new' | wc -l)" 0

# --- shim needs the section .sbat, Secure Boot a signature ---
objcopy -O binary -j .sbat build/perf0.efi "$dir/sbat" 2>/dev/null
is ".sbat: its lines" "$(tr -d '\0' <"$dir/sbat" | cut -d, -f1,2 | paste -sd ' ')" "sbat,1 perf0,1"
snakeoil=/usr/share/ovmf/PkKek-1-snakeoil secboot=/usr/share/OVMF/OVMF_CODE_4M.secboot.fd
secvars=/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd

# try_boot IMAGE CODE VARS OPTIONS...: boots IMAGE from a USB stick; the serial line's output goes to $dir/serial.
try_boot() {
	img=$1
	shift
	bare_machine "$@" -drive if=none,id=stick,format=raw,readonly=on,file="$img" \
		-device qemu-xhci -device usb-storage,drive=stick,bootindex=1
	wait_for "$dir/serial" 'perf0> |No bootable option'
	stop_machine
}
has_prompt() { grep -qa 'perf0> ' "$dir/serial" && echo prompt || echo none; }

if ! command -v sbsign >/dev/null; then
	skip "a signed image" "sbsigntool is not installed"
	try_boot "$dir/stick.img" "$code" "$vars" -machine q35
	is "a USB stick boots" "$(has_prompt)" prompt
elif [ ! -r "$secboot" ] || ! openssl rsa -in $snakeoil.key -passin pass:snakeoil -out "$dir/key.pem" 2>/dev/null; then
	skip "a signed image, and one that is not" "the firmware here has no keys for tests"
	try_boot "$dir/stick.img" "$code" "$vars" -machine q35
	is "a USB stick boots" "$(has_prompt)" prompt
else
	$perf0 usb -o "$dir/signed.img" --sign "$dir/key.pem" $snakeoil.pem >"$dir/usb" 2>&1
	is "--sign: status" $? 0
	mtype -i "$dir/signed.img$part" ::/EFI/BOOT/BOOTX64.EFI >"$dir/signed.efi"
	is "sbverify takes the signature" \
		"$(sbverify --cert $snakeoil.pem "$dir/signed.efi" 2>&1 | grep -c '^Signature verification OK')" 1
	secure="-machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on"
	# shellcheck disable=SC2086 # words
	try_boot "$dir/signed.img" $secboot $secvars $secure
	is "Secure Boot starts what is signed" "$(has_prompt)" prompt
	# shellcheck disable=SC2086
	try_boot "$dir/stick.img" $secboot $secvars $secure
	is "Secure Boot starts nothing else" "$(has_prompt)" none
	shim=/usr/lib/shim/shimx64.efi
	if [ -r $shim ]; then
		# shim accepts a program that the firmware's keys signed, if the program has the section.
		sbsign --key "$dir/key.pem" --cert $snakeoil.pem --output "$dir/shim.efi" $shim 2>/dev/null
		mcopy -i "$dir/signed.img$part" "$dir/signed.efi" ::/EFI/BOOT/grubx64.efi
		mcopy -o -i "$dir/signed.img$part" "$dir/shim.efi" ::/EFI/BOOT/BOOTX64.EFI
		# shellcheck disable=SC2086
		try_boot "$dir/signed.img" $secboot $secvars $secure
		is "shim starts it" "$(has_prompt)" prompt
	else
		skip "shim" "shim-unsigned is not installed"
	fi
fi

# --- A machine without UEFI ---
# `graphics=off` has the BIOS print on the serial line.
: >"$dir/serial"
qemu-system-x86_64 -machine q35,graphics=off -m 128 -nodefaults -display none -no-reboot -serial file:"$dir/serial" \
	-drive if=none,id=stick,format=raw,readonly=on,file="$dir/stick.img" \
	-device qemu-xhci -device usb-storage,drive=stick,bootindex=1 >"$dir/qemu" 2>&1 <&3 &
qemu=$!
wait_for "$dir/serial" "this stick's name\\.|No bootable device"
stop_machine
is "a BIOS prints what the stick needs" "$(tr -d '\r' <"$dir/serial" | grep -aA 1 '^This stick needs UEFI' | paste -sd ' ')" \
	"This stick needs UEFI. Choose UEFI in the machine's setup, not legacy or CSM, and in its boot menu the entry with UEFI and this stick's name."

# --- Firmware of 32 bits ---
code32=/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd
if [ -r $code32 ]; then
	bare_machine $code32 /usr/share/OVMF/OVMF32_VARS_4M.fd -machine q35,smm=on \
		-global driver=cfi.pflash01,property=secure,value=on \
		-drive if=none,id=stick,format=raw,readonly=on,file="$dir/stick.img" \
		-device qemu-xhci -device usb-storage,drive=stick,bootindex=1
	wait_for "$dir/serial" "A key goes back|No bootable option"
	stop_machine
	is "firmware of 32 bits says what the stick needs" \
		"$(grep -ac 'this firmware has 32 bits, and perf0 needs UEFI of 64 bits' "$dir/serial")" 1
else
	skip "firmware of 32 bits" "ovmf-ia32 is not installed"
fi

# --- Mistakes: status|words|message ---
printf 'caps\n\nstat -E x\n' >"$dir/bad.cfg"
printf 'timeout=5\n' >"$dir/assigned.cfg"
# A program of the stick changes nothing about the words before it.
printf 'stat -E x -- Mine 2\n' >"$dir/option.cfg"
printf 'stat -e mem_load_retired.l1_hit:u,cycles -- Mine\nstat -e instrctions:u -- Mine 2\n' >"$dir/event.cfg"
printf 'stat -e cycles_not_in_halt,sched:sched_switch,r00c0 -- Mine\nrecord -e cycles -- Mien\n' >"$dir/program.cfg"
printf '\377\376c\000' >"$dir/utf16.cfg"
echo text >"$dir/text"
ln -s Mine "$dir/mine"
cp "$dir/Mine" "$dir/a name"
while IFS='|' read -r wanted line told; do
	[ -n "$wanted" ] || continue
	# shellcheck disable=SC2086
	$perf0 usb $line >"$dir/out" 2>&1 </dev/null
	is "usb $line" "$? $(cat "$dir/out")" "$wanted perf0 usb: $told"
done <<EOF
2||-o FILE or --write DEVICE is needed
2|-o $dir/x extra|takes no operand: 'extra'
2|-o $dir/x --size 63M|--size 63M is not 64M to 128G
2|-o $dir/x --size 129G|--size 129G is not 64M to 128G
2|-o $dir/x --sign $dir/text|--sign wants a key and a certificate: --sign KEY CERT
2|-o $dir/x --sign $dir/none $dir/text|--sign: the key $dir/none: No such file or directory
2|-o $dir/x --sign $dir/text $dir/text|--sign: the key $dir/text has no line \`-----BEGIN ... PRIVATE KEY-----\`: it is no PEM file of one
2|-o $dir/x --config $dir/none|$dir/none: No such file or directory
2|-o $dir/x --config $dir|$dir: Is a directory
2|-o $dir/x --config $dir/bad.cfg|$dir/bad.cfg:3:1: stat: unknown option '-E'
2|-o $dir/x --add $dir/Mine --config $dir/option.cfg|$dir/option.cfg:1:1: stat: unknown option '-E'
2|-o $dir/x --add $dir/Mine --config $dir/event.cfg|$dir/event.cfg:2:1: stat: -e instrctions:u: column 1: there is no event 'instrctions'; did you mean 'instructions'?
2|-o $dir/x --add $dir/Mine --config $dir/program.cfg|$dir/program.cfg:2:1: record: unknown workload 'Mien'; \`perf0 help workloads\` lists them
2|-o $dir/x --config $dir/assigned.cfg|$dir/assigned.cfg:1:1: a setting has no \`=\`: write \`timeout\` and a blank
2|-o $dir/x --config $dir/utf16.cfg|$dir/utf16.cfg:1:1: this is UTF-16: please save the file as UTF-8
2|-o $dir/x --add $dir/text|--add $dir/text: it is no ELF file
2|-o $dir/x --add /bin/sh|--add /bin/sh: it is linked dynamically, and the stick has no libraries: link it with -static
2|-o $dir/x --add $dir/Mine --add $dir/mine|--add $dir/mine: $dir/Mine has the same name
2|-o $dir/x --yes|--yes needs --write: that is what would be asked
1|-o $dir/none/x|$dir/none/x: No such file or directory
1|-o $dir|$dir: is there and is no plain file
1|--write $dir/none|$dir/none: No such file or directory
1|--write $dir/text|$dir/text is no disk; \`lsblk\` lists them, and -o FILE makes a file
1|--write /dev/null|/dev/null is no disk; \`lsblk\` lists them, and -o FILE makes a file
EOF
$perf0 usb -o "$dir/x" --add "$dir/a name" >"$dir/out" 2>&1
is "a name that FAT has not" "$? $(cut -d: -f3 "$dir/out")" "2  the name can not stand on the stick"
(PATH=/nowhere $perf0 usb -o "$dir/x" >"$dir/out" 2>&1)
is "without mtools" "$? $(cat "$dir/out")" \
	"1 perf0 usb: mformat: not found: install the package mtools"
is "what failed leaves nothing" "$(find "$dir" -name 'x*' | wc -l)" 0

# --- Results: streams in the folders that machines write ---
boot "$dir/log" -o "$dir/run" -- stat -e instructions:u loop 1000
boot "$dir/log" -o "$dir/run2" -- record -e instructions:u -c 10007 hotcold 1000
one="$dir/mnt/perf0/results/0001-Board-20260101" two="$dir/mnt/perf0/results/0002-Board-20260102"
mkdir -p "$one" "$two" "$dir/mnt/perf0/results/other"
cp "$dir/run/stream.perf0" "$one/001-stat.perf0"
cp "$dir/run2/stream.perf0" "$one/002-record.perf0"
cp "$dir/run/stream.perf0" "$two/001-stat.perf0"
echo text >"$two/001-stat.txt"
$perf0 results -o "$dir/out.d" "$dir/mnt/" >"$dir/results" 2>"$dir/err"
is "results: status" $? 0
has "results: a machine" "$dir/results" '0001-Board-20260101: .*, 1 CPU'
has "results: a command" "$dir/results" '  001  stat -e instructions:u loop 1000'
has "results: a count" "$dir/results" ' +2,005  instructions:u'
has "results: samples" "$dir/results" ' +400 samples of 400 overflows, 0 lost, 0 refused'
is "results: all commands" "$(grep -c '^  00' "$dir/results")" 3
is "results: perf.data" "$(perf script -i "$dir/out.d/0001-Board-20260101/002-record.data" -F ip 2>/dev/null | grep -c .)" 400
for folder in "$dir/mnt/perf0" "$dir/mnt/perf0/results"; do
	$perf0 results "$folder" >"$dir/same" 2>"$dir/err"
	is "results: from $folder" "$? $(diff "$dir/results" "$dir/same")" "0 "
done
$perf0 results "$two" >"$dir/same" 2>"$dir/err"
is "results: of one start" "$? $(grep -c '^  00' "$dir/same")" "0 1"
mkdir "$one/in"
$perf0 results -o "$dir/up.d" "$one/in/.." >"$dir/same" 2>"$dir/err"
is "results: a folder that is named as .. has its own name below -o" \
	"$? $(cd "$dir" && ls -d 002-record.data up.d/*/*.data 2>/dev/null)" "0 up.d/0001-Board-20260101/002-record.data"
n=$(stat -c %s "$one/002-record.perf0")
for cut in 0 1 700 $((n / 2)) $((n - 1)); do
	head -c "$cut" "$dir/run2/stream.perf0" >"$one/002-record.perf0"
	$perf0 results "$dir/mnt" >"$dir/cut" 2>"$dir/err"
	is "results: cut at byte $cut is told, and the rest shown" \
		"$? $(grep -c '^perf0 results: 0001-Board-20260101/002-record.perf0 is not whole: ' "$dir/err") $(
			grep -c '2,005  instructions:u' "$dir/cut")" "125 1 2"
done
$perf0 results "$dir/mnt/perf0/results/other" >"$dir/out" 2>&1
is "results: none" "$? $(cut -d: -f3 "$dir/out")" "1  there are no results"
$perf0 results "$dir/none" >"$dir/out" 2>&1
is "results: no folder" "$? $(cat "$dir/out")" "1 perf0 results: $dir/none: No such file or directory"
$perf0 results one another >"$dir/out" 2>&1
is "results: two folders" "$? $(cat "$dir/out")" "2 perf0 results: one folder is needed: a stick, or its perf0/results"
rm -f "$dir"/*.img
finish

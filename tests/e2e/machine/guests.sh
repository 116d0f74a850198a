# SPDX-License-Identifier: BSD-2-Clause
# Guests of vpmu other than the image: a UEFI program, its text, its status and its other ends; command lines for the
# user's own machines; mistakes that perf0 refuses before it boots a machine.
. "$(dirname "$0")/../_lib.sh"

efi=$dir/returns.efi
gcc -isystem /usr/include/efi -isystem /usr/include/efi/x86_64 -fshort-wchar -DGNU_EFI_USE_MS_ABI -maccumulate-outgoing-args -O2 \
	-Wall -Wextra -Werror -ffreestanding -fpie -fvisibility=hidden -mno-red-zone -mgeneral-regs-only -fno-stack-protector -c \
	-o "$dir/returns.o" tests/guests/alone/returns.c &&
	ld -nostdlib -shared -Bsymbolic -T /usr/lib/elf_x86_64_efi.lds -o "$dir/returns.so" /usr/lib/crt0-efi-x86_64.o "$dir/returns.o" \
		-L/usr/lib -lgnuefi &&
	objcopy -j .text -j .sdata -j .data -j .dynamic -j .rodata -j .rel -j .rela -j .reloc --target efi-app-x86_64 \
		--subsystem=10 "$dir/returns.so" "$efi"
is "a program of UEFI is built" $? 0

# guest NAME ARGS...: runs perf0 boot ARGS; standard output goes to NAME.out, standard error to NAME.err, the status
# to $status.
guest() {
	at=$dir/$1
	shift
	$perf0 boot --timeout $patience "$@" >"$at.out" 2>"$at.err"
	status=$?
}

guest plain --uarch zen4 "$efi" say Hello line there cpuid screen error 14 </dev/null
is "its error is the exit status" $status 78
is "its text is standard output, and nothing else is" "$(cat "$dir/plain.out")" "Hello ü
there
AuthenticAMD
perf0 vpmu
1280 x 800"
is "the status is told" "$(cat "$dir/plain.err")" "perf0: boot: $efi returned EFI_NOT_FOUND (0x800000000000000e): status 78"
printf x >"$dir/keys"
guest number "$efi" cpuid key 3 <"$dir/keys"
is "a small number is the status as it is" $status 3
has "the default PMU is Intel's" "$dir/number.out" GenuineIntel
has "what is typed comes to the program" "$dir/number.out" '<x>'
guest device "$efi" exit 5 0 </dev/null
is "isa-debug-exit ends it, too" $status 5
guest off "$efi" say before off </dev/null
is "a program may switch the machine off" $status 0
is "then nothing is told" "$(cat "$dir/off.err")" ""
guest reset "$efi" say before reset </dev/null
is "a machine that is reset has failed" $status 125
has "which is told" "$dir/reset.err" "perf0: boot: the machine was reset before $efi had ended"
has "its text is there" "$dir/reset.out" 'before ü'

# Writes of control registers that a CPU refuses. Each kind is tried three times: plain, while vpmu counts rings
# separately, and while it looks at each instruction.
guest refused build/guests.efi refused </dev/null
has "illegal control registers: all were tried" "$dir/refused.out" 'guest: end'
is "each raises #GP, and changes nothing" \
	"$(grep -c ': vector 13, error 0, CR2 0$' "$dir/refused.out") $(grep -c '^CR[04] is as it was 1$' "$dir/refused.out") $(grep -c '^18 of 18 faults$' "$dir/refused.out")" "18 6 3"
is "what TCG takes is taken" "$(grep -c '^64-bit code .*: no fault$' "$dir/refused.out")" 3
guest dies --fault vmrun build/guests.efi control </dev/null
is "a VMRUN that fails ends the machine" $status 125
is "in one line" "$(cat "$dir/dies.err")" "perf0: boot: vpmu: CPU 0: VMRUN refused the guest's state"

# Warm and cold starts print the same text, to the tick of the TSC. The cache is this test's own.
shared=${XDG_CACHE_HOME:-$PWD/$dir/shared}
XDG_CACHE_HOME=$PWD/$dir/home
export XDG_CACHE_HOME
# tells NAME ARGS...: runs a guest that prints its machine and the time. NAME.why gets the reason of a cold start.
tells() {
	guest "$@" -v "$efi" files clock cpuid </dev/null
	sed -n 's/^perf0: a cold start: //p' "$at.err" >"$at.why"
}
tells saving
is "a guest that is saved: status" $status 0
has "it was booted" "$dir/saving.why" '.+'
has "its file is on a volume" "$dir/saving.out" "GUEST\.EFI $(stat -c %s "$efi") MZ"
has "nothing is written there" "$dir/saving.out" 'read only'
tells warm
is "the next one is restored" "$status $(cat "$dir/warm.why")" "0 "
is "and the same" "$(cat "$dir/warm.out")" "$(cat "$dir/saving.out")"
if soaking; then
	tells cold --cold
	is "one that is neither saved nor restored" "$status $(cat "$dir/cold.why")" "0 --cold was given"
	is "is the same, too" "$(cat "$dir/cold.out")" "$(cat "$dir/saving.out")"
fi
guest other --uarch zen4 -v "$efi" cpuid </dev/null
is "another personality starts from the same" "$status $(grep -c 'a cold start' "$dir/other.err")" "0 0"
has "and is what it is" "$dir/other.out" AuthenticAMD
is "one machine is saved" "$($perf0 cache list | grep -c ' boot, 1 CPU, 512 MiB, EPYC$')" 1
if soaking; then
	dd if=/dev/zero of="$(echo "$XDG_CACHE_HOME"/perf0/*.machine)" bs=4096 seek=1000 count=100 conv=notrunc 2>/dev/null
	tells damaged
	is "a saved machine that is damaged" "$status $(cat "$dir/damaged.why")" "0 the saved machine is damaged"
	is "is booted, and the same" "$(cat "$dir/damaged.out")" "$(cat "$dir/saving.out")"
fi
$perf0 cache clean >"$dir/clean"
is "cache clean removes guests" "$(sed 's/ [0-9]* MiB$//' "$dir/clean")" "1 machine removed,"
if soaking; then
	tells both1 &
	tells both2 --prefetch off
	wait
	is "two at once" "$(cat "$dir/both1.out" "$dir/both2.out")" "$(cat "$dir/saving.out" "$dir/saving.out")"
	is "leave one machine" "$(find "$XDG_CACHE_HOME" -type f | wc -l)" 1
fi
XDG_CACHE_HOME=$shared

# ^C arrives once the program waits for a key.
$perf0 boot --timeout $patience "$efi" say waits key >"$dir/int.out" 2>"$dir/int.err" </dev/null &
waiting=$!
until grep -q waits "$dir/int.out" || ! kill -0 $waiting 2>/dev/null; do sleep 0.2; done
kill -INT $waiting
wait $waiting
is "^C ends a guest" $? 130
has "and is told" "$dir/int.err" 'perf0: boot: interrupted by Interrupt: the guest was killed'

# perf0 prints the command line for a machine of the user's, with a disk of its own.
truncate -s 40M "$dir/disk.img" && mformat -i "$dir/disk.img" -F :: && mmd -i "$dir/disk.img" ::/EFI ::/EFI/BOOT &&
	mcopy -i "$dir/disk.img" "$efi" ::/EFI/BOOT/BOOTX64.EFI && mcopy -i "$dir/disk.img" "$efi" ::/OTHER.EFI
for row in '' "$(either '' '\OTHER.EFI say its_own off')"; do
	[ -n "$row" ] || [ ! -e "$dir/own" ] || continue
	# shellcheck disable=SC2086 # words
	$perf0 qemu-args --uarch icl --page "$dir/page 1" $row >"$dir/line"
	is "qemu-args${row:+ with a path}: status" $? 0
	[ -n "$row" ] || sed -i 's/BOOTX64.EFI/& say by_default off/' "$dir/line"
	eval "timeout $patience $(cat "$dir/line") -nodefaults -display none -no-reboot -serial stdio \
		-drive if=virtio,format=raw,file=$dir/disk.img" >"$dir/own" 2>&1 </dev/null
	has "QEMU boots it${row:+ with a path}" "$dir/own" ".*(by_default|its_own) .*"
	has "vpmu runs there${row:+ with a path}" "$dir/own" ".*vpmu: icl, ht=on.?"
	is "the plugin counts there${row:+ with a path}" "$(tr -d '\0' <"$dir/page 1" | head -c 1 | wc -c)" 1
done

# Each CPU has its own thread in those versions of QEMU that allow a guest to move devices.
while read -r version threads; do
	printf '#!/bin/sh\necho "QEMU emulator version %s (Debian)"\n' "$version" >"$dir/versioned"
	chmod +x "$dir/versioned"
	is "threads in a QEMU of version $version" "$($perf0 qemu-args --smp 2 --qemu "$dir/versioned" | grep -o 'thread=[a-z]*')" \
		"thread=$threads"
done <<-END
	7.2.22 single
	8.1.0 single
	8.2.1 multi
	10.0.2 multi
	unknown single
END

# A mistake is reported before anything boots: status 2, and one line.
cp "$efi" "$dir/arm.efi"
pe=$(od -An -tu4 -j60 -N4 "$efi" | tr -d ' ')
printf '\144\252' | dd of="$dir/arm.efi" bs=1 seek=$((pe + 4)) conv=notrunc status=none
head -c 100 "$efi" >"$dir/short.efi"
truncate -s 1M "$dir/old"
printf 'HdrS' | dd of="$dir/old" bs=1 seek=514 conv=notrunc status=none
while IFS='|' read -r words said; do
	eval "$perf0 $words" >"$dir/wrong" 2>&1 </dev/null
	is "$words: status" $? 2
	is "$words" "$(cat "$dir/wrong")" "perf0: $said"
done <<-END
	boot|boot: a program of UEFI is needed: perf0 boot FILE.efi
	boot $dir/nosuch.efi|boot: $dir/nosuch.efi: No such file or directory
	boot $dir|boot: $dir: it is a folder
	boot README.md|boot: README.md: it is no program of UEFI: it has no DOS header (MZ)
	boot $dir/short.efi|boot: $dir/short.efi: it is no program of UEFI: it has no PE header
	boot $dir/arm.efi|boot: $dir/arm.efi: it is for aarch64; vpmu's machines are x86-64
	boot $efi grüße|boot: argument grüße: character 3: firmware hands over printable ASCII alone
	linux|linux: a kernel is needed: perf0 linux KERNEL -- COMMAND
	linux -- ls|linux: kernel ls: No such file or directory
	linux README.md|linux: kernel README.md: it is no kernel of Linux: it has no DOS header (MZ)
	linux $efi -- true|linux: kernel $efi: it is a program of UEFI, and no kernel of Linux for x86; \`perf0 boot\` starts it
	linux $dir/arm.efi|linux: kernel $dir/arm.efi: it is for aarch64; vpmu's machines are x86-64
	linux $dir/old|linux: kernel $dir/old: it is a kernel without EFI stub (CONFIG_EFI_STUB): firmware can not start it
	linux build/perf0|linux: kernel build/perf0: it is an ELF file; firmware starts bzImage, which lies in arch/x86/boot of a kernel that was built
END
finish

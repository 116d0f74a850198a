# SPDX-License-Identifier: BSD-2-Clause
# Programs of their own: an ELF file that the command line names runs in ring 3, exactly, and stock perf
# finds its symbols and sources; one that cannot run is refused with the reason.
. "$(dirname "$0")/_lib.sh"

flags="-O2 -g -ffreestanding -nostdlib -fno-omit-frame-pointer -fno-stack-protector -fcf-protection=none
	-Wl,--build-id -Wl,-z,noexecstack -I."
at=-Wl,-Ttext-segment=0x406000000000
# shellcheck disable=SC2086
{
	gcc $flags -static-pie -fpie -o "$dir/hello" tests/elf/hello.c
	gcc $flags -static -no-pie -fno-pie -mcmodel=large $at -o "$dir/fixed" tests/elf/hello.c
	gcc $flags -static -no-pie -fno-pie -mcmodel=large -o "$dir/low" tests/elf/hello.c
	gcc $flags -static-pie -fpie -o "$dir/rings" tests/elf/rings.c
	gcc $flags -static-pie -fpie -Wl,-N -o "$dir/rwx" tests/elf/hello.c 2>/dev/null
	gcc $flags -static-pie -fpie -nostartfiles -DUNKNOWN_CALL=231 -o "$dir/unknown" tests/elf/hello.c
}
cp "$dir/hello" "$dir/cut"
truncate -s 5000 "$dir/cut"

boot "$dir/runs" -- stat -e instructions:u,page-faults "$dir/hello" one 1000 \; \
	stat -e instructions:u "$dir/hello" one 2000 \; stat -e instructions:u "$dir/fixed" 1000 \; \
	stat -e instructions:u "$dir/fixed" 2000 \; stat -r 2 -e instructions:u "$dir/hello"
is "exit status" $status 0
is "its arguments" "$(sed -n 1,4p "$dir/runs" | xargs)" "hello from ring 3 one 1000 bye"
u() { awk -v n="$1" '/instructions:u/ && ++k == n { gsub(",", "", $1); print $1 }' "$dir/runs"; }
is "each turn is two instructions" $(($(u 2) - $(u 1))) 2000
is "also where it lies at fixed addresses" $(($(u 4) - $(u 3))) 2000
has "zeros behind the file are minor faults" "$dir/runs" ' +4 +page-faults +'

boot "$dir/rings.log" --no-vpmu -- stat -e task-clock "$dir/rings" \; stat -e task-clock loop 1
is "a program maps all of its rings and goes on: exit status" $status 0
has "and nothing of it changes" "$dir/rings.log" 'rings: all is what it was'

boot "$dir/record" -o "$dir/record.d" -- record -e instructions:u -c 101 "$dir/hello" 10000
data=$dir/record.d/perf.data
perf report -i "$data" --stdio 2>/dev/null >"$dir/report"
has "perf report: its functions" "$dir/report" ' +9[0-9]\.[0-9]+% +hello +hello +\[\.\] turn *'
perf annotate -i "$data" --stdio -s turn 2>/dev/null >"$dir/annotate"
has "perf annotate: its source" "$dir/annotate" '.*while \(n--\).*'

boot "$dir/bad" -- stat /bin/sh \; stat "$dir/low" \; stat "$dir/rwx" \; stat "$dir/cut" \; stat ./none \; \
	stat -e instructions:u loop 1
is "refused: exit status" $status 2
real=$(realpath "$dir")
has "dynamically linked" "$dir/bad" 'stat: .*sh: it wants an interpreter: it is not linked statically'
has "at another address" "$dir/bad" "stat: $real/low: a segment lies outside of the addresses that programs have"
has "writable and executable" "$dir/bad" "stat: $real/rwx: a segment is both writable and executable"
has "cut" "$dir/bad" "stat: $real/cut: a segment is not in the file"
has "no such file" "$dir/bad" 'stat: ./none: the host tool handed in no such ELF file'
has "and the next one runs" "$dir/bad" ' +7 +instructions:u +'

boot "$dir/foreign" -- stat -e instructions:u "$dir/unknown"
has "a program for another system" "$dir/foreign" \
	'task 1 \(unknown\): there is no system call 231; programs for other systems are not supported'
finish

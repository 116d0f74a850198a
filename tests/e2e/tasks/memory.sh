# SPDX-License-Identifier: BSD-2-Clause
# Memory comes back: from files that are refused, in each way that there is, and from workloads that
# take all they can get. Each is told of in one line, and commands behind it go on as ever. And it is
# one owner's at a time: whatever tasks map and unmap, alone or beside one another.
. "$(dirname "$0")/../_lib.sh"

# The free KiB that each `free` of FILE tells, on one line.
frees() { sed -n 's/^ *\([0-9]*\) KiB  free$/\1/p' "$1" | xargs; }
same() { printf '%s\n' "$1" | xargs -n 1 | sort -u | grep -c .; }

# Programs of 20 MB that cannot be run, each for another reason; of the last two too much for all
# memory, and for it and a copy.
flags="-O2 -ffreestanding -nostdlib -fno-stack-protector -fcf-protection=none -mcmodel=large -Wl,-z,noexecstack -I."
# shellcheck disable=SC2086
{
	gcc $flags -static-pie -fpie -o "$dir/hello" tests/elf/hello.c
	gcc $flags -static -no-pie -fno-pie -o "$dir/low" tests/elf/hello.c
	gcc $flags -static-pie -fpie -Wl,-N -o "$dir/rwx" tests/elf/hello.c 2>/dev/null
	gcc $flags -static-pie -fpie -DFILED=130000000 -o "$dir/copied" tests/elf/hello.c
}
cp "$dir/hello" "$dir/32-bit"
printf '\001' | dd of="$dir/32-bit" bs=1 seek=4 conv=notrunc 2>/dev/null
cp "$dir/hello" "$dir/relocations"
rela=$(readelf -SW "$dir/hello" | sed -n 's/.* \.rela\.dyn *RELA *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
printf '\006' | dd of="$dir/relocations" bs=1 seek=$((0x$rela + 8)) conv=notrunc 2>/dev/null
cp "$dir/hello" "$dir/huge"
truncate -s 20000000 "$dir/32-bit" "$dir/low" "$dir/rwx" "$dir/relocations"
truncate -s 250000000 "$dir/huge"

set -- --no-vpmu --memory 256M --timeout 120 -- stat -e task-clock "$dir/hello" 1 \; free
for i in 1 2 3 4; do
	for f in 32-bit low rwx relocations huge copied; do
		set -- "$@" \; stat -e task-clock "$dir/$f"
	done
	set -- "$@" \; free
done
boot "$dir/refused" -k "$@" \; record -e cpu-clock -c 100000 "$dir/hello" 1000000 \; \
	stat -e task-clock loop 1
is "refused: exit status" $status 2
real=$(realpath "$dir")
# refused FILE WHY
refused() {
	is "$1: refused each time, with the reason" "$(grep -cx "stat: .*$real/$1'*:* .*$2" "$dir/refused")" 4
}
refused 32-bit 'it is a 32-bit ELF file, and not for 64-bit x86'
refused low 'a segment lies outside of the addresses that programs have'
refused rwx 'a segment is both writable and executable'
refused relocations 'it has relocations other than R_X86_64_RELATIVE'
refused huge 'there is no memory for it'
refused copied 'there is no memory for it'
is "and their memory is free again" "$(frees "$dir/refused" | wc -w) $(same "$(frees "$dir/refused")")" "5 1"
has "a program that can be run is recorded behind that" "$dir/refused" \
	'\[ perf0 record: [1-9][0-9]* samples .*, 0 lost, 0 refused; .*'

# hogs NAME ARGS...: what the first one leaves is kept for all others.
hogs() {
	what=$1
	shift
	set -- "$@" --no-vpmu --timeout 150 --
	for how in 2 1 3 0 0; do
		set -- "$@" stat -e task-clock,page-faults:u hog $how \; free \;
	done
	boot "$dir/$what" "$@" record -e cpu-clock -c 100000 loop 1000000 \; stat -e task-clock spawner 4 1000 \; free
	is "$what: exit status" $status 139
	is "$what: no memory left is said in one line" \
		"$(grep -cx "stat: workload 'hog 0' ended: there is no memory left for it: #PF at ip .*, write of address .*" \
			"$dir/$what")" 2
	is "$what: and that is all that was said" "$(grep -cE '^(stat|task|perf0)' "$dir/$what")" 2
	is "$what: all of it comes back" "$(same "$(frees "$dir/$what" | cut -d " " -f 1-5)")" 1
	has "$what: a recording behind that" "$dir/$what" '\[ perf0 record: [1-9][0-9]* samples .*, 0 lost, 0 refused; .*'
}

# mapfuzz NAME STEPS ARGS...
mapfuzz() {
	what=$1 steps=$2
	shift 2
	boot "$dir/$what" --no-vpmu --timeout 150 "$@" -- sysctl vm.page_poison=1 \; \
		stat -e task-clock mapfuzz "$steps" 1 \; free \; stat -e task-clock mapfuzz "$steps" 2 \; free \; \
		sysctl vm.page_poison=0
	is "$what: exit status" $status 0
	is "$what: all is where it should be" "$(grep -cE "^mapfuzz: $((3 * steps)) steps: [1-9][0-9]* mappings, \
[1-9][0-9]* rings, [1-9][0-9]* unmapped, [1-9][0-9]* protected, [1-9][0-9]* moved, [1-9][0-9]* processes, \
[0-9]+ pages pulled away$" "$dir/$what")" 2
	is "$what: pages were pulled away under a thread that wrote there" \
		"$(sed -n 's/^mapfuzz: .* \([0-9]*\) pages pulled away/\1/p' "$dir/$what" | grep -c '^[1-9]')" 2
	is "$what: all of it comes back" "$(same "$(frees "$dir/$what")")" 1
}
mapfuzz map 400
mapfuzz map-smp4 200 --smp 4
hogs alone
hogs smp4 --smp 4
finish

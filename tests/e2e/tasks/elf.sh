# SPDX-License-Identifier: BSD-2-Clause
# An ELF file that the command line names runs in ring 3. Its counts are exact, and stock perf finds its symbols and
# sources. perf0 refuses a file that cannot run, and gives the reason.
. "$(dirname "$0")/../_lib.sh"

flags="-O2 -g -ffreestanding -nostdlib -fno-omit-frame-pointer -fno-stack-protector -fcf-protection=none
	-Wl,--build-id -Wl,-z,noexecstack -I."
# shellcheck disable=SC2086
{
	gcc $flags -static-pie -fpie -o "$dir/hello" tests/elf/bare_hello.c
	gcc $flags -static -no-pie -fno-pie -o "$dir/fixed" tests/elf/bare_hello.c
	gcc $flags -static -no-pie -fno-pie -Wl,-Ttext-segment=0x1000 -o "$dir/low" tests/elf/bare_hello.c
	gcc $flags -static-pie -fpie -o "$dir/rings" tests/elf/ring_reader.c
	gcc $flags -static-pie -fpie -Wl,-N -o "$dir/rwx" tests/elf/bare_hello.c 2>/dev/null
	gcc $flags -static-pie -fpie -o "$dir/hostile" tests/elf/hostile.c
	gcc $flags -static -no-pie -fno-pie -o "$dir/hostile_fixed" tests/elf/hostile.c
	gcc $flags -static-pie -fpie -DUNKNOWN_CALL=179 -o "$dir/unknown" tests/elf/bare_hello.c
}
cp "$dir/hello" "$dir/cut"
truncate -s 5000 "$dir/cut"

boot "$dir/runs" -- stat -e instructions:u,page-faults "$dir/hello" one 1000 \; \
	stat -e instructions:u "$dir/hello" one 2000 \; stat -e instructions:u "$dir/fixed" 1000 \; \
	stat -e instructions:u "$dir/fixed" 2000 \; stat -r 2 -e instructions:u "$dir/hello"
boot "$dir/lazy" --no-prefault -- stat -e page-faults "$dir/hello" one 1000
is "exit status" $status 0
is "its arguments" "$(sed -n 1,4p "$dir/runs" | xargs)" "hello from ring 3 one 1000 bye"
u() { awk -v n="$1" '/instructions:u/ && ++k == n { gsub(",", "", $1); print $1 }' "$dir/runs"; }
is "each turn is two instructions" $(($(u 2) - $(u 1))) 2000
is "also where it lies at fixed addresses" $(($(u 4) - $(u 3))) 2000
has "all of it is there from the start" "$dir/runs" ' +0 +page-faults +'
has "--no-prefault: it comes page by page" "$dir/lazy" ' +[1-9] +page-faults +'

# By default a dynamically linked program is loaded page by page. --prefault loads all of it, libraries included.
echo 'int main(void) { return 0; }' | gcc -O2 -x c -o "$dir/dynamic" -
boot "$dir/dynamic-lazy" -- stat -e page-faults "$dir/dynamic"
boot "$dir/dynamic-there" --prefault -- stat -e page-faults "$dir/dynamic"
faults() { sed -n 's/^ *\([0-9]*\) *page-faults.*/\1/p' "$1"; }
is "a dynamic program comes page by page, with --prefault at once" \
	"$(($(faults "$dir/dynamic-lazy") > 50)) $(($(faults "$dir/dynamic-there") < 20))" "1 1"

boot "$dir/rings.log" --no-vpmu -- stat -e task-clock "$dir/rings" \; stat -e task-clock loop 1
is "a program maps all of its rings and goes on: exit status" $status 0
has "and nothing of it changes" "$dir/rings.log" 'rings: all is what it was'

boot "$dir/record" -o "$dir/record.d" -- record -e instructions:u -c 101 "$dir/hello" 10000
data=$dir/record.d/perf.data
perf report -i "$data" --stdio 2>/dev/null >"$dir/report"
has "perf report: its functions" "$dir/report" ' +9[0-9]\.[0-9]+% +hello +hello +\[\.\] turn *'
perf annotate -i "$data" --stdio -s turn 2>/dev/null >"$dir/annotate"
has "perf annotate: its source" "$dir/annotate" '.*while \(n--\).*'

# The tool's own forms print the same names.
stream=$dir/record.d/stream.perf0
perf script -i "$data" 2>/dev/null >"$dir/script"
$perf0 decode "$stream" --text >"$dir/text" 2>/dev/null
is "--text is what perf script prints" "$(md5sum <"$dir/text")" "$(md5sum <"$dir/script")"
is "and it names functions" "$(grep -c ' turn+0x' "$dir/text" | sed 's/^[1-9].*/some/')" some
$perf0 decode "$stream" --folded >"$dir/folded" 2>/dev/null
has "--folded: its functions" "$dir/folded" 'hello;turn [0-9]+'
$perf0 decode "$stream" --speedscope >"$dir/speedscope" 2>/dev/null
is "--speedscope: with file and line" \
	"$(grep -c '{"name":"turn","file":".*hello.c","line":[1-9][0-9]*}' "$dir/speedscope")" 1
mv "$dir/hello" "$dir/away"
$perf0 decode "$stream" --folded >"$dir/folded" 2>/dev/null
has "--folded without the file: addresses" "$dir/folded" 'hello;0x[0-9a-f]+ [0-9]+'
cp "$dir/unknown" "$dir/hello"
$perf0 decode "$stream" --folded >"$dir/folded" 2>/dev/null
is "--folded with another file of that name: addresses" "$(grep -c turn "$dir/folded")" 0
mv "$dir/away" "$dir/hello"
boot "$dir/chain" -o "$dir/chain.d" -- record -g -e instructions:u -c 1009 "$dir/hello" 10000 \; \
	record -g -e instructions:u -c 1009 "$dir/fixed" 10000
for n in 0 1; do
	$perf0 decode "$dir/chain.d/stream.perf0" --command $n -o "$dir/chain.data" 2>/dev/null
	perf script -i "$dir/chain.data" 2>/dev/null >"$dir/script"
	$perf0 decode "$dir/chain.d/stream.perf0" --command $n --text >"$dir/text" 2>/dev/null
	is "chains, $n: --text is what perf script prints" "$(md5sum <"$dir/text")" "$(md5sum <"$dir/script")"
	$perf0 decode "$dir/chain.d/stream.perf0" --command $n --folded >"$dir/folded" 2>/dev/null
	has "chains, $n: --folded" "$dir/folded" '(hello|fixed);_start;turn [0-9]+'
done

# The report of a crash has the program's name, and an address for addr2line.
boot "$dir/crash" -- stat -e instructions:u "$dir/hostile" \; stat -e instructions:u "$dir/hostile_fixed" \; \
	stat -x , -e instructions:u "$dir/hostile" \; stat -j -e instructions:u "$dir/hostile" \; stat crash 0 \; \
	stat crash 2 \; trace -e 'sched:*' "$dir/hostile"
for f in hostile hostile_fixed; do
	at=$(sed -n "s/^stat: workload '.*' ended: #PF at ip 0x[0-9a-f]* ($f+\(0x[0-9a-f]*\)), write of address 0x0$/\1/p" \
		"$dir/crash" | head -n 1)
	is "$f: where it crashed" "$(addr2line -f -e "$dir/$f" "$at" | head -n 1)" trip
done
has "a built-in program is in the image" "$dir/crash" \
	"stat: workload 'crash 0' ended: #PF at ip 0x[0-9a-f]+ \(perf0\.elf\+0x[0-9a-f]+\), read of address 0x0"
has "a jump to nowhere is in no file" "$dir/crash" \
	"stat: workload 'crash 2' ended: #PF at ip 0x[0-9a-f]+, execution of address 0x[0-9a-f]+"

# The program chooses names, but the output contains no control characters, and no line that looks like perf0's.
is "hostile names: no control character" "$(LC_ALL=C tr -d '\n\t -~' <"$dir/crash" | LC_ALL=C tr -d '\302\261' | wc -c)" 0
is "hostile names: no line of perf0's" "$(grep -c '^perf0: \(complete\|z\)' "$dir/crash")" 0
is "what it prints is marked" "$(grep -c '^>perf0: complete: all is well' "$dir/crash" | sed 's/^[1-9].*/some/')" some
has "its complaint" "$dir/crash" \
	'task 2 \(\\x1b\[2J\\x0aperf0: z\\x9b\): system call 179 \(quotactl\) is not there: ENOSYS, 1 time'
has "a region of its: in the table" "$dir/crash" " Region 'a,\"b', 1 call:"
has "in -x" "$dir/crash" '"a,""b",1,[0-9]+,,instructions:u,.*'
is "in -j" "$(grep '^{"region"' "$dir/crash" | python3 -c 'import json, sys
print(json.load(sys.stdin)["region"])')" 'a,"b'

# bad WHAT FILE WHY: checks that perf0 refuses FILE before any command starts, with the reason WHY.
bad() {
	boot "$dir/bad" -- stat -e instructions:u loop 1 \; stat "$2"
	is "$1" "$status $(cat "$dir/bad")" "2 perf0: command 2: stat: $2: $3"
}
bad "at an address that is none for it" "$dir/low" 'a segment lies outside of the addresses that programs have'
bad "writable and executable" "$dir/rwx" 'a segment is both writable and executable'
bad "cut" "$dir/cut" 'it is cut short: a segment is not in the file'
bad "no such file" ./none 'No such file or directory'

boot "$dir/missing" -- stat -e instructions:u "$dir/unknown"
has "a system call that is not there" "$dir/missing" \
	'task 2 \(unknown\): system call 179 \(quotactl\) is not there: ENOSYS, 1 time'
finish

# SPDX-License-Identifier: BSD-2-Clause
# Each output form says whether a count is exact, modelled or unknown, also without QEMU's plugin.
. "$(dirname "$0")/../_lib.sh"

events=instructions:u,branches:u,cache-misses:u,instructions:k
boot "$dir/all" -k -o "$dir/out" -- stat -j -e $events loop 1000 \; stat -r 2 -j -e $events loop 1000 \; \
	stat -I 10 -j -e $events loop 1000 \; stat -e $events loop 1000 \; stat -I 10 -e $events loop 1000 \; \
	record -e $events loop 1000 \; stat -x , -e $events loop 1000
is "exit status" $status 0

# kinds FILE: prints the truth of each count, in order.
kinds() { sed -n 's/.*"event" : "[^"]*".*"truth" : "\([a-z]*\)".*/\1/p' "$1" | tr '\n' ' '; }
each="exact exact modelled exact "
is "stat -j, and with -r and -I" "$(kinds "$dir/all")" "$each$each$each"
is "stat -j: no count without" "$(grep '"counter-value"' "$dir/all" | grep -vc '"truth"')" 0
is "stat, and with -I: marks, and the same number" \
	"$(sed -nE 's/.* ([0-9]+) +cache-misses:u .*\[modelled\]$/\1/p' "$dir/all" | uniq -c | awk '{ print $1, ($2 > 0) }')" "2 1"
is "stat: exact ones have none" "$(grep -E '(instructions|branches):[uk]' "$dir/all" | grep -c '\[')" 0
for n in 0:stat 3:table 5:record 6:csv; do
	$perf0 decode --command ${n%:*} --json -o "$dir/json" "$dir/out/stream.perf0" 2>/dev/null
	is "over the wire: ${n#*:}" "$(kinds "$dir/json")" "$each"
done

# Messages where QEMU's plugin does not work.
mkdir -p "$dir/bare"
cp build/perf0 build/perf0.efi build/perf0.elf build/vpmu.efi build/esp.img "$dir/bare"
# falls_back WHAT LINE OPTIONS...: checks that instructions are exact and branches a ratio, and that LINE says so once.
falls_back() {
	what=$1 line=$2
	shift 2
	"$dir/bare/perf0" stat --cold --machine-timeout $patience "$@" -j -e instructions:u,branches:u loop 1000 \
		>"$dir/fallen" 2>&1
	is "$what: exit status" $? 0
	has "$what: told" "$dir/fallen" "$line"
	is "$what: once" "$(grep -cE "$line" "$dir/fallen")" 1
	is "$what: what counts are" "$(kinds "$dir/fallen")" "exact ratio "
	has "$what: instructions" "$dir/fallen" '.*"2005.000000".*"event" : "instructions:u".*'
}
gcc -shared -fPIC -O2 -I. tests/linux/other_plugin.c -o "$dir/bare/vpmu-events.so"
falls_back "a plugin of another version" "perf0: vpmu: QEMU's plugin does not count as it should; events are ratios.*"
if soaking; then
	echo 'int x;' | gcc -shared -fPIC -x c - -o "$dir/bare/vpmu-events.so"
	falls_back "no plugin of QEMU's" "perf0: events are ratios of instructions and cycles: .*: no plugin of QEMU's"
	cp build/vpmu-events.so "$dir/bare"
	cat >"$dir/bare/qemu" <<-'END'
		#!/bin/sh
		for a; do case $a in -plugin) echo "qemu: -plugin: invalid option" >&2; exit 1 ;; esac; done
		exec qemu-system-x86_64 "$@"
	END
	chmod +x "$dir/bare/qemu"
	falls_back "QEMU without plugins" "perf0: events are ratios of instructions and cycles: .*/qemu takes no plugins" --qemu "$dir/bare/qemu"
fi
finish

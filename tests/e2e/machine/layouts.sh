# SPDX-License-Identifier: BSD-2-Clause
# Damaged sticks: the image reports the damage in one line and uses all that is intact. Then the prompt comes, or the
# commands of perf0.cfg run. `make soak` tries all kinds of damage.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

part=@@1048576
printf 'timeout 0\nthen poweroff\nversion\n' >"$dir/good.cfg"
$perf0 usb -o "$dir/good.img" --size 64M --config "$dir/good.cfg" >"$dir/usb" 2>&1
is "a stick" $? 0
export MTOOLS_SKIP_CHECK=1

waiting='`then poweroff` waits until the results are written'
# start IMAGE OPTIONS...: boots the stick. Returns when the machine is off, shows its prompt, or waits. $end says which.
start() {
	bare_machine "$code" "$vars" -machine q35 -drive "if=none,id=stick,format=raw,file=$1${2:-}" \
		-device qemu-xhci -device usb-storage,drive=stick,bootindex=1
	wait_until 300 has_ended
	end=prompt
	kill -0 $qemu 2>/dev/null || end=off
	file_has "$dir/serial" "$waiting" && end=waits
	stop_machine
	tr -d '\r' <"$dir/serial" | sed 's/\x1b\[[0-9;=]*[A-Za-z]//g' >"$dir/said"
}
# True when the machine is off, when the last output is the prompt, or when the image waits.
has_ended() {
	! kill -0 "$qemu" 2>/dev/null || tail -c 7 "$dir/serial" | grep -qa '^perf0> ' || file_has "$dir/serial" "$waiting"
}

# try WHAT END REGEX: boots the changed stick $dir/this.img, and checks how it ends and that one line matches REGEX. A
# stick that waits for its results prints the line twice: at the start, and after the command.
try() {
	start "$dir/this.img" "${4:-}"
	is "$1" "$end $(grep -cE "^perf0: $3" "$dir/said")" "$2 $(if [ $2 = waits ]; then echo 2; else echo 1; fi)"
}
fresh() { cp --sparse=always "$dir/good.img" "$dir/this.img"; }
drop() { mdel -i "$dir/this.img$part" "$1"; }
put() { mcopy -o -i "$dir/this.img$part" "$1" "$2"; }
folder() { mmd -i "$dir/this.img$part" "$1"; }
listing() { mdir -b -/ -i "$dir/this.img$part" ::/perf0/results 2>/dev/null; }

if soaking; then
	# --- As it should be ---
	fresh
	start "$dir/this.img"
	is "a good stick: it runs, and is turned off" "$end $(grep -c '^perf0> version$' "$dir/said")" "off 1"
	is "a good stick: results" "$(listing | sed -n 's#.*/\([^/][^/]*\)$#\1#p' | paste -sd ' ')" \
		"caps.txt 001-version.txt 001-version.json 001-version.perf0"
fi

# --- perf0.cfg ---
cfg='\\perf0\\perf0\.cfg'
fresh
printf 'caps\n\nstat -- loop\nnosuch\n' >"$dir/cfg"
put "$dir/cfg" ::/perf0/perf0.cfg
try "perf0.cfg: a mistake" prompt "$cfg:4:1: there is no command 'nosuch'; nothing of it ran"
is "perf0.cfg: nothing ran before it" "$(grep -c '^perf0> caps' "$dir/said")" 0
if soaking; then
	fresh
	drop ::/perf0/perf0.cfg
	folder ::/perf0/perf0.cfg
	try "perf0.cfg: a folder" prompt "$cfg cannot be read: .*"
	fresh
	head -c 300000 /dev/zero | tr '\0' '\n' >"$dir/cfg"
	put "$dir/cfg" ::/perf0/perf0.cfg
	try "perf0.cfg: too long" prompt "$cfg has 300000 bytes, more than 262144"
	fresh
	iconv -f utf-8 -t utf-16 "$dir/good.cfg" >"$dir/cfg"
	put "$dir/cfg" ::/perf0/perf0.cfg
	try "perf0.cfg: UTF-16" prompt "$cfg:1:1: this is UTF-16: .*"
	fresh
	drop ::/perf0/perf0.cfg
	start "$dir/this.img"
	is "perf0.cfg: none" "$end $(grep -c '^perf0: ' "$dir/said")" "prompt 0"
fi

# --- Results ---
kept='.*: results \([0-9]+ files, [0-9,]+ bytes\) are kept in memory, and are written with the next ones'
if soaking; then
	fresh
	try "a stick that is write-protected" waits "the stick is write-protected$kept" ,readonly=on
	fresh
	free=$(mdir -i "$dir/this.img$part" :: | sed -n 's/ *\([0-9 ]*\) bytes free/\1/p' | tr -d ' ')
	head -c $((free - 600)) /dev/zero >"$dir/fill"
	put "$dir/fill" ::/fill
	rm "$dir/fill"
	try "a stick that is full" waits "the stick is full$kept"
	fresh
	mdeltree -i "$dir/this.img$part" ::/perf0/results
	put "$dir/good.cfg" ::/perf0/results
	try "results: a file" waits "the stick can not be written \(error [0-9]+\)$kept"
	fresh
	mdeltree -i "$dir/this.img$part" ::/perf0/results
	start "$dir/this.img"
	is "results: no folder, which is made" "$end $(listing | grep -c '/0001-')" "off 5"
	fresh
	folder ::/perf0/results/9999-x
	try "results: no number left" waits "all numbers up to 9999 are used in \\\\perf0\\\\results, .*$kept"
fi

# --- Programs ---
fresh
printf 'timeout 0\nthen poweroff\nstat -- text\nstat -- /perf0/bin/none\nstat -- nosuch\nstat -- Mine 3\nstat -- deep 4\nstat -- deep 5\nrecord -e cpu-clock -c 1000000 -- loop 20000000\n' >"$dir/cfg"
put "$dir/cfg" ::/perf0/perf0.cfg
put "$dir/good.cfg" ::/perf0/bin/text
folder ::/perf0/bin/folder
printf '#include <stdio.h>\nint main(int n, char **v) { printf("%%d words, %%s\\n", n, v[1]); return 0; }\n' >"$dir/mine.c"
gcc -O2 -static -o "$dir/Mine" "$dir/mine.c"
put "$dir/Mine" ::/perf0/bin/Mine
put "$dir/Mine" ::/perf0/bin/deep
start "$dir/this.img"
is "programs: the machine is turned off" "$end" off
is "programs: one that has the name of a workload goes first, which is told once" \
	"$(grep -cE '^2 words, [45]$' "$dir/said") $(grep -c "^stat: 'deep' is the program of the stick, not the workload that is built in$" "$dir/said")" "2 1"
is "programs: one runs" "$(grep -c '^2 words, 3$' "$dir/said")" 1
has "programs: one that is not there" "$dir/said" 'stat: /perf0/bin/none: there is no such file'
has "programs: a name that is not there" "$dir/said" "stat: unknown workload 'nosuch'; .*"
is "programs: a text is told in a line" "$(grep -c "^stat: .*text" "$dir/said")" 1

# --- The machine's files, on the host ---
mcopy -s -n -i "$dir/this.img$part" ::/perf0 "$dir/"
$perf0 results -o "$dir/made" "$dir/perf0" >"$dir/results" 2>"$dir/err"
is "results: all of it is whole" "$? $(grep -c '^  00[1-7]  ' "$dir/results")" "0 7"
samples=$(sed -n 's/^ *\([0-9]*\) samples of .*/\1/p' "$dir/results")
is "results: a perf.data has the samples" "$(perf script -i "$dir"/made/*/007-record.data -F ip 2>/dev/null | grep -c .)" "$samples"
is "results: there are some" "$([ "${samples:-0}" -gt 0 ] && echo some)" some
is "results: a command's text" "$(head -n 1 "$dir"/perf0/results/*/004-stat.txt)" "perf0> stat -- Mine 3"
is "results: its JSON" "$(python3 -c '
import glob, json, sys
result = json.load(open(glob.glob(sys.argv[1] + "/perf0/results/*/004-stat.json")[0]))
print(result["command"], result["status"], {c["event"]: c["cpu"] for c in result["counts"]}.get("task-clock"))' "$dir")" \
	"stat -- Mine 3 0 0"
rm -f "$dir"/*.img
finish

# SPDX-License-Identifier: BSD-2-Clause
# Machines that start from their saved state, or from the saved firmware, give the same output as booted ones, to the
# byte. Whatever happens to the file of a state, the run gives the right answer.
. "$(dirname "$0")/../_lib.sh"

shared=${XDG_CACHE_HOME:-$PWD/$dir/shared}
XDG_CACHE_HOME=$PWD/$dir/home # apart from that of the other tests
XDG_STATE_HOME=$PWD/$dir/state
export XDG_CACHE_HOME XDG_STATE_HOME
job_key=${PERF0_CACHE_KEY:-} # signs the machines of the shared folder
unset PERF0_CACHE_SIZE PERF0_CACHE_KEY # but as a user has it
cache=$XDG_CACHE_HOME/perf0

# run_into DIR ARGS...: a run whose stream goes to DIR/stream.perf0, its status to $status.
run_into() {
	into=$1
	shift
	$perf0 run --timeout $patience -o "$dir/$into" "$@" >"$dir/$into.log" 2>&1
	status=$?
}

# same WHAT A B: two runs sent the same bytes.
same() {
	if cmp "$dir/$2/stream.perf0" "$dir/$3/stream.perf0" >"$dir/cmp" 2>&1; then
		ok "$1"
	else
		not_ok "$1" "$(cat "$dir/cmp")"
	fi
}

# forget MACHINE...: removes the saved machine with these options, but not its saved firmware.
forget() { rm "$cache/$($perf0 cache key "$@").machine"; }

# alike WHAT MACHINE -- COMMANDS: compares the commands' output on a machine that is booted and then saved, and on a
# machine that is restored.
alike() {
	what=$1
	shift
	run_into saving -v "$@"
	booted=$status
	run_into warm -v "$@"
	is "$what: statuses" "$booted $status" "0 0"
	has "$what: it was booted" "$dir/saving.log" 'perf0: a cold start: .*'
	is "$what: it was restored" "$(grep -c 'a cold start' "$dir/warm.log")" 0
	same "$what: the same bytes" saving warm
}

counts='stat -e instructions:u,cycles,branches -- loop 100000'
groups='stat -e {cycles,instructions},{branches,branch-misses} -- dd count=2000'
takes_turns='stat -e cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,instructions:u -- loop 3000000'
samples='record -e instructions:u -c 10007 -- hotcold'
tasks='record -e context-switches -- switches 100 4 0 1'
clocks='stat -r 3 -e task-clock,cpu-clock -- sleep 0.01'

all="$counts ; $groups ; $takes_turns ; $samples ; $tasks"
! soaking || alike "without vpmu" --no-vpmu -- $clocks ';' $tasks ';' stat -e instructions -- loop 10 ';' caps --json
! soaking || alike "a watchdog, hyper-threading off" --watchdog --ht off -- $clocks ';' $counts ';' $samples ';' sysctl
for u in $(either "" "hsw icl adl zen4") skx; do
	$perf0 cache clean >/dev/null
	alike "$u" --uarch $u -- $all
	forget --uarch $u
	run_into firmware -v --uarch $u -- $all
	has "$u: it started from the saved firmware" "$dir/firmware.log" \
		'perf0: a start from the saved firmware: no such machine is saved yet'
	same "$u: and sends the same" firmware saving
	run_into again -v --uarch $u -- $all
	is "$u: it was saved" "$(grep -cE 'a cold start|saved firmware' "$dir/again.log")" 0
	same "$u: and sends the same again" again saving
	if [ $u = skx ]; then
		run_into cold --cold --uarch $u -- $all
		same "a machine that is not saved sends the same" cold warm
	fi
done

# Several CPUs: not exact, but restored, too. Other tests may have saved these machines.
own=$XDG_CACHE_HOME
XDG_CACHE_HOME=$shared
PERF0_CACHE_KEY=$job_key
export PERF0_CACHE_KEY
for o in $(one_of smp=2 smp=4,threads=2 smp=2_--no-vpmu); do
	o=$(echo "--$o" | tr _ ' ')
	run_into saving $o -- stat -e cpu-clock -- loop 1000
	run_into warm -v $o -- stat -a -A -e cpu-clock -- loop 1000
	is "$o: it was restored, and counts" "$status $(grep -c 'a cold start' "$dir/warm.log")" "0 0"
	is "$o: each CPU counts" "$(grep -c '^CPU[0-9].*cpu-clock' "$dir/warm.log")" \
		"$(echo "$o" | sed 's/.*--smp=\([0-9]\).*/\1/')"
done
XDG_CACHE_HOME=$own
unset PERF0_CACHE_KEY

# count [ENV=...]: prints a run's output. $dir/count has the reason why no machine was restored.
count() {
	env "$@" $perf0 stat -v --machine-timeout $patience -e instructions:u -- loop 1000 >"$dir/count" 2>&1
	counted="$? $(awk '$2 == "instructions:u" { print $1 }' "$dir/count")"
}
why_cold() { sed -nE 's/^perf0: a (cold start|start from the saved firmware): //p' "$dir/count"; }

saved=$cache/$($perf0 cache key).machine
is "a run that boots leaves two files: the firmware, and the machine" "$(find "$cache" -type f | wc -l)" 2
count A=
is "and the next one does not boot" "$counted, $(why_cold)" "0 2,005, "
cp "$saved" "$dir/saved"

# One saved firmware serves all options of vpmu and of the image.
firmware=$(find "$cache" -type f ! -path "$saved")
for options in "--uarch hsw --hypervisor-bit off" $(either "" "--timing=ipc1 --counters=gp:4 --watchdog"); do
	run_into other -v $options -- stat -e instructions:u -- loop 1000
	is "$options: status" $status 0
	has "$options: it started from the saved firmware" "$dir/other.log" 'perf0: a start from the saved firmware: .*'
done
is "one firmware is saved" "$($perf0 cache list | grep -cE '  firmware, 1 CPU, EPYC$')" 1
rm "$saved"
dd if=/dev/zero of="$firmware" bs=4096 seek=1000 count=100 conv=notrunc 2>/dev/null
count A=
is "a saved firmware that is damaged" "$counted, $(why_cold)" "0 2,005, the saved machine is damaged"
has "is not used" "$dir/count" 'perf0: a cold start: .*'
is "and is saved anew" "$(find "$firmware" "$saved" -type f | wc -l)" 2
cp "$dir/saved" "$saved"

# (tests/unit/saved/test_cache.c tries all kinds of damage.)
# damaged WHAT REASON: checks that a run with the damaged file says so, counts right, and saves the machine anew.
damaged() {
	count A=
	is "$1: right" "$counted" "0 2,005"
	is "$1: the reason" "$(why_cold)" "$2"
	count A=
	is "$1: saved anew" "$counted, $(why_cold)" "0 2,005, "
	cp "$dir/saved" "$saved"
}
dd if=/dev/zero of="$saved" bs=4096 seek=1000 count=100 conv=notrunc 2>/dev/null
damaged "zeros in the state" "the saved machine is damaged"
if soaking; then
	printf 'perf0 machine 0\n' | dd of="$saved" conv=notrunc 2>/dev/null
	damaged "another version" "the saved machine is damaged, or was saved with another key"
	truncate -s -1 "$saved"
	damaged "a file that was cut off" "the saved machine is damaged, or was saved with another key"
	rm "$saved" && mkdir "$saved"
	count A=
	is "a folder in its place" "$counted" "0 2,005"
	rmdir "$saved"
	count XDG_CACHE_HOME=/proc/none
	is "a folder that can not be made" "$counted" "0 2,005"
	has "and why" "$dir/count" 'perf0: not saved for the next start: /proc/none/perf0: .*'
fi

# perf0 trusts only the user's own files (tests/unit/saved/test_cache.c tries all cases of files that it refuses).
# refused WHAT REASON [ENV=...]: checks that a run counts right, and prints why it starts cold, without -v, too.
refused() {
	what=$1 reason=$2
	shift 2
	env A= "$@" $perf0 stat --machine-timeout $patience -e instructions:u -- loop 1000 >"$dir/count" 2>&1
	is "$what" "$? $(awk '$2 == "instructions:u" { print $1 }' "$dir/count"), $(why_cold)" "0 2,005, $reason"
}
chmod 777 "$cache"
refused "a folder that others may change" "$cache has mode 0777, so that others may change it; \`chmod go-w\`"
chmod 700 "$cache"
if soaking; then
	refused "a key that is none" "PERF0_CACHE_KEY has 3 characters; 16 are needed" PERF0_CACHE_KEY=abc
	refused "a machine that was saved with another key" "the saved machine is damaged, or was saved with another key" \
		PERF0_CACHE_KEY="the key of a job"
	cp "$dir/saved" "$saved"
	rm "$saved" && mkfifo -m 600 "$saved"
	refused "a FIFO" "$(basename "$saved") is no regular file; remove it"
fi

# A signal ends a wait before the boot, too. perf0 waits here for the version of a QEMU that does not answer.
printf '#!/bin/sh\nexec sleep 1000\n' >"$dir/silent"
chmod +x "$dir/silent"
timeout -k 60 2 $perf0 stat --clock host --qemu "$dir/silent" -- loop >"$dir/silent.log" 2>&1
is "SIGTERM ends a wait before the boot" $? 124
is "and leaves no child" "$(grep -lz "$dir/[s]ilent" /proc/[0-9]*/cmdline 2>/dev/null | wc -l)" 0

if soaking; then
	$perf0 cache clean >"$dir/clean"
	(ulimit -f 20000 && count A= && is "a disk that is full" "$counted" "0 2,005" &&
		has "and told" "$dir/count" 'perf0: not saved for the next start: .*')
	is "nothing of it is left" "$(find "$cache" -type f | wc -l)" 0
fi

# Without a readable cache the run boots. perf0 prints the reason before it starts QEMU, so a QEMU that ends at once is
# enough here.
printf '#!/bin/sh\nexit 1\n' >"$dir/no-machine"
chmod +x "$dir/no-machine"
# not_read WHAT REASON ENV=...
not_read() {
	what=$1 reason=$2
	shift 2
	env "$@" $perf0 stat -v --qemu "$dir/no-machine" -- loop >"$dir/count" 2>&1
	is "$what" "$(why_cold)" "$reason"
}
not_read "no cache is wanted" "PERF0_CACHE_SIZE is 0" PERF0_CACHE_SIZE=0
not_read "a size that is none" "PERF0_CACHE_SIZE=much is not a size (512M, 2G; 0: none)" PERF0_CACHE_SIZE=much
not_read "no home" "neither XDG_CACHE_HOME nor HOME says where a cache may be" XDG_CACHE_HOME= HOME=

# A gate runs again and again, so it tells without -v what makes each run boot; that a user wants no cache is no news.
# gate_tells WHAT LINE ENV=...
gate_tells() {
	what=$1 line=$2
	shift 2
	env "$@" $perf0 gate --update --baseline "$dir/baseline" --qemu "$dir/no-machine" -- /bin/true >"$dir/count" 2>&1
	is "gate: $what" "$(grep 'no cache' "$dir/count")" "$line"
}
anew="each run boots a machine anew: set"
gate_tells "no home" "perf0: no cache: neither XDG_CACHE_HOME nor HOME says where a cache may be; $anew XDG_CACHE_HOME and XDG_STATE_HOME" \
	XDG_CACHE_HOME= XDG_STATE_HOME= HOME= PERF0_CACHE_KEY=
gate_tells "a folder that can not be made" \
	"perf0: no cache: /proc/none/perf0 is no folder: No such file or directory; $anew XDG_CACHE_HOME" XDG_CACHE_HOME=/proc/none
gate_tells "no place for the key" \
	"perf0: no cache: no place for the key of saved machines: neither XDG_STATE_HOME nor HOME says where it is; $anew XDG_STATE_HOME" \
	XDG_STATE_HOME= HOME= PERF0_CACHE_KEY=
gate_tells "no cache is wanted" "" PERF0_CACHE_SIZE=0 HOME=
gate_tells "a cache is there" "" A=

# Two runs save the same machine at the same time. A machine's file is removed while the machine runs.
if soaking; then
	for i in 1 2; do
		$perf0 stat --machine-timeout $patience -e instructions:u -- loop 1000 >"$dir/both$i" 2>&1 &
	done
	wait
	is "two at once" "$(grep -h -o '2,005 ' "$dir/both1" "$dir/both2" | wc -l) $(find "$cache" -type f | wc -l)" "2 2"
fi
$perf0 stat --machine-timeout $patience -e instructions:u -- loop 20000000 >"$dir/long" 2>&1 &
sleep 0.3
$perf0 cache clean >"$dir/clean"
wait $!
is "removed while in use" "$? $(grep -o '40,000,005' "$dir/long")" "0 40,000,005"

# The oldest files are removed where the cache is full.
PERF0_CACHE_SIZE=30M
export PERF0_CACHE_SIZE
cp "$dir/saved" "$saved"
is "there is one" "$($perf0 cache warm)" "saved before"
is "another is saved" "$($perf0 cache warm --uarch icl 2>&1)" saved
is "and one kept" "$($perf0 cache list | sed -n 's/.*  \([a-z]*\), ht=on.*/\1/p' | tr '\n' ' ')" "icl "
is "what is kept is not saved again" "$($perf0 cache warm --uarch icl)" "saved before"
unset PERF0_CACHE_SIZE # but as a user has it

# Many runs in a row leave nothing behind.
# mine: prints how many processes use this tree's image; the pattern does not match grep's own command line.
mine() { grep -lz "$PWD/[b]uild/esp.img" /proc/[0-9]*/cmdline 2>/dev/null | xargs -n 1 dirname 2>/dev/null |
	while read -r p; do { tr '\0' '\n' <"$p/environ"; } 2>/dev/null | grep -c "$XDG_CACHE_HOME"; done | grep -c 1; }
before=$(find "$cache" | sort)
for i in $(seq 10); do
	$perf0 stat --uarch icl --machine-timeout $patience -e instructions:u,branches:u,cycles -- chase >"$dir/many.$i" 2>&1 ||
		not_ok "run $i of many" "$(cat "$dir/many.$i")"
	cmp "$dir/many.1" "$dir/many.$i" >/dev/null || not_ok "run $i is not the first" "$(cat "$dir/many.$i")"
done
is "10 runs are one" "$(cat "$dir"/many.* | grep -c 'instructions:u')" 10
is "they leave no file" "$(find "$cache" | sort)" "$before"
is "and no process" "$(mine)" 0

# Many runs in one machine take the same time, too.
$perf0 stat --uarch icl --machine-timeout $patience -r 100 -e instructions:u,branches:u -- chase >"$dir/repeats" 2>&1
is "100 runs in one machine are one" "$? $(grep -c '( identical )' "$dir/repeats")" "0 3"

# perf0 cache.
$perf0 cache list nonsense >"$dir/word" 2>&1
is "cache: a word too many" "$? $(cat "$dir/word")" "2 perf0 cache list: there is a word too many: 'nonsense'"
$perf0 cache claen >"$dir/typo" 2>&1
is "cache: a typing error" "$? $(cat "$dir/typo")" \
	"2 perf0 cache: 'claen' is not list, clean, warm or key; did you mean 'clean'?"
is "cache clean" "$($perf0 cache clean | sed 's/ [0-9]* MiB$//')" "1 machine removed,"
finish

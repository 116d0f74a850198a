# SPDX-License-Identifier: BSD-2-Clause
# A ring 0 that attacks the host tool (tests/hostile/main.c). The tool is built with AddressSanitizer. It ends within
# its time limit and gives the reason in lines without control characters. Its memory stays bounded, and it writes only
# the files that its options name. QEMU and its plugin do not crash.
. "$(dirname "$0")/../_lib.sh"

XDG_CACHE_HOME=$PWD/$dir/home XDG_STATE_HOME=$PWD/$dir/state ASAN_OPTIONS=hard_rss_limit_mb=700
export XDG_CACHE_HOME XDG_STATE_HOME ASAN_OPTIONS
tool=$dir/tool/perf0
mkdir -p "$dir/tool" "$dir/work" "$dir/home"
cp build/unit/tools/test_session_ends "$tool" # is the tool under that name
cp build/vpmu.efi build/vpmu-events.so build/perf0.elf "$dir/tool"
cp build/hostile.efi "$dir/tool/perf0.efi"
scripts/mkesp "$dir/tool/esp.img" build/hostile.efi build/vpmu.efi

# controls FILE: lines with control characters of C0, other than tab and line feed, or of C1.
controls() { LC_ALL=C grep -caP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$1"; }

# attack LIMIT NAME SEED ARGS...: one run of at most LIMIT seconds; its failures go to $wrong.
attack() {
	limit=$1 run=$2.$3 seed=$3
	shift 3
	log=$dir/work/log.$run
	timeout -k 5 $((patience + limit)) "$tool" run -k --timeout "$limit" -o "$dir/work/out" \
		--bring "/x:$dir/work/brought" "$@" -- loop "$seed" >"$log" 2>&1 </dev/null
	status=$?
	# 137 is timeout's SIGKILL, 130 and 143 are signals to the tool: either means that the tool's own limit failed.
	case $status in
	0 | 1 | 124 | 125) ;;
	*) wrong="$wrong $run:status-$status" ;;
	esac
	grep -qaE 'Sanitizer|runtime error|killed by signal' "$log" && wrong="$wrong $run:crash"
	[ "$(controls "$log")" = 0 ] || wrong="$wrong $run:controls"
	[ $status = 0 ] || grep -qa '^perf0: ' "$log" || wrong="$wrong $run:silent"
}

# attack_all NAME SEEDS ARGS...: the first run boots and saves the machine, and ends by a reset.
attack_all() {
	what=$1 seeds=$2 wrong=
	shift 2
	attack $patience "$what" 2 "$@"
	for seed in $seeds; do attack 1 "$what" "$seed" "$@"; done
	is "$what: by seed" "$wrong" ""
}

# The seed modulo 8 says how the run ends (0 and 1: BYE; 2: a reset; 3: stopped; 4: idle; 5: endless questions;
# 7: a call of vpmu). Bit 3 of the seed sends frames through shared memory.
attack_all vpmu "$(either "1 8 10 13 19" "$(seq 0 200)")" --uarch skx
if soaking; then
	attack_all memory "$(seq 0 200)" --no-vpmu
	attack_all line "$(seq 0 100)" --no-vpmu --serial
fi
is "no file but those of its options" "$(find "$dir/work" "$dir/tool" -type f ! -name 'log.*' | sed "s|$dir/||" |
	grep -vxE 'work/brought|work/out/(stream.perf0|console.txt|perf.data(\.[0-9]+)?)' | sort | xargs)" \
	"tool/esp.img tool/perf0 tool/perf0.efi tool/perf0.elf tool/vpmu-events.so tool/vpmu.efi"
finish

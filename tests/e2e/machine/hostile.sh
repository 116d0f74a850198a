# SPDX-License-Identifier: BSD-2-Clause
# A ring 0 that means harm (tests/hostile/main.c): whatever it sends and writes, the tool, here with
# AddressSanitizer, ends within its time-out, says why in one line that no terminal obeys, and
# writes to no file but those that it was to write. QEMU and its plugin live on.
. "$(dirname "$0")/../_lib.sh"

XDG_CACHE_HOME=$PWD/$dir/home XDG_STATE_HOME=$PWD/$dir/state
export XDG_CACHE_HOME XDG_STATE_HOME
tool=$dir/tool/perf0
mkdir -p "$dir/tool" "$dir/work"
cp build/unit/tools/test_session_ends "$tool"
cp build/vpmu.efi build/vpmu-events.so build/perf0.elf "$dir/tool"
cp build/hostile.efi "$dir/tool/perf0.efi"
scripts/mkesp "$dir/tool/esp.img" build/hostile.efi build/vpmu.efi

# obeyed FILE: lines with what a terminal would obey.
obeyed() { LC_ALL=C grep -caP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]' "$1"; }

# attack HOW SEED ARGS...: one run, with what is wrong of it in $wrong.
attack() {
	how=$1 seed=$2
	shift 2
	log=$dir/work/log.$how.$seed
	before=$(date +%s)
	timeout -k 5 $patience "$tool" run --timeout 2 -o "$dir/work/out" --bring "/x:$dir/work/brought" "$@" -- loop "$seed" \
		>"$log" 2>&1 </dev/null
	s=$?
	took=$(($(date +%s) - before))
	case $s in
	0 | 1 | 124 | 125) ;;
	*) wrong="$wrong $how:$seed:status-$s" ;;
	esac
	[ $took -lt $((patience / 2)) ] || wrong="$wrong $how:$seed:$took-s"
	grep -qE 'AddressSanitizer|runtime error|killed by signal' "$log" && wrong="$wrong $how:$seed:crash"
	[ "$(obeyed "$log")" = 0 ] || wrong="$wrong $how:$seed:obeyed"
	[ $s = 0 ] || grep -q '^perf0: ' "$log" || wrong="$wrong $how:$seed:says-nothing"
}

wrong=
for seed in $(seq 0 $(either 15 400)); do attack alone "$seed" --no-vpmu; done
is "the host tool, by seed" "$wrong" ""
wrong=
for seed in $(seq 0 $(either 3 100)); do attack vpmu "$seed" --uarch skx; done
is "vpmu and the plugin, by seed" "$wrong" ""
is "no file but its own" "$(find "$dir/work" "$dir/tool" -type f ! -name 'log.*' | sed "s|$dir/||" | sort | tr '\n' ' ' |
	sed 's|work/brought ||; s|work/out/[a-z0-9.]* ||g')" \
	"tool/esp.img tool/perf0 tool/perf0.efi tool/perf0.elf tool/vpmu-events.so tool/vpmu.efi "
finish

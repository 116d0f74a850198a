# SPDX-License-Identifier: BSD-2-Clause
# /proc, /sys and /dev have the paths of the list perf_paths, which users of performance events look for. A program can
# write the interval of rotation. It holds for that command, and determines the number of time slices.
. "$(dirname "$0")/../_lib.sh"

list=tests/e2e/tasks/perf_paths
is "each absent file has a reason" "$(grep '^-' $list | grep -cv ' | .* | ')" 0

# look: prints a row for each path, in the list's form.
cat >"$dir/look" <<'SCRIPT'
#! /bin/sh
while read -r kind path rest; do
	case $kind in \#*) continue ;; esac
	if [ -d "$path" ]; then
		now=/
	elif [ ! -e "$path" ]; then
		now=-
	elif read -r line <"$path" || [ -n "$line" ]; then
		now=+
	else
		now=0
	fi
	[ "$kind" = "$now" ] || echo "$path: listed as $kind, is $now"
done <"$1"
echo looked at
SCRIPT
cat >"$dir/slower" <<'SCRIPT'
#! /bin/sh -e
for pmu in /sys/bus/event_source/devices/*; do
	read -r ms <$pmu/perf_event_mux_interval_ms
	[ $ms = 4 ] || echo "${pmu##*/}: $ms"
done
cd /sys/devices/cpu
for bad in 0 -1 1001 x 5x ''; do
	(echo "$bad" >perf_event_mux_interval_ms) 2>&- && echo "taken: $bad"
done
[ -z "$1" ] || echo $1 >perf_event_mux_interval_ms
read -r ms <perf_event_mux_interval_ms
echo "$ms ms"
i=0
while [ $i -lt 6000 ]; do i=$((i + 1)); done
SCRIPT
chmod +x "$dir/look" "$dir/slower"
# These are more events than counters.
events=$(for n in 1 2 3 4 5 6 7 8 9; do printf branches:u,; done)
measured="stat -v -e ${events%,} ./slower"
# shellcheck disable=SC2086
(cd "$dir" && ../../perf0 run --uarch skx --timeout "$patience" -k --file ../../../$list -- stat -e task-clock ./look ../../../$list \; \
	$measured \; $measured 40 \; $measured) >"$dir/out" 2>&1
is "exit status" $? 0
is "all is as listed" "$(sed '/^looked at/q' "$dir/out")" "looked at"
is "the interval: of all PMUs, then as written, then as before; nothing else is taken" \
	"$(grep -E '^[0-9]+ ms|^taken|^[a-z_0-9]+: [0-9]+$' "$dir/out" | xargs)" "4 ms 40 ms 4 ms"
# shellcheck disable=SC2046
set -- $(sed -n 's/^time slices that ended: //p' "$dir/out")
is "the interval: fewer time slices end once it is ten times as long, and all again behind that ($*)" \
	"$((${1:-0} > 3 * ${2:-0} && ${2:-0} > 0 && ${3:-0} > 3 * ${2:-0}))" 1
finish

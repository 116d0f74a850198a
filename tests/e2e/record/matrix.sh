# SPDX-License-Identifier: BSD-2-Clause
# Stock perf attributes the misses of a naive matrix product to the line with the strided load. There are far fewer
# misses when the loops walk along the rows.
. "$(dirname "$0")/../_lib.sh"
gcc -O1 -g -static tests/linux/matrix.c -o "$dir/matrix"
line=$(grep -n 'sum += ' tests/linux/matrix.c | cut -d : -f 1)

boot "$dir/log" -o "$dir/out" -- record -e cache-misses:u -c 4001 "$dir/matrix" \; \
	stat -x , -e cache-misses:u "$dir/matrix" rows
is "exit status" $status 0
$perf0 decode --command 0 -o "$dir/perf.data" "$dir/out/stream.perf0" 2>/dev/null
perf report -i "$dir/perf.data" --stdio --sort srcline >"$dir/report" 2>/dev/null
share=$(sed -n "s/^ *\([0-9]*\)\.[0-9]*% *matrix\.c:$line *$/\1/p" "$dir/report")
is "report: 90 % and more on the line of the strided load: ${share:-none}" "$((${share:-0} >= 90))" 1
perf annotate -i "$dir/perf.data" --stdio -s main >"$dir/annotate" 2>/dev/null
is "annotate: on one or two instructions of it" \
	"$(awk '$2 == ":" && $1 > 20 { sum += $1; n++ } END { print (sum > 90 && n <= 2) }' "$dir/annotate")" 1
naive=$(sed -n "s/^# Event count (approx\.): //p" "$dir/report") rows=$(sed -n "s/^\([0-9]*\),,cache-misses:u,.*/\1/p" "$dir/log")
is "by rows: a fifth, and less: $rows of $naive" "$((${rows:-naive} * 5 < ${naive:-0}))" 1
finish

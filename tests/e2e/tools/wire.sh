# SPDX-License-Identifier: BSD-2-Clause
# The wire: a sample takes few bytes, and live samples equal those after the workload. If a line damages one byte in a
# hundred, intact frames are decoded, and damaged ones are counted.
. "$(dirname "$0")/../_lib.sh"

# harm FILE SEED BURST: prints FILE with one byte in a hundred changed, in bursts of up to BURST.
harm() {
	perl -e '
		my ($file, $seed, $burst) = @ARGV;
		open(my $in, "<:raw", $file) or die; local $/; my $bytes = <$in>;
		srand($seed); binmode(STDOUT);
		for (my $n = int(length($bytes) / 100); $n > 0;) {
			my $run = 1 + int(rand($burst)); $run = $n if $run > $n; $n -= $run;
			my $at = int(rand(length($bytes) - $run));
			for (my $i = $at; $i < $at + $run; $i++) {
				substr($bytes, $i, 1) = chr(ord(substr($bytes, $i, 1)) ^ (1 + int(rand(255))));
			}
		}
		print $bytes' "$@"
}

# told FILE: prints the numbers of received and lost samples from decode's message about an incomplete stream.
told() { sed -n 's/^perf0: the stream is incomplete: .*: \([0-9]*\) samples came, \([0-9]*\) are lost$/\1 \2/p' "$1"; }

ips() { perf script -i "$1" -F ip 2>/dev/null; }

what='-e instructions:u -c 1009 dd 20000'
for u in $(one_of hsw skx icl zen4); do
	# shellcheck disable=SC2086
	boot "$dir/$u" --timeout 200 --uarch $u -o "$dir/$u.d" -- record $what \; record --live $what \; \
		record --live -m 1 -e instructions:u -c 101 dd 2000
	is "$u: exit status, and so balanced books" $status 0
	sed -n 's/.* \([0-9]*\) samples of .*; \([0-9,]*\) bytes sent as \([0-9,]*\) .*/\1 \2 \3/p' \
		"$dir/$u" | tr -d , >"$dir/$u.sent"
	is "$u: a sample takes at most 12 bytes of the line" \
		"$(awk 'NR == 1 { print ($1 > 6000 && $3 / $1 <= 12) ? "yes" : $3 / $1 }' "$dir/$u.sent")" yes
	stream=$dir/$u.d/stream.perf0
	for n in 0 1; do
		$perf0 decode --command $n "$stream" -o "$dir/$u.$n.data" >"$dir/$u.decode" 2>&1
	done
	is "$u: all samples" "$(ips "$dir/$u.0.data" | grep -c .)" $((6620020 / 1009))
	is "$u: live, the same samples" "$(ips "$dir/$u.1.data" | md5sum)" "$(ips "$dir/$u.0.data" | md5sum)"
	is "$u: live, ring 3's count is exact" \
		"$($perf0 decode -v --command 1 "$stream" -o "$dir/$u.1.data" 2>&1 |
			grep -c 'CPU 0 *6620020  instructions:u')" 2
	is "$u: live, a ring that is too small loses, and tells" \
		"$(sed -n 's/.* \([0-9]*\) samples of \([0-9]*\) overflows, \([0-9]*\) lost.*/\1 \2 \3/p' "$dir/$u" |
			awk 'NR == 3 { print ($1 + $3 == $2 && $1 > 0) ? "yes" : $0 }')" yes

	# A late listener joins at the next KEY, which repeats the state that the listener needs.
	tail -c +8000 "$stream" >"$dir/late"
	$perf0 decode --attached --command 0 "$dir/late" -o "$dir/late.data" >"$dir/$u.late" 2>&1
	is "$u: joined in the middle: a command that began before is not complete" $? 125
	came=$(ips "$dir/late.data" | grep -c .)
	lost=$(perf report --stdio -i "$dir/late.data" 2>/dev/null | sed -n 's/^# Total Lost Samples: //p')
	is "$u: joined in the middle: the rest is there, what was before is counted" \
		"$([ "$came" -gt 100 ] && echo $((came + ${lost:-0})))" $((6620020 / 1009))

	written=$(awk '{ n += $1 } END { print n }' "$dir/$u.sent")
	wrong='' read=0
	for seed in $(either 2 "1 2 3"); do
		harm "$stream" $seed 128 >"$dir/harmed"
		rm -f "$dir/harmed.data"
		$perf0 decode -v --command 0 "$dir/harmed" -o "$dir/harmed.data" >"$dir/$u.harmed" 2>&1
		s=$?
		set -- $(told "$dir/$u.harmed")
		came=${1:-none} lost=${2:-none}
		# If the damage hits a command's BEGIN or RESULT, decode does not know the command's loss.
		[ $s = 125 ] && [ "$came" != none ] && [ $((came + lost)) -le "$written" ] ||
			wrong="$wrong $seed:$s:$came:$lost"
		[ -f "$dir/harmed.data" ] || continue
		perf report --stdio -i "$dir/harmed.data" >"$dir/$u.report" 2>"$dir/$u.err" ||
			wrong="$wrong $seed:perf"
		n=$(ips "$dir/harmed.data" | grep -c .)
		lost=$(sed -n 's/^# Total Lost Samples: //p' "$dir/$u.report")
		all=$((n + ${lost:-0}))
		# If the accounts of the command came, samples and losses add up.
		[ $all = $((6620020 / 1009)) ] || ! grep -q '^command 0 (.*): status 0' "$dir/$u.harmed" ||
			wrong="$wrong $seed:$n+$lost"
		read=$((read + n))
	done
	is "$u: damage in bursts: told, counted, and perf reads the rest" "$wrong" ''
	is "$u: damage in bursts: much of it is intact" "$([ $read -gt $(either 1300 4000) ] && echo yes || echo $read)" yes
	harm "$stream" 6 1 >"$dir/harmed"
	$perf0 decode --command 0 "$dir/harmed" -o "$dir/harmed.data" >"$dir/$u.harmed" 2>&1
	is "$u: every hundredth byte: status, and nothing is made up" \
		"$? $(told "$dir/$u.harmed" | awk -v w="$written" '{ print ($1 + $2 <= w) }')" "125 1"
done

# Draining itself takes samples of ring 0: it must not go on because of these.
boot "$dir/feeds" --uarch skx -- record --live -e instructions:u,instructions:k -c 500 loop 20000
is "live, with samples of ring 0: it ends, and the books balance" $status 0

# A slow line with flow control gives the same results.
for flow in $(one_of xonxoff rtscts); do
	boot "$dir/slow" --baud 9600 --flow "$flow" -- stat -e instructions:u loop 1000
	is "$flow: exit status" $status 0
	has "$flow: the count" "$dir/slow" ' +2,005 +instructions:u +.*'
done
boot "$dir/bad" --baud 1000 -- version
has "a speed that no divisor gives" "$dir/bad" ".*--baud: '1000' is not a divisor of 115200.*"
boot "$dir/bad" --flow maybe -- version
has "a flow control that there is not" "$dir/bad" ".*--flow: 'maybe' is not none, xonxoff or rtscts.*"
finish

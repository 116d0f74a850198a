# SPDX-License-Identifier: BSD-2-Clause
# Programs in ring 3 measure themselves: by system call, by RDPMC, by samples into a ring of their own. Other targets
# are refused. The counts of a later command are unaffected.
. "$(dirname "$0")/../_lib.sh"

for uarch in skx zen4; do
	boot "$dir/$uarch" --uarch $uarch -- stat -e instructions:u selfmon ';' \
		stat -e instructions:u -r 2 selfmon 1000 ';' stat -e instructions:u loop 1000
	is "$uarch: exit status" $status 0
	has "$uarch: what it counts is exact" "$dir/$uarch" 'selfmon: instructions of the turns: 200000'
	has "$uarch: by RDPMC too" "$dir/$uarch" 'selfmon: RDPMC: instructions of the turns: 200000'
	has "$uarch: it samples itself" "$dir/$uarch" 'selfmon: samples of its own: 8[0-9]{2}'
	is "$uarch: no check failed, in three runs" "$(grep -c ', wanted ' "$dir/$uarch")" 0
	is "$uarch: all were done" "$(grep -c 'selfmon: closing the last event: 0' "$dir/$uarch")" 3
	has "$uarch: ring 0 is refused, with the reason" "$dir/$uarch" \
		'selfmon: ring 0: a program may not measure ring 0: .*'
	has "$uarch: the next workload is counted exactly" "$dir/$uarch" ' +2,005 +instructions:u +.*'
done

# --allow-system allows programs to measure ring 0 and whole CPUs.
boot "$dir/allowed" --uarch skx -- stat --allow-system -e instructions:u selfmon 1000
is "--allow-system: what is refused elsewhere is not" \
	"$status $(grep -cE '^selfmon: (ring 0|a CPU): .*, wanted 13$' "$dir/allowed")" "2 2"
finish

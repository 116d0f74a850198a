# SPDX-License-Identifier: BSD-2-Clause
# TSX_FORCE_ABORT on Skylake: four counters are free while transactions abort, three while they may run. A change takes
# effect at once.
. "$(dirname "$0")/../_lib.sh"

four=r01d1,r02d1,r04d1,r08d1 # MEM_LOAD_RETIRED: the low four counters
five=$four,r10d1

boot "$dir/skx" -k -- tfa \; stat --no-mux -e $four loop 1000 \; stat -e $five loop 10000000 \; \
	tfa off \; stat --no-mux -e $four loop 1000 \; stat -e $five loop 10000000 \; \
	tfa on \; stat --no-mux -e $four loop 1000 \; tfa maybe
is "status: of the set that does not fit" $status 1
has "on from the start" "$dir/skx" 'TSX force abort: on; transactions abort, counters 0x8 can count'
has "off" "$dir/skx" 'TSX force abort: off; transactions run, counters 0x8 are theirs'
is "on: four fit" "$(awk '/r08d1/ && !/%/ && !/stat:/' "$dir/skx" | wc -l)" 2
has "off: they do not, and why" "$dir/skx" \
	'stat: --no-mux: not all .*: r08d1 needs PMC0-3; transactions use PMC3; held by .*'
has "a bad word" "$dir/skx" "tfa: there is no 'maybe'; there are: on, off"

# shares N: prints the shares of the five events in the N-th table that has shares, rounded to a percent.
shares() {
	awk -v n="$1" '/^ Performance/ { seen = 0 }
		/r..d1 .*\(/ {
			table += !seen++
			match($0, /\([0-9.]+%/)
			if (table == n)
				printf "%.0f ", substr($0, RSTART + 1, RLENGTH - 2)
		}' "$dir/skx"
}
is "five on four: 80 % each" "$(shares 1)" "80 80 80 80 80 "
is "five on three: 60 % each" "$(shares 2)" "60 60 60 60 60 "

boot "$dir/hsw" --uarch hsw -- tfa \; tfa off
is "hsw: status" $status 1
has "hsw: not there" "$dir/hsw" 'TSX force abort: not on this CPU; transactions take no counter'
has "hsw: no switch" "$dir/hsw" 'tfa: transactions take no counter of this CPU \(haswell\)'
finish

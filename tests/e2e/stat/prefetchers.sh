# SPDX-License-Identifier: BSD-2-Clause
# A core's modelled prefetchers go by its register: loads of one line after the other, downwards, miss L1D and L2 of
# Skylake-SP more often with its bits set, and no prefetch is counted then. L1 and L2 have their own events.
. "$(dirname "$0")/../_lib.sh"
gcc -O2 -static -I. tests/linux/closed.c -o "$dir/closed"

# counts LOG: prints the counts of each stat, a line each: misses of L1D and L2 by loads, prefetches to L2 (hits, misses).
counts() { grep -E '^[0-9]+,,r' "$1" | cut -d , -f 1 | paste -d ' ' - - - -; }
nth() { counts "$1" | sed -n "$2p" | cut -d ' ' -f "$3"; }

events=r08d1:u,r10d1:u,rd824:u,r3824:u
set -- -x , -e $events
stream="-- $dir/closed stream 000002 4194304"
# shellcheck disable=SC2086 # words
boot "$dir/skx" --uarch skx -- stat "$@" $stream \; stat --prefetchers off "$@" $stream \; stat "$@" $stream \; \
	stat --prefetchers 0x3 "$@" $stream \; stat --prefetchers 0xc "$@" $stream
at=$dir/skx
is "exit status" $status 0
lines=$((3 * 65536))
is "off: each line is missed by L1D" "$(($(nth "$at" 2 1) > lines / 2 && $(nth "$at" 2 1) < lines + 1000))" 1
is "off: nothing is prefetched" "$(nth "$at" 2 3) $(nth "$at" 2 4)" "0 0"
is "on: L1D misses less than a tenth" "$(($(nth "$at" 1 1) * 10 < $(nth "$at" 2 1)))" 1
is "on: L2 misses less than a tenth" "$(($(nth "$at" 1 2) * 10 < $(nth "$at" 2 2)))" 1
is "on: L2's prefetchers miss" "$(($(nth "$at" 1 4) > lines / 2))" 1
is "put back: the counts are the same" "$(counts "$at" | sed -n 3p)" "$(counts "$at" | sed -n 1p)"
is "L1D's alone: L2's ask for nothing" "$(nth "$at" 4 3) $(nth "$at" 4 4)" "0 0"
is "L1D's alone: L1D misses little" "$(($(nth "$at" 4 1) * 10 < $(nth "$at" 2 1)))" 1
is "L2's alone: L1D misses as without" "$(nth "$at" 5 1)" "$(nth "$at" 2 1)"
is "L2's alone: L2 misses less" "$(($(nth "$at" 5 2) * 4 < $(nth "$at" 2 2)))" 1
# shellcheck disable=SC2086
boot "$dir/again" --cold --uarch skx -- stat "$@" $stream \; stat --prefetchers off "$@" $stream
is "another run: the same counts" "$(counts "$dir/again")" "$(counts "$at" | head -n 2)"

# Zen 4 has a register of its own, and Zen 3 none.
# shellcheck disable=SC2086
boot "$dir/zen4" --uarch zen4 -- stat -x , -e rff5a:u $stream \; stat --prefetchers off -x , -e rff5a:u $stream
is "Zen 4: L1D's fills by prefetchers" "$(grep -E '^[0-9]+,,rff5a' "$dir/zen4" | cut -d , -f 1 | awk '{ print ($1 > 0) }' | paste -sd ' ')" "1 0"
boot "$dir/zen3" --uarch zen3 -- stat --prefetchers off -e instructions:u loop 1
has "Zen 3: no register" "$dir/zen3" ".*stat: --prefetchers: .*"
finish

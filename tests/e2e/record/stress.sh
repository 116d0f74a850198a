# SPDX-License-Identifier: BSD-2-Clause
# The ring under stress, on the host: 2 * 10^7 records with interrupts in between (`make soak`: 10^8), every word
# checked. A race detector checks 10^6 of them (`make soak`: 10^7). The tests detect two readers with mistakes.
. "$(dirname "$0")/../_lib.sh"

records=$(either 20000000 100000000) watched=$(either 1000000 10000000)
build/stress-ring $records >"$dir/ring" 2>&1
is "the ring: status" $? 0
has "the ring: all came, and interrupts did" "$dir/ring" "$records records, and [1-9][0-9]* that interrupted them"
build/stress-ring --jump 10000000 >"$dir/jump" 2>&1
is "a reader that jumps to a head it did not read up to is found out" $? 1
build/stress-tsan $watched >"$dir/tsan" 2>&1
is "no race: status" $? 0
has "no race: all came" "$dir/tsan" "$watched records, .*"
build/stress-tsan --relaxed 100000 >"$dir/relaxed" 2>&1
is "a head that was loaded without an order is a race" $? 66
has "the race detector says so" "$dir/relaxed" 'WARNING: ThreadSanitizer: data race .*'

# A writer is interrupted after each of its instructions, and its interrupt once more.
build/stress-step >"$dir/step" 2>&1
is "interrupted anywhere: status" $? 0
has "interrupted anywhere: many cases" "$dir/step" '[0-9]{4,} cases'

# CPUs that operate on each other's events while their tasks move, fork and exit.
build/stress-smp $(either 4 10) >"$dir/smp" 2>&1
is "events on many CPUs: status" $? 0
has "events on many CPUs: all of it happened" "$dir/smp" '4 CPUs, seed [0-9]+, .*: [0-9]{3,} switches, [0-9]+ of them exchanges, [1-9][0-9]* migrations, [1-9].*'
build/stress-smp-tsan $(either 5 10) 4 7 >"$dir/smp-tsan" 2>&1
is "events on many CPUs: no race" $? 0
has "events on many CPUs: with the detector, too" "$dir/smp-tsan" '4 CPUs, seed 7, .*: [0-9]{3,} switches, .*'
finish

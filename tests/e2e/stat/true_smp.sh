# SPDX-License-Identifier: BSD-2-Clause
# Several CPUs, beside each other and without a clock that goes by instructions: what QEMU's plugin counts on each is
# exact all the same.
. "$(dirname "$0")/../_lib.sh"

# count LOG N EVENT: the count of the Nth run that has it.
count() { sed -n "s/^\([0-9]*\),,$3,.*/\1/p" "$1" | sed -n "$2p"; }

# One after the other: a program alone, one that goes from CPU to CPU, with others beside it, and both rings.
alone="stat -x, -e instructions:u,branches:u"
commands() {
	cat <<END
$alone loop 1000000 ;
$alone hotcold 1000 ;
$alone chase 100000 kib=64 ;
$alone spawner 4 300000 threads=1 ;
$alone spawner 4 300000 ;
stat -x, -e instructions:u,instructions:k,instructions hotcold 1000 ;
stat -x, -e branches:u,branches:k,branches hotcold 1000 ;
stat -x, -e instructions:u,r08d1:u,branch-misses:u chase 100000 kib=16
END
}
# shellcheck disable=SC2046
for cpus in 1 4; do
	boot "$dir/$cpus" --smp $cpus -- $(commands)
	is "CPUs: $cpus: exit status" $status 0
done
# shellcheck disable=SC2046
boot "$dir/again" --smp 4 -- $(commands)
counts() { grep -E '^[0-9]+,,[a-z0-9-]+:u,' "$1" | cut -d, -f1,3; }
is "4 CPUs: the sum over them is what one executes" "$(counts "$dir/4")" "$(counts "$dir/1")"
is "4 CPUs: the same again" "$(counts "$dir/again")" "$(counts "$dir/1")"
is "there are fifteen of them" "$(counts "$dir/1" | grep -c .)" 15
for e in instructions branches; do
	for n in 4 1; do
		is "$n CPUs: the rings of $e add up" "$(($(count "$dir/$n" 1 $e:k) + $(count "$dir/$n" 6 $e:u)))" \
			"$(count "$dir/$n" 1 $e)"
	done
done
is "no count is an estimate" "$(grep -c estimate "$dir/4")" 0
finish

# SPDX-License-Identifier: BSD-2-Clause
# The guest's own clock (clock=own): its TSC does not advance for vpmu's instructions, however long an exit takes.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

# A path for a socket has to be short.
socket=$(mktemp -u /tmp/perf0.XXXXXX)
vpmu_options=clock=own
machine "socket,path=$socket,server=on,wait=off" flow=xonxoff
wait_until 100 test -S "$socket"
rows="vpmu.exit.rdmsr_counter vpmu.exit.wrmsr_counter vpmu.exit.rdpmc vpmu.exit.cpuid"
# shellcheck disable=SC2086 # words
$perf0 attach --flow xonxoff --timeout 200 "$socket" costs $rows \; stat -e instructions:u loop 1000 >"$dir/costs" 2>&1
is "exit status" $? 0
for row in $rows; do
	has "$row: nothing, each time" "$dir/costs" "$row +0 instructions +least 0, mean 0, of 64"
done
has "the count of a loop" "$dir/costs" ' +2,005 +instructions:u.*'
stop_machine
rm -f "$socket"
finish

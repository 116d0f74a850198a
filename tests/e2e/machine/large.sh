# SPDX-License-Identifier: BSD-2-Clause
# A machine with a CPU that only an x2APIC id reaches: the CPU with id 484 comes online, and perf0 measures tasks on it.
# The test needs a newer QEMU than the installed one.
. "$(dirname "$0")/../_lib.sh"

if ! newer=$(scripts/qemu-backports build/qemu-backports); then
	skip "an APIC id beyond 255" "$newer"
	finish
	exit
fi

# The second CPU has the socket and core of id 484, instead of the place beside the first CPU.
cat >"$dir/qemu" <<EOF
#!/bin/sh
for a; do
	shift
	case \${was:-} in
	-smp) a=1,maxcpus=512,sockets=64,cores=8,threads=1 ;;
	-cpu) a=\$a,+x2apic ;;
	esac
	was=\$a
	set -- "\$@" "\$a"
done
exec $newer "\$@" -device EPYC-x86_64-cpu,x2apic=on,socket-id=60,core-id=4,thread-id=0
EOF
chmod +x "$dir/qemu"
boot "$dir/log" --cold --qemu "$dir/qemu" --smp 2 --cpu EPYC --no-vpmu -o "$dir/out" -- cpus \; \
	stat -a -A -x , -e step_trace//u journey 1000 \; stat -a -A -x , -e step_trace//u journey 3000 \; \
	record -a -e cpu-clock -c 200000 journey 30000000
is "status" $status 0
has "CPU 1 has id 484, and is online" "$dir/log" ' +1 +484 +60 +4 +0 .* online'
# One leg of the journey runs on that CPU, with two instructions a turn.
sed -n 's/^CPU1,\([0-9]*\),,step_trace.*/\1/p' "$dir/log" >"$dir/counts"
is "2000 turns more are 4000 instructions more on it" "$(awk 'NR == 1 { a = $1 } NR == 2 { print $1 - a }' "$dir/counts")" 4000
$perf0 decode -o "$dir/data" "$dir/out/stream.perf0" >"$dir/decoded" 2>&1
perf script -i "$dir/data" -F cpu,comm 2>/dev/null >"$dir/samples"
is "the journey is sampled on it" "$([ "$(grep -c 'journey .*\[001\]' "$dir/samples")" -gt 0 ] && echo yes)" yes
finish

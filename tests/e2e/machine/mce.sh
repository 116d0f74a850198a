# SPDX-License-Identifier: BSD-2-Clause
# QEMU injects a machine check: the image panics and prints the banks. It reports an NMI of the platform.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

cat >"$dir/monitor.py" <<'EOF'
import json, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
f = s.makefile('rw')
f.readline()
for command in [{'execute': 'qmp_capabilities'}] + [
        {'execute': 'human-monitor-command', 'arguments': {'command-line': line}} for line in sys.argv[2:]]:
    f.write(json.dumps(command) + '\n')
    f.flush()
    while 'return' not in (answer := json.loads(f.readline())):
        if 'error' in answer:
            sys.exit(str(answer))
EOF
bare_machine "$code" "$vars" -machine q35 -qmp unix:"$dir/qmp",server=on,wait=off -kernel build/perf0.efi -append mode=own
wait_for "$dir/serial" 'perf0> '
# Bank 1, uncorrected, with an address; bank 3, corrected, without any.
python3 "$dir/monitor.py" "$dir/qmp" 'mce 0 3 0x9000000000000e0b 0 0 0' 'mce 0 1 0xbe00000000000134 0x5 0x1234000 0x86'
is "status of the monitor" $? 0
wait_for "$dir/serial" 'cr4 '
stop_machine
tr -d '\r' <"$dir/serial" >"$dir/text"
has "it is a panic" "$dir/text" 'perf0: panic: #MC, .*'
has "the CPU's state" "$dir/text" '  MCG_STATUS 5, 10 banks'
has "the bank, in words" "$dir/text" '  bank 1: uncorrected, context corrupt: cache, data read, data, level 0'
has "and in figures" "$dir/text" '  bank 1: STATUS be00000000000134  ADDR 0000000001234000  MISC 0000000000000086'
has "another bank" "$dir/text" '  bank 3: corrected: I/O'
has "which has no address" "$dir/text" '  bank 3: STATUS 9000000000000e0b'

# During the first measurement come an NMI of the platform, by LINT1, and an error that a bank keeps. During the second
# comes one more error of that bank, during the last none.
measure='stat --certificate --timeout 2500 -I 100 -e task-clock spin'
bare_machine "$code" "$vars" -machine q35 -qmp unix:"$dir/qmp",server=on,wait=off -kernel build/perf0.efi \
	-append "mode=own $measure ; $measure ; stat --certificate -e task-clock loop 10"
inject() { python3 "$dir/monitor.py" "$dir/qmp" "$@"; }
certificates() { [ "$(grep -ac ' noise: ' "$dir/serial")" -ge "$1" ]; }
wait_for "$dir/serial" 'msec task-clock'
inject nmi 'mce 0 3 0x9000000000000e0b 0 0 0'
wait_until 300 certificates 1
seen=$(wc -c <"$dir/serial")
until_more() { tail -c +"$((seen + 1))" "$dir/serial" | grep -aq 'msec task-clock'; }
wait_until 300 until_more
inject 'mce 0 3 0x9000000000000e0b 0 0 0'
wait_until 300 certificates 3
stop_machine
tr -d '\r' <"$dir/serial" >"$dir/text"
grep '^ noise: ' "$dir/text" >"$dir/noise"
is "an NMI of the platform and an error disturb, and are told" "$(sed -n 1p "$dir/noise")" \
	' noise: disturbed by 1 NMIs that no counter asked for (LINT1), 1 machine checks'
is "one more error of that bank" "$(sed -n 2p "$dir/noise")" ' noise: disturbed by 1 machine checks'
is "what the bank keeps is no error of now" "$(sed -n 3p "$dir/noise" | grep -c 'machine checks')" 0
finish

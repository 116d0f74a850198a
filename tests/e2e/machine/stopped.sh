# SPDX-License-Identifier: BSD-2-Clause
# QEMU stops a machine that it cannot run any further, and stays, as with KVM after an internal error. The run ends with
# QEMU's words, and does not wait for its timeout. A program that speaks QMP stands for such a QEMU.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/qemu" <<'EOF2'
#!/usr/bin/env python3
import json, os, re, socket, sys
if not any("chardev=monitor" in a for a in sys.argv):
    os.execvp("qemu-system-x86_64", ["qemu-system-x86_64", *sys.argv[1:]])
fd = next(int(re.search(r"fd=(\d+)", a).group(1)) for a in sys.argv if "id=monitor" in a)
line = socket.socket(fileno=fd).makefile("rwb", buffering=0)
def say(**message):
    line.write(json.dumps(message).encode() + b"\n")
if os.environ.get("SAYS"):
    print(os.environ["SAYS"], file=sys.stderr, flush=True)
say(QMP={"version": {}, "capabilities": []})
for request in line:
    status = json.loads(request)["execute"] == "query-status"
    say(**{"return": {"status": "internal-error", "running": False} if status else {}})
EOF2
chmod +x "$dir/qemu"

SAYS='KVM internal error. Suberror: 1' $perf0 stat --timeout 100 --cold --no-vpmu --qemu "$dir/qemu" -- loop 1000 >"$dir/log" 2>&1
is "an internal error ends the run" $? 125
has "the state is told" "$dir/log" "perf0: QEMU has stopped the machine for good: its state is 'internal-error'. It says:"
has "and QEMU's words" "$dir/log" ".*KVM internal error. Suberror: 1"
SAYS='KVM internal error. Suberror: 3' $perf0 stat --timeout 100 --kvm --qemu "$dir/qemu" -- loop 1000 >"$dir/log" 2>&1
is "with --kvm: the status" $? 125
has "with --kvm: QEMU's words" "$dir/log" ".*KVM internal error. Suberror: 3"
has "with --kvm: who tells more" "$dir/log" "perf0: .perf0 doctor --kvm. tells what this host lacks for it"
$perf0 stat --timeout 100 --cold --no-vpmu --qemu "$dir/qemu" -- loop 1000 >"$dir/log" 2>&1
has "and where it has none" "$dir/log" "perf0: QEMU has stopped the machine for good: its state is 'internal-error', and it does not say why"
finish

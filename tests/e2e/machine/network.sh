# SPDX-License-Identifier: BSD-2-Clause
# Network boot: the image is loaded by the firmware's PXE, and by iPXE over HTTP.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

mkdir "$dir/files"
cp build/perf0.efi "$dir/files/"
net_boot() { # OPTIONS-OF-NETDEV OPTIONS-OF-DEVICE
	bare_machine "$code" "$vars" -machine q35 -netdev "user,id=net,$1" -device "virtio-net-pci,netdev=net,bootindex=1$2"
	trap 'kill $qemu $http 2>/dev/null' EXIT
	wait_for "$dir/serial" 'perf0> |No bootable option'
	stop_machine
}
http=
net_boot "tftp=$dir/files,bootfile=perf0.efi" ",romfile="
has "PXE: the firmware loads it" "$dir/serial" '.*NBP file downloaded successfully.*'
is "PXE: and it starts" "$(grep -ca 'perf0> ' "$dir/serial")" 1

python3 - "$dir/files" >"$dir/port" 2>"$dir/http" <<'EOS' &
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()
EOS
http=$!
wait_until 20 test -s "$dir/port"
net_boot "bootfile=http://10.0.2.2:$(cat "$dir/port")/perf0.efi" ""
if grep -qa iPXE "$dir/serial"; then
	is "HTTP: iPXE loads it, and it starts" "$(grep -c 'GET /perf0.efi' "$dir/http") $(grep -ca 'perf0> ' "$dir/serial")" "1 1"
else
	skip "HTTP by iPXE" "QEMU's network cards have no iPXE here"
fi
kill $http 2>/dev/null
finish

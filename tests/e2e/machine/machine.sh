# SPDX-License-Identifier: BSD-2-Clause
# The machine layer: the image's own tests with and without vpmu; and the stick, an ESP image that boots by itself and
# takes commands at the serial console.
. "$(dirname "$0")/../_lib.sh"

set -- "" --no-vpmu
! soaking || set -- "$@" "--no-vpmu --cpu max"
for how; do
	# shellcheck disable=SC2086
	boot "$dir/selftest" $how -- selftest --report
	is "selftest ${how:-under vpmu}" $status 0
	grep -E '^(not )?ok - ' "$dir/selftest"
	has "the row for docs/REAL-MACHINES.md ${how:-under vpmu}" "$dir/selftest" \
		'\| QEMU Standard PC .* \| [^|]*, signature 0x[0-9a-f]+, 1 CPU \| [^|]+ \| \? \| [^|]+ \| perf0 [0-9.]+, selftest: .* 0 failed, .* \|'
done

boot "$dir/caps" --uarch icl -- caps --json
is "caps --json parses" "$(python3 -c 'import json, sys; print(type(json.load(open(sys.argv[1]))).__name__)' "$dir/caps")" dict

cp /usr/share/OVMF/OVMF_VARS_4M.fd "$dir/vars.fd"
# wait_for TEXT [TIMES]: waits until TIMES (1) lines of the console contain TEXT.
wait_for() {
	i=0
	while [ $i -lt $((2 * patience)) ] && [ "$(grep -c "$1" "$dir/stick")" -lt "${2:-1}" ]; do
		sleep 0.5
		i=$((i + 1))
	done
}

: >"$dir/stick"
{ wait_for 'perf0> '; printf 'help\r'; wait_for 'perf0> ' 2; printf 'stat -e instructions loop 10\r'; wait_for 'seconds sys'; } |
	timeout $patience qemu-system-x86_64 -machine q35,smm=off -cpu EPYC -m 256 -nodefaults -display none \
		-no-reboot -boot menu=off -serial stdio -monitor none \
		-drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
		-drive if=pflash,format=raw,file="$dir/vars.fd" \
		-drive if=none,id=esp,format=raw,readonly=on,file=build/esp.img \
		-device virtio-blk-pci,drive=esp,bootindex=1 >"$dir/stick" 2>&1 &
qemu=$!
wait_for 'seconds sys'
kill $qemu 2>/dev/null
wait $qemu 2>/dev/null
tr -d '\r' <"$dir/stick" >"$dir/stick.txt"
has "the stick boots to a prompt" "$dir/stick.txt" '.*perf0> help'
is "the console shows text only" "$(LC_ALL=C tr -d '\11\12\15\33\40-\176' <"$dir/stick" | wc -c)" 0
has "and takes commands" "$dir/stick.txt" " Performance counter stats for 'loop 10':"
finish

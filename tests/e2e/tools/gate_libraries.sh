# SPDX-License-Identifier: BSD-2-Clause
# perf0 gate --pin-libs DIR: programs use the libraries of DIR, and the host has another libc.
. "$(dirname "$0")/../_lib.sh"

unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
top=$PWD dir=$PWD/$dir
cd "$dir" || exit 1
cat >labs.c <<'SOURCE'
#include <stdlib.h>
int main(int argc, char **argv)
{
	long (*volatile absolute)(long) = labs; /* a call, and no instruction of the compiler */
	volatile long x = -argc;

	(void)argv;
	for (int i = 0; i < 10; i++)
		x -= absolute(x);
	return 0;
}
SOURCE
gcc -O2 -g -o labs labs.c || not_ok "the program is built" ""
printf '[[benchmark]]\nname = "labs"\nprogram = "./labs"\n' >perf0.toml
gate() {
	"$top/$perf0" gate "$@" >out 2>err
	status=$?
}
libraries() { (cd "$1" && find . -type f | sort); }
count() { awk -F'\t' '$2 == "event" && $3 == "instructions:u" { print $4 }' "$1"; }

gate --pin-libs libs --baseline /nowhere
is "no baseline" "$status $(cat err)" "2 perf0 gate: /nowhere: there is no baseline yet; --update makes it"
gate --update --pin-libs libs
is "libraries are pinned: status" "$status $(cat err)" "0 "
is "libraries are pinned: which" "$(libraries libs | sed 's|.*/||' | grep -v libgcc | sort | paste -sd' ')" "ld-linux-x86-64.so.2 libc.so.6"
libc=$(find libs -name libc.so.6)
is "by their build-id" "$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')" "$(basename "$(dirname "$libc")")"
is "they are the host's" "$(cmp "$libc" "$(ldd labs | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')" 2>&1)" ""
gate --pin-libs libs
is "pinned: unchanged" "$status $(cat out err)" "0 1 benchmark: 1 unchanged"
gate
is "the same libraries of the host: unchanged" "$status $(cat out err)" "0 1 benchmark: 1 unchanged"

# Another libc: a build-id of its own, and one instruction more in labs().
/usr/bin/python3 - "$libc" "$(nm -D "$libc" | awk '$3 ~ /^labs(@|$)/ { print $1; exit }')" >id <<'PYTHON'
import struct, sys
path, address = sys.argv[1], int(sys.argv[2], 16)
image = bytearray(open(path, "rb").read())
segments, = struct.unpack_from("<Q", image, 32)
for i in range(struct.unpack_from("<H", image, 56)[0]):
    kind, _, offset, start, _, size = struct.unpack_from("<IIQQQQ", image, segments + 56 * i)
    if kind == 1 and start <= address < start + size:
        at = offset + address - start
    if kind == 4 and image[offset + 12:offset + 16] == b"GNU\0" and struct.unpack_from("<I", image, offset + 8)[0] == 3:
        build = offset + 16
code = bytes(image[at:at + 16])
end = code.index(0xc3) + 1
if end > 15 or code[end] not in (0x66, 0x0f, 0x90, 0xcc): # padding
    sys.exit("labs() is " + code.hex())
image[at:at + end + 1] = b"\x90" + code[:end]
image[build] ^= 0xff
open("other", "wb").write(image)
print(image[build:build + 20].hex())
PYTHON
if ! [ -s id ]; then
	skip "another libc" "# not run: perf0 gate --pin-libs: no instruction fits into labs() of this libc"
	finish
	exit 0
fi
cp -r libs others
mkdir "others/$(cat id)"
mv other "others/$(cat id)/libc.so.6"
chmod +x "others/$(cat id)/libc.so.6"
gate --pin-libs others
is "two builds of a library" "$status $(cat err)" "2 perf0 gate: labs: --pin-libs others: there are two builds of libc.so.6"
rm -rf "others/$(basename "$(dirname "$libc")")"
gate --pin-libs others
is "another libc: status" "$status $(cat err)" "1 "
has "another libc is named, with the difference" out 'libc.so.6 is another build than in the baseline: counts inside of it differ by \+10, in 1 benchmark'

# The baseline is of the other libc: the host's libc is another one now, and the pinned one is not.
gate --update --baseline pinned --pin-libs others
is "--update keeps what is pinned" "$status $(libraries others | grep -c libc.so) $(count pinned)" "0 1 $(($(count perf0.baseline) + 10))"
gate --baseline pinned --pin-libs others
is "pinned libraries on a host with others: unchanged" "$status $(cat out err)" "0 1 benchmark: 1 unchanged"
gate --baseline pinned
is "without pins: status" "$status" 0
has "without pins: the host's libc is another build" out 'libc.so.6 is another build than in the baseline: counts inside of it differ by -10, in 1 benchmark'

# The text of what is wrong is told in one line.
rm -rf others/*/libc.so.6
gate --baseline pinned --pin-libs others
is "a library is not pinned" "$status $(cat err)" "2 perf0 gate: labs: --pin-libs others: there is no libc.so.6; --update adds this host's"
mv "$(find others -name ld-linux-x86-64.so.2)" "others/$(cat id)/"
gate --baseline pinned --pin-libs others
is "a file of another build than its path" "$status $(cat err)" \
	"2 perf0 gate: labs: --pin-libs others: others/$(cat id)/ld-linux-x86-64.so.2 is the build $(readelf -n "others/$(cat id)/ld-linux-x86-64.so.2" | sed -n 's/.*Build ID: //p')"
gate --pin-libs none
is "no such folder" "$status $(cat err)" "2 perf0 gate: labs: --pin-libs none: No such file or directory; --update makes it"
cd "$top" || exit 1
finish

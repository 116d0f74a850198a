# SPDX-License-Identifier: BSD-2-Clause
# The host as perf0 sees it: `doctor --host`, `doctor --report`, `version -v`. A QEMU, a firmware or a program that
# is missing is told in one line, with its package.
. "$(dirname "$0")/../_lib.sh"

tool=$PWD/$perf0
mkdir "$dir/empty" "$dir/qemus"
export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$PWD/$dir/cache}"

# Commands that boot, without programs.
# alone WORDS: the status and the output of the tool with an empty PATH.
alone() { (PATH=$PWD/$dir/empty "$tool" "$@" 2>&1 </dev/null; echo $?) | tr '\n' ' '; }
debian_like() { grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release 2>/dev/null; }
if debian_like; then package='install the package qemu-system-x86'; else package=$(alone run -- version | sed 's/.*: install/install/; s/ 125 $//'); fi
no_qemu="qemu-system-x86_64: not found: $package"
for words in "stat -- loop 1000" "record -e instructions:u -c 1000 -o $dir/none.data -- loop" "run -- version" \
	"profile -- /bin/true" "explain -- /bin/true" "pgo -o $dir/none -- /bin/true" "caps" "doctor" "list" \
	"boot build/perf0.efi" "cache warm"; do
	is "no QEMU: $words" "$(alone $words)" "perf0: $no_qemu 125 "
done
is "no QEMU: gate" "$(alone gate --update --baseline "$dir/none" -- /bin/true)" "perf0 gate: $no_qemu 2 "
is "no binutils: bench" "$(alone bench --asm nop)" "perf0 bench: as: not found: install the package binutils 2 "
is "nothing was written" "$(ls "$dir"/none* 2>/dev/null)" ""

# A firmware that is missing: the folders of all of them are empty in a space of mounts of its own.
hide=true
for folder in /usr/share/OVMF /usr/share/edk2 /usr/share/qemu; do
	[ ! -d $folder ] || hide="$hide && mount -t tmpfs none $folder"
done
if unshare -rm sh -c "$hide" 2>"$dir/unshare"; then
	unshare -rm sh -c "$hide && '$tool' stat -- loop 1000" >"$dir/log" 2>&1
	is "no firmware: status, lines" "$? $(wc -l <"$dir/log")" "125 1"
	has "no firmware: its package" "$dir/log" 'perf0: /usr/share/OVMF/OVMF_CODE.fd: not found: install the package .*'
	unshare -rm sh -c "$hide && '$tool' doctor --host" >"$dir/log" 2>&1
	is "doctor: no firmware" "$? $(grep -c '^  FAILS firmware' "$dir/log")" "1 1"
else
	skip "a firmware that is missing" "no mounts of its own here ($(head -n 1 "$dir/unshare"))"
fi

# doctor --host. A QEMU here is a script that tells a version, and devices.
# qemu NAME VERSION DEVICES
qemu() {
	cat >"$dir/qemus/$1" <<SCRIPT
#!/bin/sh
case \$1 in
--version) echo 'QEMU emulator version $2' ;;
-device) echo '$3' ;;
-plugin) echo 'could not load perf0-none.so' ;;
esac
SCRIPT
	chmod +x "$dir/qemus/$1"
}
qemu old '7.2.22 (Debian 1:7.2)' 'name "ivshmem-plain", bus PCI'
qemu new 10.0.2 'name "ivshmem-plain", bus PCI'
qemu newest 11.1.2 'name "ivshmem-plain", bus PCI'
qemu bare 10.0.2 'name "e1000", bus PCI'
# look NAME WORDS
look() {
	name_of_look=$1
	shift
	$perf0 doctor --host --qemu "$dir/qemus/$name_of_look" "$@" >"$dir/$name_of_look" 2>&1
	is "doctor with the QEMU $name_of_look: status" $? 0
}
look old
has "an old QEMU is noted" "$dir/old" '  note +QEMU +7\.2\.22 .*'
has "what a newer one is better for" "$dir/old" ' +mend: QEMU 8\.2 or later: .*'
look newest
has "a QEMU with another interface for plugins" "$dir/newest" '  note  plugin +events are ratios, .*QEMU 11.1 and later have another .*API 7.*'
look new
has "a new QEMU is fine" "$dir/new" '  ok +QEMU +10\.0\.2, .*'
has "the plugin" "$dir/new" '  ok +plugin +QEMU takes it: counts are exact'
has "shared memory" "$dir/new" '  ok +ivshmem +QEMU has it'
look bare
has "no shared memory" "$dir/bare" '  note +ivshmem +QEMU has none: .*'
printf '#!/bin/sh\ncase $1 in --version) echo QEMU emulator version 9.2.0;; -device) echo \\"ivshmem-plain\\";; esac\n' >"$dir/qemus/closed"
chmod +x "$dir/qemus/closed"
look closed
has "no plugins" "$dir/closed" '  note +plugin +events are ratios, and there are no profiles: .* takes no plugins'
taskset -c 0 $perf0 doctor --host >"$dir/log" 2>&1
has "one CPU" "$dir/log" '  note +CPUs +1: .*'
PATH=$dir/empty $tool doctor --host >"$dir/log" 2>&1
is "doctor without QEMU: status" $? 1
has "what fails" "$dir/log" '  FAILS QEMU +not found: no machine runs'
has "its package" "$dir/log" " +mend: $package"
has "a program that is missing" "$dir/log" '  note +git +not found: no `gate --against`, no `gate --save`'
has "the sum" "$dir/log" 'Machines can not run here: 1 of [0-9]* checks fail\.'
XDG_CACHE_HOME=/dev/null $perf0 doctor --host >"$dir/log" 2>&1
has "no folder for saved machines" "$dir/log" '  note +saved machines +can not be written: .*'
env -u HOME -u XDG_STATE_HOME -u PERF0_CACHE_KEY $perf0 doctor --host >"$dir/log" 2>&1
has "no key for saved machines" "$dir/log" '  note +saved machines +have no key: .*neither XDG_STATE_HOME nor HOME says where it is'
has "no key for saved machines: the mend" "$dir/log" ' +mend: XDG_STATE_HOME=DIR, or PERF0_CACHE_KEY .*'
PERF0_CACHE_KEY=short $perf0 doctor --host >"$dir/log" 2>&1
has "a key that is too short" "$dir/log" '  note +saved machines +have no key: .*PERF0_CACHE_KEY has 5 characters; 16 are needed'

# doctor --report has no name of the user, of the host, or of a folder.
mkdir -p "$dir/home/secret-person/bin"
cp "$dir/qemus/new" "$dir/home/secret-person/bin/qemu-system-x86_64"
HOME=$PWD/$dir/home/secret-person USER=secret-person XDG_CACHE_HOME='' PATH="$PWD/$dir/home/secret-person/bin:$PATH" \
	$perf0 doctor --report >"$dir/report" 2>&1
is "doctor --report: status" $? 0
mkdir -p "$dir/home/secret-person/.local/state"
rm -rf "$dir/home/secret-person/.local/state/perf0"
: >"$dir/home/secret-person/.local/state/perf0"
HOME=$PWD/$dir/home/secret-person env -u PERF0_CACHE_KEY $perf0 doctor --report >"$dir/log" 2>&1
is "doctor --report: a key that has no place is told without its path" \
	"$(grep -c 'saved machines *have no key' "$dir/log") $(grep -c secret-person "$dir/log")" "1 0"
has "it has the version" "$dir/report" "perf0 version [0-9.]*"
has "it has QEMU's version" "$dir/report" '  QEMU +10\.0\.2, in a folder that is not told'
has "it has the distribution" "$dir/report" '  distribution .+'
has "it has the kernel" "$dir/report" "  kernel +Linux $(uname -r | cut -d . -f 1,2)"
for private in secret-person "$(hostname 2>/dev/null || uname -n)" "$PWD" "$(uname -r)"; do
	is "it has no '$private'" "$(grep -cF -- "$private" "$dir/report")" 0
done

# version -v: the same commit and time in each build of it.
$perf0 version -v >"$dir/version" 2>&1
is "version -v: status" $? 0
is "its first line" "$(head -n 1 "$dir/version")" "$($perf0 version)"
if [ -e .git ]; then
	has "the commit" "$dir/version" "  commit +$(git rev-parse HEAD)\+?"
	has "the commit's time" "$dir/version" "  built +$(TZ=UTC git log -1 --date=format-local:'%F %T' --format=%cd) UTC by gcc .*"
fi
has "QEMU" "$dir/version" "  QEMU +$(qemu-system-x86_64 --version | sed -n '1s/.*version //p' | sed 's/[().+]/\\&/g'), .*"
has "libpfm4" "$dir/version" "  libpfm4 +4\.[0-9.]+"
has "the plugin's API" "$dir/version" '  plugin API +1 \(QEMU 7\.2\) or 2 \(from 9\.0 on\)'
# of NAME: the version of a format, as the header has it.
of() { sed -n "s/^#define $1 *\([0-9]*\).*/\1/p" include/perf0/formats.h; }
has "the formats" "$dir/version" "  formats +wire $(of WIRE_VERSION), baseline $(of BASELINE_VERSION), gate --json $(of GATE_JSON_VERSION), .*"
SOURCE_DATE_EPOCH=86400 scripts/build-info "$dir/info.h"
is "SOURCE_DATE_EPOCH is the time" "$(grep TIME "$dir/info.h")" '#define BUILD_TIME "1970-01-02 00:00:00 UTC"'
for words in "version -x" "version -v now" "doctor --host --kvm" "doctor --report --compare a b" "doctor --host there"; do
	$perf0 $words >"$dir/log" 2>&1
	is "refused: $words" "$? $(wc -l <"$dir/log")" "2 1"
done
finish

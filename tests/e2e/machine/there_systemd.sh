# SPDX-License-Identifier: BSD-2-Clause
# There and back from a whole Debian with systemd: services are stopped in order, file systems stay clean, and the unit
# of systemd saves the results. The kernel comes home with its own initial ram disk, which keeps nothing. Soak only: it
# installs Debian into a folder, and boots it twice.
. "$(dirname "$0")/../_lib.sh"

if ! soaking; then
	skip "There and back with systemd" "make soak runs it"
	finish
	exit
fi
if [ "$(id -u)" != 0 ] || ! command -v debootstrap mke2fs >"$dir/tools"; then
	skip "There and back with systemd" "it needs root, debootstrap and mke2fs"
	finish
	exit
fi
system=build/there-debian
packages=systemd-sysv,linux-image-amd64,initramfs-tools,zstd,kmod,udev,dbus
if [ ! -e "$system/done" ]; then
	rm -rf "$system"
	if ! debootstrap --variant=minbase --include=$packages bookworm "$system" http://deb.debian.org/debian >"$dir/log" 2>&1; then
		skip "There and back with systemd" "Debian cannot be installed into a folder ($(tail -n 1 "$dir/log"))"
		finish
		exit
	fi
	: >"$system/done"
fi

# Puts there `make install`'s files, the tool's libraries, and a service that makes the journey.
make -s install-built DESTDIR="$PWD/$system" PREFIX=/usr >"$dir/log" 2>&1
is "installed" $? 0
ldd build/perf0 | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | while read -r library; do
	[ -e "$system$library" ] || install -D "$library" "$system$library"
done
units=$system/lib/systemd/system
cat >"$units/journey.service" <<'END'
[Unit]
After=perf0-results.service
[Service]
ExecStart=/bin/sh /root/journey
ExecStop=/bin/sh -c "echo stopped >/root/stopped"
END
mkdir -p "$units/multi-user.target.wants"
ln -sf ../journey.service "$units/multi-user.target.wants/"
ln -sf /dev/null "$system/etc/systemd/system/serial-getty@ttyS0.service" # it would hang up the line
echo "/dev/vda / ext4 defaults 0 1" >"$system/etc/fstab"
rm -rf "$system/var/lib/perf0" "$system/root/stopped"
cat >"$system/root/journey" <<'END'
if ! grep -q perf0.home /proc/cmdline; then
	perf0 there-and-back -- stat -e instructions:u -- /bin/true ';' caps >/dev/ttyS0 2>&1
	poweroff
	exit
fi
{
	echo "came home"
	cat /root/stopped
	systemctl show -p ActiveState -p Result perf0-results
	systemctl --failed --no-legend | sed 's/^/failed: /'
	perf0 results
	echo "results: status $?"
	ls /var/lib/perf0/*
	dmesg | grep 'EXT4-fs.*recover'
	echo "all told"
} >/dev/ttyS0 2>&1
poweroff
END
rm -f "$dir/disk"
mke2fs -q -t ext4 -d "$system" "$dir/disk" 2G
set -- "$system"/boot/vmlinuz-*
timeout $patience qemu-system-x86_64 -machine q35 -m 1G -cpu EPYC -nodefaults -display none -no-reboot \
	-serial file:"$dir/serial" -drive file="$dir/disk",format=raw,if=virtio -kernel "$1" \
	-initrd "$system/boot/initrd.img-${1##*/vmlinuz-}" -append "root=/dev/vda rw console=ttyS0 quiet" >"$dir/qemu" 2>&1 </dev/null
tr -d '\r' <"$dir/serial" | sed -n '/^came home/,/^all told/p' >"$dir/told"
has "Linux has come home" "$dir/told" "came home"
has "services were stopped in order" "$dir/told" "stopped"
has "the unit has saved the results" "$dir/told" "Result=success"
has "it did run" "$dir/told" "ActiveState=active"
is "no unit has failed" "$(grep '^failed' "$dir/told")" ""
has "perf0 results shows them" "$dir/told" "  001  stat -e instructions:u -- /bin/true"
has "and where they are" "$dir/told" "perf0 results: /var/lib/perf0/0001-.* has them"
has "its status" "$dir/told" "results: status 0"
has "the text of the second command" "$dir/told" ".*002-caps.txt.*"
is "no file system was repaired" "$(grep EXT4 "$dir/told")" ""
has "and that is all" "$dir/told" "all told"
rm -f "$dir/disk"
finish

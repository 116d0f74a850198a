# SPDX-License-Identifier: BSD-2-Clause
# _kernel.sh - for end-to-end tests of Debian's kernel as a guest of vpmu.

# find_kernel WHAT: puts the kernel's path into $kernel, or skips WHAT and ends the test.
find_kernel() {
	if ! kernel=$(scripts/guest-kernel build/guest-kernel); then
		skip "$1" "Debian's kernel cannot be fetched ($kernel)"
		finish
		exit
	fi
}

# find_busybox WHAT: skips WHAT and ends the test where perf0 has no busybox for an initial file system.
find_busybox() {
	if ! busybox=$(command -v busybox) || file -L "$busybox" | grep -q dynamically; then
		skip "$1" "no busybox-static here"
		finish
		exit
	fi
}

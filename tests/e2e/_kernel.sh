# SPDX-License-Identifier: BSD-2-Clause
# _kernel.sh - for end-to-end tests of Debian's kernel as a guest of vpmu.

# find_kernel WHAT: it is in $kernel; or WHAT is skipped, and the test over.
find_kernel() {
	if ! kernel=$(scripts/guest-kernel build/guest-kernel); then
		skip "$1" "Debian's kernel cannot be fetched ($kernel)"
		finish
		exit
	fi
}

# find_busybox WHAT: perf0 has what it makes a first file system of; likewise.
find_busybox() {
	if ! busybox=$(command -v busybox) || file -L "$busybox" | grep -q dynamically; then
		skip "$1" "no busybox-static here"
		finish
		exit
	fi
}

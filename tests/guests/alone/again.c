// SPDX-License-Identifier: BSD-2-Clause
/*
 * again.c - a program for Linux that replaces the running kernel by another one:
 * again KERNEL INITRD COMMAND-LINE, by kexec_file_load(2) and reboot(2). It returns only if that
 * fails.
 */
#include <fcntl.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4) {
		fprintf(stderr, "again KERNEL INITRD COMMAND-LINE\n");
		return 2;
	}
	kernel = open(argv[1], O_RDONLY);
	initrd = open(argv[2], O_RDONLY);
	if (kernel < 0 || initrd < 0) {
		perror("again: open");
		return 1;
	}
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1, argv[3], 0ul)) {
		perror("again: kexec_file_load");
		return 1;
	}
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	perror("again: reboot");
	return 1;
}

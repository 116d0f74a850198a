/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - one guest of vpmu that is not the image: its machine, from power-on, or from where it
 * was saved, to its end. The firmware has a volume with what is started (boot/handed.h), and the
 * machine goes away with the tool, however that ends.
 */
#ifndef TOOLS_GUEST_GUEST_H
#define TOOLS_GUEST_GUEST_H

#include <limits.h>

#include "tools/machine/qemu_args.h"
#include "tools/options/options.h"

#define GUEST_MEMORY_MIB 512
#define GUEST_FILE       "GUEST.EFI" /* on its volume */
#define GUEST_INITRD     "INITRD.IMG"

/*
 * Under icount, ns of virtual time for an instruction of Linux: 2 to that. At the image's 16 ns a
 * CPU has some 15 million cycles in a second, and a kernel that samples 1000 times in one does
 * little else; with fewer the firmware, which waits by the clock, takes longer.
 */
#define GUEST_LINUX_SHIFT 2

/* The guest to start, and when it has ended. */
enum guest_kind {
	GUEST_PROGRAM, /* of UEFI: when it returns */
	GUEST_COMMAND, /* Linux, which runs a command of initrd.h: when that has ended */
	GUEST_CONSOLE, /* Linux at whose console people sit: when it goes off */
};

struct guest {
	const struct options *options;
	enum guest_kind kind;
	const char *command; /* of the tool, and the file: for what is said */
	const char *name;
	int program, initrd;   /* files that stand open; -1: none */
	bool has_own_initrd;   /* which tells nothing about itself */
	const char *arguments; /* of what is started */
};

/*
 * guest_has_own_clock() - its TSC goes by what it executes itself, without vpmu's share, and runs
 * behind the machine's timers for that: its kernel is told not to compare them.
 */
bool guest_has_own_clock(const struct guest *guest);

/* guest_run() - boots it, passes its text on, and ends it. Returns the exit status. */
int guest_run(const struct guest *guest);

/*
 * guest_status() - the exit status for the EFI_STATUS of a program that has returned: 0 to 63 as it
 * is; 64 more for an error of UEFI's; 123 for all others.
 */
int guest_status(uint64_t efi_status);

#endif

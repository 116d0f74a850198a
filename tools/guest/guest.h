/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - one guest of vpmu that is not the image: its machine, from power-on or its saved state
 * to the end. The firmware has a volume with the program (boot/handed.h). The machine ends with the
 * tool, however that ends.
 */
#ifndef TOOLS_GUEST_GUEST_H
#define TOOLS_GUEST_GUEST_H

#include <limits.h>

#include "tools/machine/qemu_args.h"
#include "tools/options/tool_options.h"

#define GUEST_MEMORY_MIB 512
#define GUEST_FILE       "GUEST.EFI" /* on the guest's volume */
#define GUEST_INITRD     "INITRD.IMG"

/*
 * Under icount an instruction of Linux takes 2 to the power of this ns of virtual time. At the
 * image's 16 ns a CPU has some 15 million cycles in a second: a kernel that takes 1000 samples in
 * one does little else. With fewer ns the firmware, which waits by the clock, takes longer.
 */
#define GUEST_LINUX_SHIFT 2

/* The guest to start, and when it has ended. */
enum guest_kind {
	GUEST_PROGRAM, /* of UEFI; ends when it returns */
	GUEST_COMMAND, /* Linux, which runs a command of initrd.h; ends with it */
	GUEST_CONSOLE, /* Linux with a console for people; ends when it powers off */
};

struct guest {
	const struct options *options;
	enum guest_kind kind;
	const char *command; /* the tool's command, and the file's name: for messages */
	const char *name;
	int program, initrd;   /* descriptors of open files; -1: none */
	bool has_own_initrd;   /* which reports nothing about itself */
	const char *arguments; /* of the program or kernel */
};

/*
 * guest_has_own_clock() - whether its TSC counts what it executes itself, without vpmu's share.
 * Such a TSC runs behind the machine's timers, so its kernel is told not to compare them.
 */
bool guest_has_own_clock(const struct guest *guest);

/* guest_run() - boots the guest, passes its text on, and ends it. Returns the exit status. */
int guest_run(const struct guest *guest);

/*
 * guest_status() - the exit status for the EFI_STATUS of a program that has returned: 0 to 63 as it
 * is; 64 more for an error of UEFI's; 123 for all others.
 */
int guest_status(uint64_t efi_status);

#endif

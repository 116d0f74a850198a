/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - runs a guest of vpmu other than the image, from power-on or a saved state to the end.
 * The firmware has a volume with the guest's program (boot/handed.h). The machine ends with the
 * tool, even if the tool dies.
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
 * image's 16 ns a CPU has some 15 million cycles in a second, and a kernel that takes 1000 samples
 * in a second does little else. With fewer ns the firmware, which waits by the clock, takes longer.
 */
#define GUEST_LINUX_SHIFT 2

/* Kinds of guests, and when each has ended. */
enum guest_kind {
	GUEST_PROGRAM, /* a UEFI program; ends when it returns */
	GUEST_COMMAND, /* Linux that runs a command of initrd.h; ends with the command */
	GUEST_CONSOLE, /* Linux with a console for people; ends when it powers off */
};

struct guest {
	const struct options *options;
	enum guest_kind kind;
	const char *command; /* names of the tool's command and of the file, for messages */
	const char *name;
	int program, initrd;   /* descriptors of open files; -1: none */
	bool has_own_initrd;   /* the user's own initrd, which reports nothing about the run */
	const char *arguments; /* arguments of the program or kernel */
};

/*
 * guest_has_own_clock() - returns whether the guest's TSC counts only its own instructions, without
 * vpmu's share. Such a TSC runs behind the machine's timers, so the kernel is told not to compare
 * them.
 */
bool guest_has_own_clock(const struct guest *guest);

/* guest_run() - boots the guest, passes its text on, and ends it. Returns the exit status. */
int guest_run(const struct guest *guest);

/*
 * guest_status() - returns the exit status for the EFI_STATUS of a program: 0 to 63 unchanged, an
 * error of UEFI plus 64, and 123 for all others.
 */
int guest_status(uint64_t efi_status);

#endif

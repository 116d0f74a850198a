/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_args.h - the command line of a QEMU, and the files that it names: for qemu.c, which starts
 * it, and qemu_describe.c, which tells what its state depends on.
 */
#ifndef TOOLS_MACHINE_QEMU_ARGS_H
#define TOOLS_MACHINE_QEMU_ARGS_H

#include <limits.h>

#include "tools/machine/qemu.h"

#define QEMU_ARGS_MOST 96

/* What a machine is started from. */
struct launch {
	const char *firmware, *vars_from;
	char esp[PATH_MAX];    /* the file system of the stick */
	char kernel[PATH_MAX]; /* what the firmware starts */
	struct buf load_options;
	/* Files in memory, which QEMU inherits and opens by /proc/self/fd; -1: none. */
	int vars;     /* the private variable store */
	int commands; /* what the image is to run */
	int programs; /* the pack of ELF files that it may run */
};

/*
 * launch_find() - the files of a machine, and its load options; none is opened yet. launch_open():
 * those that QEMU gets as files in memory. Both return 0, or -E with the reason; launch_end() frees
 * and closes what there is, in any case.
 */
int launch_find(struct launch *launch, const struct options *options, struct reason *why);
int launch_open(struct launch *launch, const struct qemu_machine *machine, struct reason *why);
void launch_end(struct launch *launch);

struct args {
	char *v[QEMU_ARGS_MOST + 1];
	size_t n;
};

/*
 * qemu_args_machine() - appends what the state of the machine depends on, but for what is in the
 * files. qemu_args_all(): the whole command line, with QEMU's end of the socket for QMP.
 */
void qemu_args_machine(struct args *args, const struct qemu_machine *machine,
		       const struct launch *launch);
void qemu_args_all(struct args *args, const struct qemu_machine *machine,
		   const struct launch *launch, int monitor);

/* qemu_args_print() - as a line to standard error, quoted for a shell. */
void qemu_args_print(const struct args *args);
void qemu_args_free(struct args *args);

#endif

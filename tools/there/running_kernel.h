/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * running_kernel.h - finds the files that the running Linux was started with, as loaders and
 * distributions name them.
 */
#ifndef TOOLS_THERE_RUNNING_KERNEL_H
#define TOOLS_THERE_RUNNING_KERNEL_H

#include <limits.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

#define INITRD_NONE "none" /* in place of a path: the kernel has no initial ram disk */

struct running_kernel {
	char kernel[PATH_MAX];
	char initrd[PATH_MAX];     /* "": none */
	struct buf command_line;   /* without an end of line */
	uint64_t init_bytes;       /* memory that the kernel needs to start */
	uint32_t command_line_max; /* bytes of the longest command line */
};

/* The files to take in place of the running Linux's; NULL: those. `root` is the folder of all
 * files. */
struct kernel_choice {
	const char *root;
	const char *kernel, *initrd, *command_line;
};

/*
 * running_kernel_find() - finds kernel, initial ram disk and command line, and checks that the
 * first two are whole. -E with the reason. running_kernel_free() - frees the command line, also
 * after a failure.
 */
int running_kernel_find(struct running_kernel *found, const struct kernel_choice *choice,
			struct reason *why);
void running_kernel_free(struct running_kernel *found);

#endif

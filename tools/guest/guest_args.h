/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_args.h - builds the command line of a QEMU for a guest of vpmu. */
#ifndef TOOLS_GUEST_GUEST_ARGS_H
#define TOOLS_GUEST_GUEST_ARGS_H

#include "tools/guest/guest.h"
#include "tools/saved/pages.h"

/* The guest's serial lines that lead to pipes, by their numbers. */
enum guest_line { GUEST_SAYS = 1, GUEST_OUT, GUEST_ERR, GUEST_LINES };

/* The files from which a machine starts. QEMU inherits the descriptors; -1: none. */
struct guest_files {
	const struct firmware *firmware;
	char vpmu[PATH_MAX];
	int program, initrd, options;
	int line[GUEST_LINES];      /* indexed by enum guest_line */
	struct saved_memory memory; /* the machine's; fd -1: QEMU has its own */
};

/* guest_memory() - returns the MiB of the machine's memory. */
uint32_t guest_memory(const struct guest *guest);

/*
 * guest_args() - adds the command line of a machine whose vpmu waits for its options, except for
 * qemu_args_ends(). guest_load_options() - appends these options, which also are in files->options.
 * guest_describe() - like qemu_describe(). One saved machine serves all guests that continue where
 * vpmu waits, whatever vpmu imitates and starts.
 */
void guest_args(struct args *args, const struct guest *guest, const struct guest_files *files,
		const struct counting *counting);
void guest_load_options(struct buf *out, const struct guest *guest);

int guest_describe(struct buf *out, const struct guest *guest, const struct guest_files *files,
		   const struct counting *counting, struct reason *why);

/*
 * guest_args_bare() - adds the command line of a machine that the tool does not start. vpmu starts
 * `words` (NULL-terminated): a path on any of the disks, and its arguments. The plugin
 * `counting->plugin` uses the page options->guest.page, if it is given. Returns 0, or -E with the
 * reason.
 */
int guest_args_bare(struct args *args, const struct options *options,
		    const struct counting *counting, const char *const *words, struct reason *why);

#endif
